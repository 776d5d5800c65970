"""The parameters that linear support vector machines share."""

from gramian.base.fields import (
    KW_ONLY,
    Count,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.kinds import Estimator


@params
class LinearSVM(Estimator):
    """A linear support vector machine, for classification or regression.

    Parameters
    ----------
    tol
        Stop when no row violates its optimality condition by more than this.
    C
        Cost of slack, the inverse of the regularisation strength.
    fit_intercept
        Whether to fit a bias b.
    intercept_scaling
        Value of the constant column whose weight is the penalised bias; with large values the bias
        is hardly penalised.
    verbose
        Whether to print a line for each class or, for regression, at the end.
    random_state
        Seed for the order of the coordinates; it changes the result within `tol` only.
    max_iter
        Maximum number of sweeps.
    """

    parametric = True

    _: KW_ONLY
    tol: NonNegative = 1e-4
    C: Positive = 1.0
    fit_intercept: bool = True
    intercept_scaling: Positive = 1.0
    verbose: bool | NonNegativeInt = 0
    random_state: Seed = None
    max_iter: Count = 1000
