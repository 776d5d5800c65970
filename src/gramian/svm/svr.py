"""Support vector regression with kernels."""

from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.gate import check_size
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Matrix, Table
from gramian.base.weights import check_weights
from gramian.svm.dual_machines import Machines
from gramian.svm.kernel_machine import Finite
from gramian.svm.single_machine import SingleMachine, rows_of_weight


@params(
    first=(
        "kernel",
        "degree",
        "gamma",
        "coef0",
        "tol",
        "C",
        "epsilon",
        "shrinking",
        "cache_size",
        "verbose",
        "max_iter",
    )
)
class SVR(SingleMachine, Regressor):
    """Support vector regression with a kernel.

    Errors inside a tube of half width epsilon around f(x) = w . phi(x) + b cost nothing::

        minimise  1/2 |w|^2 + C sum_i omega_i max(0, |y_i - f(x_i)| - epsilon),

    by the dual over b_i = alpha_i - alpha_i* (Vapnik 1998)::

        minimise  1/2 sum_ij b_i b_j k(x_i, x_j) - sum_i b_i y_i + epsilon sum_i |b_i|
        subject to  0 <= alpha_i, alpha_i* <= C omega_i,   sum_i b_i = 0.

    The prediction is sum_i b_i k(x_i, x) + b. Both variables of a row share its kernel values. The
    solver is that of `SVC`; results are bitwise identical for any number of threads.

    Parameters
    ----------
    C
        Cost of errors outside the tube, the inverse of the regularisation strength.
    epsilon
        Half the width of the tube.

    Examples
    --------
    >>> from gramian import SVR
    >>> line = SVR(kernel="linear", epsilon=0.25, C=10.0).fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    >>> line.predict([[0.0], [2.0]]).round(6)
    array([0.25, 1.75])
    """

    _: KW_ONLY
    C: Finite = 1.0
    epsilon: NonNegative = 0.1

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
        rows, of_rows = rows_of_weight(weights, n)
        z, m = targets[rows], len(rows)
        machines = Machines(
            [rows],
            [np.repeat([1.0, -1.0], m)],
            [np.tile(self.C * of_rows, 2)],
            [np.concatenate([self.epsilon - z, -self.epsilon - z])],
            [np.zeros(2 * m)],
            halves=2,
        )
        self._solve(table, rows, machines)
        return self

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
