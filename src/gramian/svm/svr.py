"""Support vector regression with kernels."""

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Floats, Matrix
from gramian.svm.dual_machines import Machines
from gramian.svm.epsilon_tube_regressor import EpsilonTubeRegressor


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
class SVR(EpsilonTubeRegressor):
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
    epsilon: NonNegative = 0.1

    def _machines(self, rows: npt.NDArray[np.int32], targets: Matrix, upper: Floats) -> Machines:
        return Machines.one(
            rows,
            np.repeat([1.0, -1.0], len(rows)),
            np.tile(upper, 2),
            np.concatenate([self.epsilon - targets, -self.epsilon - targets]).astype(np.float64),
            np.zeros(2 * len(rows)),
            halves=2,
        )
