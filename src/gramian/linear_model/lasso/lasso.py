"""The lasso: least squares with an l1 penalty."""

from typing import Literal, Self

import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, Seed, params
from gramian.linear_model.lasso.lasso_base import ShrunkenRegressor


@params
class Lasso(ShrunkenRegressor):
    """Least squares with an l1 penalty, which makes coefficients exactly 0.

    Minimises

        1/(2 W) sum_i w_i (y_i - b - x_i'c)^2 + alpha |c|_1,

    W the total weight (Tibshirani 1996; Hastie, Tibshirani and Friedman 2009, 3.4.2). Books that
    write |y - Xc|^2 + lambda |c|_1 mean lambda = 2 n alpha. Solved as `ElasticNet` is.

    Parameters
    ----------
    alpha
        Strength of the penalty; 0 is least squares.
    fit_intercept
        Whether there is an intercept b, which is not penalised.
    precompute
        The way is chosen by shape; kept so that scikit-learn's calls work.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    max_iter
        Cycles of coordinate descent at most.
    tol
        Stop where the duality gap is at most this part of sum_i w_i (y_i - mean)^2 / W.
    warm_start
        Start from the last fit's coefficients.
    positive
        Whether to require coefficients >= 0.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.
    selection
        The minimum is the same for any order of the coordinates; kept so that scikit-learn's
        calls work.

    Attributes
    ----------
    coef_ : array (d,) or (targets, d)
        The coefficients c.
    intercept_ : float or array (targets,)
        The intercept b.
    dual_gap_ : float or array (targets,)
        How far the cost may lie above its minimum, at most.
    n_iter_ : int or list
        Cycles made, per target.

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

    alpha: NonNegative = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    precompute: bool | Array = False
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    max_iter: Count = 1000
    tol: NonNegative = 1e-4
    warm_start: bool = False
    positive: bool = False
    random_state: Seed = None
    selection: Literal["cyclic", "random"] = "cyclic"

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit to rows.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d); Fortran order and CSC are read as they are.
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        return self._fit_shrunken(X, y, sample_weight, self.alpha, 1.0)
