"""Support vector regression with a fraction of errors in place of the width of the tube."""

from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, params
from gramian.base.gate import check_size
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Matrix, Table
from gramian.base.weights import check_weights
from gramian.svm.dual_machines import Machines, fill_up
from gramian.svm.kernel_machine import Finite, Share
from gramian.svm.single_machine import SingleMachine, rows_of_weight


@params(
    first=(
        "nu",
        "C",
        "kernel",
        "degree",
        "gamma",
        "coef0",
        "shrinking",
        "tol",
        "cache_size",
        "verbose",
        "max_iter",
    )
)
class NuSVR(SingleMachine, Regressor):
    """Support vector regression whose tube holds all but a fraction nu of the rows.

    As `SVR`, with the half width epsilon chosen by the fit (Scholkopf et al. 2000)::

        minimise  1/2 |w|^2 + C (nu n epsilon + sum_i max(0, |y_i - f(x_i)| - epsilon)).

    nu is an upper bound on the fraction of rows outside the tube, and a lower bound on that of
    support vectors. In the dual, alpha and alpha* both sum to C nu W / 2, W the weight of the rows.

    Parameters
    ----------
    nu
        The fraction, in (0, 1].
    C
        Cost of errors outside the tube, the inverse of the regularisation strength.

    Attributes
    ----------
    epsilon_ : float
        Half the width of the tube.

    Examples
    --------
    >>> from gramian import NuSVR
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> NuSVR(nu=0.5, C=10.0, kernel="linear").fit(X, y).predict([[1.5]]).round(6)
    array([1.5])
    """

    _: KW_ONLY
    nu: Share = 0.5
    C: Finite = 1.0

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
        upper = self.C * of_rows
        start = fill_up(upper, self.nu * float(upper.sum()) / 2)
        machines = Machines(
            [rows],
            [np.repeat([1.0, -1.0], len(rows))],
            [np.tile(upper, 2)],
            [np.tile(-targets[rows], 2)],
            [np.tile(start, 2)],
            halves=2,
            by_sign=True,
        )
        self.epsilon_ = -float(self._solve(table, rows, machines).r[0])
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
