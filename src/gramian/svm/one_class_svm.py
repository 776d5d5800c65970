"""One-class support vector machine, for outlier detection."""

from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import OutlierDetector
from gramian.base.types import Matrix, Table
from gramian.svm.dual_machines import Machines, fill_to_total
from gramian.svm.kernel_machine import KernelMachine, NuFraction
from gramian.svm.single_machine import SingleMachine, weighted_rows


@params(
    first=(
        "kernel",
        "degree",
        "gamma",
        "coef0",
        "tol",
        "nu",
        "shrinking",
        "cache_size",
        "verbose",
        "max_iter",
    )
)
class OneClassSVM(SingleMachine, KernelMachine, OutlierDetector):
    """Outlier detection: a region that contains all but a fraction nu of the rows.

    Finds the hyperplane in the space of the kernel that is farthest from the origin with most rows
    beyond it (Scholkopf et al. 2001)::

        minimise  1/2 |w|^2 - rho + 1 / (nu n) sum_i omega_i max(0, rho - w . phi(x_i)).

    nu is an upper bound on the fraction of training rows outside, and a lower bound on that of
    support vectors. The dual has 0 <= alpha_i <= omega_i and sum_i alpha_i = nu W, W the weight of
    the rows. The solver is that of `SVC`.

    Parameters
    ----------
    nu
        The fraction, in (0, 1].

    Attributes
    ----------
    offset_ : float
        `score_samples` minus `decision_function`.

    Examples
    --------
    >>> from gramian import OneClassSVM
    >>> region = OneClassSVM(nu=0.3, gamma=1.0).fit([[0.0], [0.1], [0.2], [0.3], [5.0]])
    >>> region.predict([[0.15], [9.0]])
    array([ 1, -1])
    """

    _: KW_ONLY
    nu: NuFraction = 0.5

    _sums_to_zero: ClassVar[bool] = False  # the coefficients sum to nu W

    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d), or the square matrix of kernel values.
        y
            Ignored; present for scikit-learn compatibility.
        sample_weight
            Weights >= 0; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = self._check_rows(X)
        n = table.shape[0]
        weights = check_weights(self, sample_weight, n)
        self._set_gamma(table, weights)
        rows, upper = weighted_rows(weights, n)
        m = len(rows)
        machines = Machines.one(
            rows,
            np.ones(m),
            upper,
            np.zeros(m),
            fill_to_total(upper, self.nu * float(upper.sum())),
        )
        self._solve(table, rows, machines)
        self.offset_ = -float(self.intercept_[0])
        return self

    def decision_function(self, X: Table) -> Matrix:
        """Return the score of each row, positive inside.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d), or the kernel values (m, n) between new and training rows.

        Returns
        -------
        scores : array (m,)
        """
        check_is_fitted(self)
        return self._score(X)

    def score_samples(self, X: Table) -> Matrix:
        """Return sum_i alpha_i k(x_i, x) for each row: the score without its constant."""
        return np.asarray(self.decision_function(X) + self._output_type().type(self.offset_))

    def predict(self, X: Table) -> npt.NDArray[np.int64]:
        """Return 1 for rows inside and -1 for outliers."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
