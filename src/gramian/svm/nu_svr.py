"""Support vector regression with nu, a fraction of errors, in place of epsilon."""

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, params
from gramian.base.types import Floats, Matrix
from gramian.svm.dual_machines import Machines, Solved, fill_to_total
from gramian.svm.epsilon_tube_regressor import EpsilonTubeRegressor
from gramian.svm.kernel_machine import NuFraction


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
class NuSVR(EpsilonTubeRegressor):
    """Support vector regression whose tube contains all but a fraction nu of the rows.

    As `SVR`, with the half width epsilon chosen by the fit (Scholkopf et al. 2000)::

        minimise  1/2 |w|^2 + C (nu n epsilon + sum_i max(0, |y_i - f(x_i)| - epsilon)).

    nu is an upper bound on the fraction of rows outside the tube, and a lower bound on that of
    support vectors. In the dual, alpha and alpha* both sum to C nu W / 2, W the weight of the rows.

    Parameters
    ----------
    nu
        The fraction, in (0, 1].

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
    nu: NuFraction = 0.5

    def _machines(self, rows: npt.NDArray[np.int32], targets: Matrix, upper: Floats) -> Machines:
        start = fill_to_total(upper, self.nu * float(upper.sum()) / 2)
        return Machines.one(
            rows,
            np.repeat([1.0, -1.0], len(rows)),
            np.tile(upper, 2),
            np.tile(-targets, 2).astype(np.float64),
            np.tile(start, 2),
            halves=2,
            by_sign=True,
        )

    def _set_extra(self, solved: Solved) -> None:
        self.epsilon_ = -float(solved.r[0])
