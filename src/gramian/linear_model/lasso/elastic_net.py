"""Elastic net: least squares with an l1 and a squared penalty."""

from gramian.base.fields import KW_ONLY, Fraction, params
from gramian.linear_model.lasso.lasso_base import LassoBase
from gramian.linear_model.lasso.lasso_path import enet_path


@params(
    first=("l1_ratio", "fit_intercept", "precompute", "max_iter", "copy_X", "tol", "warm_start")
)
class ElasticNet(LassoBase):
    """Least squares with a mixture of the l1 and the squared penalty.

    Minimises

        1/(2 W) sum_i w_i (y_i - b - x_i'c)^2
            + alpha l1_ratio |c|_1 + alpha (1 - l1_ratio)/2 |c|^2,

    W the total weight (Zou and Hastie 2005). The l1 part makes coefficients exactly 0; the
    squared part gives correlated columns similar coefficients. The solver uses working sets: the
    columns with the largest gradients enter a Gram matrix, an active-set method finds the exact
    minimum over them, and the duality gap of the whole problem decides when to stop. Tall tables
    are read once. The best point so far is kept, so the cost never rises with `max_iter`.

    Parameters
    ----------
    alpha
        Strength of the penalty.
    l1_ratio
        Fraction of the l1 penalty: 1 is `Lasso`, 0 is ridge.

    See Also
    --------
    ElasticNetCV : chooses alpha and l1_ratio.
    gramian.linear_model.enet_path : all alphas of a grid.

    Examples
    --------
    >>> from gramian import ElasticNet
    >>> X, y = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [1.0, 2.0, 3.0]
    >>> ElasticNet(alpha=0.1).fit(X, y).coef_.round(4)        # equal columns, equal coefficients
    array([0.4458, 0.4458])
    """

    path = staticmethod(enet_path)

    _: KW_ONLY
    l1_ratio: Fraction = 0.5

    def _l1_ratio(self) -> float:
        return self.l1_ratio
