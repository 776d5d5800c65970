"""Kernel machines with one score: regression and outlier detection."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_new
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.svm.dual_machines import Machines, Solved

if TYPE_CHECKING:
    from gramian.svm.kernel_machine import KernelMachine as _Mixed  # the extended class
else:
    _Mixed = object


class SingleMachine(_Mixed):
    """A kernel machine with one score.

    Attributes
    ----------
    dual_coef_ : array (1, n_sv)
        The coefficients of the support vectors.
    intercept_ : array (1,)
        The constant of the score.
    n_support_ : array (1,)
        Number of support vectors.
    n_iter_ : int
        Number of steps.
    objective_ : float
        Value of the dual objective, which is minimised.
    """

    def _solve(self, table: Data, rows: npt.NDArray[np.int32], machines: Machines) -> Solved:
        """Solve the machine on these rows and set the fitted attributes."""
        n = table.shape[0]
        solved, alpha = machines.solve(
            self._points(table, float(machines.upper.max())), self._settings(n)
        )
        self._report(solved, n)
        signed: Floats = (machines.sign * alpha).reshape(machines.halves, len(rows)).sum(axis=0)
        held = np.flatnonzero(signed)
        self._set_support(table, rows[held])
        self.dual_coef_ = np.ascontiguousarray(signed[None, held])
        self.intercept_ = -solved.rho + 0.0
        self.n_support_ = np.array([len(held)], dtype=np.int32)
        self.n_iter_ = int(solved.steps[0])
        self.objective_ = float(solved.values[0])
        return solved

    def _score(self, X: Table) -> Matrix:
        scores = self._raw_scores(check_new(self, X), self.dual_coef_, self.intercept_)[:, 0]
        return np.asarray(scores, dtype=self._output_type())

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if hasattr(self, "dual_coef_") and (
            self.dual_coef_.shape[0] != 1 or self.intercept_.shape != (1,)
        ):
            raise DataError(f"{type(self).__name__}: dual_coef_ and intercept_ must have one row.")


def weighted_rows(weights: Floats | None, n: int) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return the rows of positive weight and their weights."""
    if weights is None:
        return np.arange(n, dtype=np.int32), np.ones(n)
    rows = np.flatnonzero(weights > 0).astype(np.int32)
    return rows, weights[rows]
