"""The parameters that lasso, elastic net and their cross-validation share."""

from typing import Literal

from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, Seed, params
from gramian.base.kinds import Estimator


@params
class LassoParams(Estimator):
    """Parameters of coordinate descent with a duality gap.

    Parameters
    ----------
    fit_intercept
        Whether to fit an intercept b, which is not penalised.
    precompute
        Ignored; present for scikit-learn compatibility.
    copy_X
        Ignored; present for scikit-learn compatibility.
    max_iter
        Maximum number of coordinate descent cycles.
    tol
        Stop when the duality gap is at most `tol` times sum_i w_i (y_i - mean)^2 / W.
    positive
        Whether to require coefficients >= 0.
    random_state
        Ignored; present for scikit-learn compatibility.
    selection
        Ignored; present for scikit-learn compatibility.
    """

    _: KW_ONLY
    fit_intercept: bool = True
    precompute: bool | Literal["auto"] | Array = False
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    max_iter: Count = 1000
    tol: NonNegative = 1e-4
    positive: bool = False
    random_state: Seed = None
    selection: Literal["cyclic", "random"] = "cyclic"
