"""Gaussian mixtures by expectation maximisation."""

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit, check_rows, check_size
from gramian.base.inputs.targets import Codes
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.randomness import seed_of
from gramian.base.rows.parts import Parts
from gramian.base.types import Table
from gramian.mixture.components import Components, CovarianceType
from gramian.mixture.expectation_steps import MixtureData
from gramian.mixture.initialization import check_labels_known, first_components
from gramian.mixture.missing_values import check_columns
from gramian.mixture.mixture_chunks import ChunkedMixture
from gramian.mixture.mixture_prediction import MixturePrediction


@params
class GaussianMixture(CallbackSupportMixin, MixturePrediction):
    """Gaussian mixture model, fitted by expectation maximisation.

    The density p(x) = sum_k pi_k N(x; m_k, S_k) is fitted by alternating between the
    responsibilities

        r_ik = pi_k N(x_i; m_k, S_k) / p(x_i),

    and the weights, means and covariances of the rows weighted by them. No iteration lowers the
    likelihood (with reg_covar=0), so the algorithm converges to a local maximum; the best of
    `n_init` initialisations is kept. An iteration is one native pass, O(n K d^2) for full
    covariances, without a table of responsibilities. Reference: Dempster, Laird and Rubin 1977;
    Bishop 2006, 9.2.

    Missing values (NaN) are integrated out, in `fit` and in predictions. `fit` accepts known
    components of some rows (`labels`), which makes it a semi-supervised generative classifier.

    Parameters
    ----------
    n_components
        Number of components, K.
    covariance_type
        "full" for one matrix per component; "tied" for one matrix of all; "diag" for uncorrelated
        columns; "spherical" for one variance per component.
    tol
        Stop when the mean log likelihood of a row changes by less than this.
    reg_covar
        Constant added to the diagonals of the covariances.
    max_iter
        Maximum number of iterations per initialisation.
    n_init
        Number of initialisations; the one of the largest likelihood is kept.
    init_params
        Initial assignment of the rows: "kmeans", "k-means++" (nearest of the centres it chooses),
        "random_from_data" (nearest of K random rows), "random".
    weights_init
        Initial weights (K,); None means those of the initial assignment.
    means_init
        Initial means (K, d); None means those of the initial assignment.
    precisions_init
        Initial inverse covariances, in the shape of `precisions_`; None for those of the
        assignment.
    random_state
        Seed or generator for the random draws.
    warm_start
        Whether `fit` starts from the parameters of the previous fit.
    verbose
        If above 0, print a line for every initialisation.
    verbose_interval
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    weights_ : array (K,)
        The weights pi_k.
    means_ : array (K, d)
        The means.
    covariances_ : array (K, d, d), (d, d), (K, d) or (K,)
        The covariances, by `covariance_type`.
    precisions_ : array
        Inverse covariances, in the same shape.
    precisions_cholesky_ : array
        Upper triangular roots U with U U' the precisions.
    converged_ : bool
        Whether the best initialisation converged.
    n_iter_ : int
        Number of iterations of the best initialisation.
    lower_bound_ : float
        Mean log likelihood of a row at the last iteration.
    lower_bounds_ : list of float
        Mean log likelihood of a row at each iteration.

    Examples
    --------
    >>> from gramian import GaussianMixture
    >>> X = [[0.0], [0.2], [0.4], [9.0], [9.1], [9.2]]
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> sorted(model.means_.ravel().round(6).tolist()), sorted(model.weights_.round(6).tolist())
    ([0.2, 9.1], [0.5, 0.5])
    """

    parametric = True

    n_components: Count = 1
    _: KW_ONLY
    covariance_type: CovarianceType = "full"
    tol: NonNegative = 1e-3
    reg_covar: NonNegative = 1e-6
    max_iter: NonNegativeInt = 100
    n_init: Count = 1
    init_params: Literal["kmeans", "k-means++", "random", "random_from_data"] = "kmeans"
    weights_init: Array | None = None
    means_init: Array | None = None
    precisions_init: Array | None = None
    random_state: Seed = None
    warm_start: bool = False
    verbose: bool | NonNegativeInt = 0
    verbose_interval: Count = 10

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: object = None,
        sample_weight: npt.ArrayLike | None = None,
        labels: npt.ArrayLike | None = None,
    ) -> Self:
        """Estimate the components.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows; NaN is a missing value.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights >= 0; weight 2 counts as the row repeated twice.
        labels : array of int of shape (n,), optional
            The component, 0 .. K - 1, of each row; -1 if unknown.

        Returns
        -------
        self : GaussianMixture
            The fitted model.
        """
        table = check_fit(self, X)
        check_rows(self, table.shape[0], self.n_components, "n_components")
        check_size(self, "X", table)
        check_columns(table)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        known = check_labels_known(labels, table.shape[0], self.n_components)
        seed = seed_of(self.random_state)
        data = MixtureData.of(table, weights, known, tied=self.covariance_type == "tied")

        def start(seed: int) -> Components:
            return first_components(self, table, weights, known, seed)

        return self._fit_starts(data, start, seed, X)

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Find the components of rows in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of tables or of (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass draws a sample for the initial
            components; every iteration is another pass.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import GaussianMixture
        >>> chunks = [[[0.0], [0.2], [0.4]], [[9.0], [9.1], [9.2]]]
        >>> model = GaussianMixture(2, random_state=0).fit_chunks(chunks)
        >>> sorted(model.means_.ravel().round(6).tolist())
        [0.2, 9.1]
        """
        data = ChunkedMixture(self, chunks)
        return self._fit_starts(data, data.start, seed_of(self.random_state), None)

    def _fit_starts(
        self,
        data: MixtureData | ChunkedMixture,
        start: Callable[[int], Components],
        seed: int,
        X: Table,
    ) -> Self:
        """Run expectation maximisation from every initialisation, and keep the best."""
        again = self.warm_start and hasattr(self, "converged_")
        starts = 1 if again else self.n_init
        task = Task.of(self, steps=starts, X=X)
        best: tuple[list[float], bool, Components] | None = None
        for number in range(starts):
            first = self._components() if again else start((seed + number) % 2**64)
            run = self._run(data, first, task)
            if self.verbose:
                text = f"GaussianMixture, start {number}: {len(run[0])} iterations"
                sys.stdout.write(f"{text}\n")
            if best is None or (run[0] and run[0][-1] > best[0][-1]):
                best = run
        assert best is not None
        bounds, self.converged_, components = best
        self._set_components(components)
        self.n_iter_ = len(bounds)
        self.lower_bounds_ = bounds
        self.lower_bound_ = bounds[-1] if bounds else -np.inf
        task.done(lambda: self._fitted(components))
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(
                "Best performing initialization did not converge. Try different init parameters, "
                "or increase max_iter, tol, or check for degenerate data. After "
                f"max_iter={self.max_iter} iterations the mean log likelihood of GaussianMixture "
                "still changes by more than tol.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        return self

    def _run(
        self, data: MixtureData | ChunkedMixture, components: Components, task: Task
    ) -> tuple[list[float], bool, Components]:
        """Alternate the two steps; return the likelihoods, and whether they converged."""
        start = task.part("start", steps=self.max_iter)
        bounds: list[float] = []
        converged = False
        for _ in range(self.max_iter):
            bound, components = data.iterate(components, self.reg_covar)
            if not np.isfinite(bound):
                raise DataError(
                    "GaussianMixture: the likelihood overflows; scale the columns, see "
                    "sklearn.preprocessing.StandardScaler."
                )
            bounds.append(bound)
            stop = start.iteration(lambda: self._fitted(components))  # noqa: B023
            converged = len(bounds) > 1 and abs(bound - bounds[-2]) < self.tol
            if converged or stop:
                break
        start.done(lambda: self._fitted(components))
        return bounds, converged, components

    def _fitted(self, components: Components) -> dict[str, Any]:
        return {
            "weights_": components.weights,
            "means_": components.means,
            "covariances_": components.covariances,
            "precisions_cholesky_": components.precisions_cholesky(),
            "n_features_in_": components.means.shape[1],
        }

    def _set_components(self, components: Components) -> None:
        self.weights_ = components.weights
        self.means_ = components.means
        self.covariances_ = components.covariances
        self.precisions_cholesky_ = components.precisions_cholesky()
        self.precisions_ = components.precisions()

    def fit_predict(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> Codes:
        """Fit, and return the component of each row.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows; NaN is missing.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        codes : array of shape (n,)
        """
        self.fit(X, sample_weight=sample_weight)
        return self.predict(X)
