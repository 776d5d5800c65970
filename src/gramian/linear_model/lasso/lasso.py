"""The lasso: least squares with an l1 penalty."""

from gramian.base.fields import params
from gramian.linear_model.lasso.lasso_base import LassoBase
from gramian.linear_model.lasso.lasso_path import enet_path


@params(first=("fit_intercept", "precompute", "copy_X", "max_iter", "tol", "warm_start"))
class Lasso(LassoBase):
    """Least squares with an l1 penalty, which makes coefficients exactly 0.

    Minimises

        1/(2 W) sum_i w_i (y_i - b - x_i'c)^2 + alpha |c|_1,

    W the total weight (Tibshirani 1996; Hastie, Tibshirani and Friedman 2009, 3.4.2). Books that
    write |y - Xc|^2 + lambda |c|_1 mean lambda = 2 n alpha. The solver is that of `ElasticNet`.

    See Also
    --------
    LassoCV : chooses alpha.
    gramian.linear_model.lasso_path : all alphas of a grid.

    Examples
    --------
    >>> from gramian import Lasso
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0.0, 1.0, 2.0]
    >>> Lasso(alpha=0.1).fit(X, y).coef_.round(4)
    array([0.85, 0.  ])
    """

    path = staticmethod(enet_path)

    def _l1_ratio(self) -> float:
        return 1.0
