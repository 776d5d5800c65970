"""Base class of support vector regression."""

from abc import abstractmethod
from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor
from gramian.base.types import Floats, Matrix, Table
from gramian.svm.dual_machines import Machines, Solved
from gramian.svm.kernel_machine import FinitePositive, KernelMachine
from gramian.svm.single_machine import SingleMachine, weighted_rows


@params
class EpsilonTubeRegressor(SingleMachine, KernelMachine, Regressor):
    """Base class of regression that ignores errors inside a tube around the function.

    Parameters
    ----------
    C
        Cost of errors outside the tube, the inverse of the regularisation strength.
    """

    _: KW_ONLY
    C: FinitePositive = 1.0

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to rows with numeric targets.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d), or the square matrix of kernel values.
        y
            Numeric targets.
        sample_weight
            Weights >= 0 that multiply C; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = self._check_rows(X)
        n = table.shape[0]
        targets = check_targets(self, y, n)
        check_size(self, "y", targets)
        weights = check_weights(self, sample_weight, n)
        self._set_gamma(table, weights)
        rows, row_weights = weighted_rows(weights, n)
        machines = self._machines(rows, targets[rows], self.C * row_weights)
        self._set_extra(self._solve(table, rows, machines))
        return self

    @abstractmethod
    def _machines(self, rows: npt.NDArray[np.int32], targets: Matrix, upper: Floats) -> Machines:
        """Return the dual problem, alpha before alpha*."""

    def _set_extra(self, solved: Solved) -> None:
        """Set further attributes from the solution."""

    def predict(self, X: Table) -> Matrix:
        """Return the prediction for each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d), or the kernel values (m, n) between new and training rows.

        Returns
        -------
        predictions : array (m,)
        """
        check_is_fitted(self)
        return self._score(X)
