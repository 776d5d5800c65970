"""Gaussian mixtures by expectation maximisation."""

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.gate import check_fit, check_new, check_rows, check_size
from gramian.base.kinds import Density
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.parts import Parts
from gramian.base.targets import Codes
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.base.weights import check_weights, unit_weights
from gramian.mixture.components import Components, CovarianceType
from gramian.mixture.expectation_steps import MixtureData
from gramian.mixture.initialization import check_labels_known, first_components
from gramian.mixture.missing_values import ScoreKind, check_columns, scores_of
from gramian.mixture.mixture_chunks import ChunkedMixture


@params
class GaussianMixture(CallbackSupportMixin, Density):
    """A mixture of normal distributions, fitted by expectation maximisation.

    The density p(x) = sum_k pi_k N(x; m_k, S_k) is fitted by turns: the responsibilities

        r_ik = pi_k N(x_i; m_k, S_k) / p(x_i),

    then the weights, means and covariances of the rows weighted by them. No iteration lowers the
    likelihood (with reg_covar=0), so that the algorithm ends at a local maximum; the best of
    `n_init` starts is kept. One native pass makes an iteration, O(n K d^2) for full covariances,
    and keeps no table of responsibilities. Reference: Dempster, Laird and Rubin 1977; Bishop 2006,
    9.2.

    Missing values (NaN) are integrated out, in `fit` and in what it predicts. `fit` takes the
    components of some rows as known (`labels`), which makes it a semi-supervised generative
    classifier.

    Parameters
    ----------
    n_components
        Number of components, K.
    covariance_type
        "full": each component has its own matrix; "tied": all share one; "diag": uncorrelated
        columns; "spherical": one variance per component.
    tol
        Stop when the mean log likelihood of a row changes by less than this.
    reg_covar
        Added to the diagonals of the covariances.
    max_iter
        Maximum number of iterations per start.
    n_init
        Number of starts; the one of the largest likelihood is kept.
    init_params
        First division of the rows: "kmeans", "k-means++" (the nearest of centres that it chooses),
        "random_from_data" (the nearest of K rows), "random" (at random).
    weights_init
        First weights (K,); None: those of the first division.
    means_init
        First means (K, d); None: those of the first division.
    precisions_init
        First inverse covariances, in the shape of `precisions_`; None: those of the first division.
    random_state
        Seed or generator for the random draws.
    warm_start
        Whether `fit` starts from the parameters of the last one.
    verbose
        If above 0, print a line for every start.
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
        Their inverses, in the same shape.
    precisions_cholesky_ : array
        Upper triangular roots U with U U' the precisions.
    converged_ : bool
        Whether the likelihood of the best start settled.
    n_iter_ : int
        Iterations of the best start.
    lower_bound_ : float
        Mean log likelihood of a row at its last iteration.
    lower_bounds_ : list of float
        The same at each of its iterations.

    Examples
    --------
    >>> from gramian import GaussianMixture
    >>> X = [[0.0], [0.2], [0.4], [9.0], [9.1], [9.2]]
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> sorted(model.means_.ravel().round(6).tolist()), sorted(model.weights_.round(6).tolist())
    ([0.2, 9.1], [0.5, 0.5])
    """

    parametric = True
    takes_nan: ClassVar[bool] = True

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
        """Find the components.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows; NaN is missing.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights >= 0; weight 2 counts as the row repeated twice.
        labels : array of int of shape (n,), optional
            The component, 0 .. K - 1, of the rows where it is known, -1 elsewhere.

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
        """Find the components of rows in chunks, without holding them all in memory.

        Parameters
        ----------
        chunks
            An iterable of tables or of (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass draws the sample that the
            first components come from; every iteration is another.

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
        X: Any,
    ) -> Self:
        """Run expectation maximisation from every start, and keep the best."""
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
                stacklevel=4,  # the decorator of fit lies between
            )
        return self

    def _run(
        self, data: MixtureData | ChunkedMixture, components: Components, task: Task
    ) -> tuple[list[float], bool, Components]:
        """Alternate the two steps; return the likelihoods and whether they settled."""
        start = task.part("start", steps=self.max_iter)
        bounds: list[float] = []
        settled = False
        for _ in range(self.max_iter):
            bound, components = data.iterate(components, self.reg_covar)
            if not np.isfinite(bound):
                raise DataError(
                    "GaussianMixture: the likelihood overflows; scale the columns, see "
                    "sklearn.preprocessing.StandardScaler."
                )
            bounds.append(bound)
            stop = start.iteration(lambda: self._fitted(components))  # noqa: B023
            settled = len(bounds) > 1 and abs(bound - bounds[-2]) < self.tol
            if settled or stop:
                break
        start.done(lambda: self._fitted(components))
        return bounds, settled, components

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

    def _components(self) -> Components:
        return Components.of_fitted(
            self.covariance_type,
            self.weights_,
            self.means_,
            self.covariances_,
            self.precisions_cholesky_,
        )

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

    def _scores(self, table: Data, what: ScoreKind) -> Any:
        return scores_of(self._components(), table, what)

    def predict(self, X: Table) -> Codes:
        """Return the most probable component of each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        codes : array of shape (m,)
        """
        codes: Codes = self._scores(check_new(self, X), "codes")
        return codes

    def predict_proba(self, X: Table) -> Floats:
        """Return the responsibility of each component for each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        p : array of shape (m, K)
        """
        p: Floats = self._scores(check_new(self, X), "posterior")
        return p

    def score_samples(self, X: Table) -> Matrix:
        """Return the log density at each row, of its present values where some are missing.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        log_density : array of shape (m,)
        """
        table = check_new(self, X)
        return np.asarray(self._scores(table, "log_norm"), dtype=table.dtype)

    def score(self, X: Table, y: object = None) -> float:
        """Return the mean log density of the rows.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        mean : float
        """
        return float(np.mean(self._scores(check_new(self, X), "log_norm")))

    def sample(self, n_samples: int = 1) -> tuple[Floats, Codes]:
        """Draw rows from the mixture.

        Parameters
        ----------
        n_samples : int
            How many.

        Returns
        -------
        X : array of shape (n_samples, d)
            The rows, in the order of their components.
        y : array of shape (n_samples,)
            Their components.
        """
        check_is_fitted(self)
        if n_samples < 1:
            raise ParameterError(
                f"GaussianMixture: Invalid value for 'n_samples': {n_samples!r}; give an integer "
                ">= 1."
            )
        rng = stream(seed_of(self.random_state))
        codes = np.sort(rng.choice(len(self.weights_), size=n_samples, p=self.weights_))
        noise = rng.standard_normal((n_samples, self.means_.shape[1]))
        roots = np.linalg.cholesky(self._components().full())
        return self.means_[codes] + np.einsum("nij,nj->ni", roots[codes], noise), codes

    def bic(self, X: Table) -> float:
        """Return the Bayesian information criterion on the rows; lower is better.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        bic : float
            -2 log likelihood + log(m) times the number of parameters.
        """
        log_density = self._scores(check_new(self, X), "log_norm")
        parameters = self._components().n_parameters()
        return float(-2 * log_density.sum() + parameters * np.log(len(log_density)))

    def aic(self, X: Table) -> float:
        """Return Akaike's information criterion on the rows; lower is better.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        aic : float
            -2 log likelihood + 2 times the number of parameters.
        """
        log_density = self._scores(check_new(self, X), "log_norm")
        return float(-2 * log_density.sum() + 2 * self._components().n_parameters())

    def _check_loaded(self) -> None:
        K, d = len(self.weights_), self.n_features_in_
        shape = {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}
        wanted = shape[self.covariance_type]
        if self.means_.shape != (K, d) or self.precisions_cholesky_.shape != wanted:
            raise DataError("GaussianMixture: arrays do not fit the number of components.")
