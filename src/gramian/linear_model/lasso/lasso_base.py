"""Base class of lasso and elastic net: parameters, fit, and the warning about the gap."""

import warnings
from collections.abc import Iterable
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, Array, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Regressor
from gramian.base.rows.chunks import GivenChunk
from gramian.base.rows.moments import Vector
from gramian.base.rows.parts import Parts
from gramian.base.types import Table
from gramian.linear_model.common.linear_prediction import LinearPrediction
from gramian.linear_model.lasso.lasso_chunks import SummaryProblem
from gramian.linear_model.lasso.lasso_params import LassoParams
from gramian.linear_model.lasso.sparse_problem import LARGEST, Path, SparseProblem


@params
class LassoBase(LassoParams, CallbackSupportMixin, LinearPrediction, Regressor):
    """A linear regressor with an l1 penalty.

    Callbacks see each target's solution and, on wide and sparse tables, every hundred cycles.

    Parameters
    ----------
    alpha
        Strength of the penalty; 0 is least squares.
    warm_start
        Whether to start from the coefficients of the previous fit.

    Attributes
    ----------
    coef_ : array (d,) or (targets, d)
        The coefficients c.
    intercept_ : float or array (targets,)
        The intercept b.
    dual_gap_ : float or array (targets,)
        Upper bound on how far the cost is above its minimum.
    n_iter_ : int or list
        Number of cycles, per target.
    """

    alpha: NonNegative = 1.0
    _: KW_ONLY
    precompute: bool | Array = False
    warm_start: bool = False

    def _l1_ratio(self) -> float:
        """Return the fraction of alpha that multiplies the l1 penalty."""
        raise NotImplementedError

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        check_input: bool = True,
    ) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d). Fortran order and CSC are used without a copy.
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.
        check_input
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        table = check_fit(self, X, any_order=True)
        targets = check_targets(self, y, table.shape[0], columns=True)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        check_size(self, "X", table, LARGEST)
        check_size(self, "y", targets, LARGEST)
        problem = SparseProblem(table, weights, centre=bool(self.fit_intercept))
        columns = [np.ascontiguousarray(y) for y in targets.reshape(len(targets), -1).T]
        task = Task.of(self, steps=None, X=X, y=y)
        pairs = [(problem, column) for column in columns]
        return self._solve_all(pairs, table.shape[1], table.dtype, targets.ndim == 1, task)

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> Self:
        """Fit the coefficients to dense rows in chunks, from their moments.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import Lasso
        >>> chunks = [([[0.0], [1.0]], [0.0, 1.0]), ([[2.0], [3.0]], [2.0, 3.0])]
        >>> Lasso(alpha=0.125).fit_chunks(chunks).coef_.round(6)
        array([0.9])
        """
        rows, dtype, one = self._check_chunks(chunks)
        if sp.issparse(rows.first().X):
            raise DataError(
                f"{type(self).__name__}: fit_chunks needs dense chunks, because sparse tables are "
                "solved column by column; use fit, in memory."
            )
        summary = rows.summarise()
        centre = bool(self.fit_intercept)
        pairs: list[tuple[SparseProblem, Vector]] = [
            (SummaryProblem(rows, summary, k, centre=centre), np.empty(0))
            for k in range(rows.n_targets)
        ]
        return self._solve_all(pairs, rows.n_features, dtype, one, Task.of(self, steps=None))

    def _solve_all(
        self,
        problems: list[tuple[SparseProblem, Vector]],
        d: int,
        dtype: npt.DTypeLike,
        one: bool,
        task: Task,
    ) -> Self:
        """Solve the problem of each target, and set the attributes."""
        paths: list[Path] = []

        def report(coef: Vector, intercept: float) -> bool:
            """Report finished targets and the current one; later ones have no coefficients."""
            shape = (len(problems), d)
            return task.iteration(partial(_state, paths, coef, intercept, shape, one))

        l1, l2 = self.alpha * self._l1_ratio(), self.alpha * (1 - self._l1_ratio())
        for k, (problem, target) in enumerate(problems):
            path = problem.path(
                target,
                l1,
                l2,
                positive=bool(self.positive),
                tol=self.tol,
                max_iter=self.max_iter,
                start=self._start(k, d),
                report=report,
            )
            report(path.coef[0], float(path.intercept[0]))
            paths.append(path)
        coef = np.concatenate([path.coef for path in paths])
        intercept = np.concatenate([path.intercept for path in paths])
        self._set_model(coef, intercept, dtype, one)
        gaps = np.concatenate([path.gaps for path in paths])
        counts = [int(path.n_iter[0]) for path in paths]
        self.dual_gap_ = float(gaps[0]) if one else gaps
        self.n_iter_ = counts[0] if one else counts
        task.done(lambda: {"coef_": self.coef_, "intercept_": self.intercept_})
        if not all(path.converged.all() or path.stopped for path in paths):
            warn_about_gap(type(self).__name__, float(gaps.max()), self.max_iter)
        return self

    def _start(self, target: int, d: int) -> Any:
        """Return the previous fit's coefficients of a target if requested and of length d."""
        coef = getattr(self, "coef_", None) if self.warm_start else None
        if coef is None or coef.shape[-1] != d or target >= len(np.atleast_2d(coef)):
            return None
        return np.atleast_2d(coef)[target].astype(np.float64)

    @property
    def sparse_coef_(self) -> sp.csr_array:
        """The coefficients as a sparse array."""
        return sp.csr_array(np.atleast_2d(self.coef_))


def _state(
    done: list[Path], coef: Vector, intercept: float, shape: tuple[int, int], one: bool
) -> dict[str, Any]:
    coefs, intercepts = np.zeros(shape), np.zeros(shape[0])
    for k, path in enumerate(done):
        coefs[k], intercepts[k] = path.coef[0], path.intercept[0]
    coefs[len(done)], intercepts[len(done)] = coef, intercept
    if one:
        return {"coef_": coefs[0], "intercept_": float(intercepts[0])}
    return {"coef_": coefs, "intercept_": intercepts}


def warn_about_gap(owner: str, gap: float, max_iter: int) -> None:
    """Warn that the duality gap did not reach the tolerance."""
    warnings.warn(
        f"{owner}: the duality gap is still {gap:.3g} after max_iter={max_iter} cycles; raise "
        "max_iter or tol, scale the columns, or use a larger alpha.",
        ConvergenceWarning,
        stacklevel=caller_level(),
    )
