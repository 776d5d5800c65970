"""What lasso and elastic net share: targets one by one, the gap and the warning about it."""

import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.gate import check_fit, check_weights
from gramian.base.labels import check_targets
from gramian.linear.model import LinearRegressor
from gramian.linear.sparse_problem import SparseProblem


class ShrunkenRegressor(LinearRegressor):
    """A linear regressor with an l1 penalty."""

    fit_intercept: bool
    max_iter: int
    tol: float
    positive: bool
    warm_start: bool

    def _fit_shrunken(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        alpha: float,
        l1_ratio: float,
    ) -> Self:
        table = check_fit(self, X, any_order=True)
        targets = check_targets(self, y, table.shape[0], columns=True)
        weights = check_weights(self, sample_weight, table.shape[0])
        problem = SparseProblem(table, weights, centre=bool(self.fit_intercept))
        columns = targets.reshape(len(targets), -1).T
        paths = [
            problem.path(
                np.ascontiguousarray(column),
                alpha * l1_ratio,
                alpha * (1 - l1_ratio),
                positive=bool(self.positive),
                tol=self.tol,
                max_iter=self.max_iter,
                start=self._start(k, table.shape[1]),
            )
            for k, column in enumerate(columns)
        ]
        one = targets.ndim == 1
        coef = np.concatenate([path.coef for path in paths])
        intercept = np.concatenate([path.intercept for path in paths])
        self._set_model(coef, intercept, table.dtype, one)
        gaps = np.concatenate([path.gaps for path in paths])
        counts = [int(path.n_iter[0]) for path in paths]
        self.dual_gap_ = float(gaps[0]) if one else gaps
        self.n_iter_ = counts[0] if one else counts
        if not all(path.converged.all() for path in paths):
            warn_of_gap(type(self).__name__, float(gaps.max()), self.max_iter, stacklevel=3)
        return self

    def _start(self, target: int, d: int) -> Any:
        """Return the last fit's coefficients of a target, if asked for and if they fit."""
        coef = getattr(self, "coef_", None) if self.warm_start else None
        if coef is None or coef.shape[-1] != d or target >= len(np.atleast_2d(coef)):
            return None
        return np.atleast_2d(coef)[target].astype(np.float64)

    @property
    def sparse_coef_(self) -> sp.csr_array:
        """The coefficients as a sparse array."""
        return sp.csr_array(np.atleast_2d(self.coef_))


def warn_of_gap(owner: str, gap: float, max_iter: int, *, stacklevel: int) -> None:
    """Say that the gap did not reach the tolerance."""
    warnings.warn(
        f"{owner}: the duality gap is still {gap:.3g} after max_iter={max_iter} cycles; raise "
        "max_iter or tol, scale the columns, or take a larger alpha.",
        ConvergenceWarning,
        stacklevel=stacklevel + 1,
    )
