"""Elastic net: least squares with an l1 and a squared penalty."""

from typing import Literal, Self

import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.fields import KW_ONLY, Array, Count, Fraction, NonNegative, Seed, params
from gramian.linear_model.lasso.lasso_base import ShrunkenRegressor


@params
class ElasticNet(ShrunkenRegressor):
    """Least squares with a mixture of the l1 and the squared penalty.

    Minimises

        1/(2 W) sum_i w_i (y_i - b - x_i'c)^2
            + alpha l1_ratio |c|_1 + alpha (1 - l1_ratio)/2 |c|^2,

    W the total weight (Zou and Hastie 2005). The l1 part makes coefficients exactly 0, the
    squared part lets correlated columns share a coefficient. Solved on working sets: the columns
    that pull hardest enter a Gram matrix, active sets give the exact minimum over them, and the
    duality gap of the whole problem says when to stop. Tall tables are read once. The best point
    so far is kept, so that the cost never rises with `max_iter`.

    Parameters
    ----------
    alpha
        Strength of the penalty.
    l1_ratio
        Share of the l1 penalty: 1 is `Lasso`, 0 is ridge.
    fit_intercept
        Whether there is an intercept b, which is not penalised.
    precompute
        The way is chosen by shape; kept so that scikit-learn's calls work.
    max_iter
        Cycles of coordinate descent at most.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
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
    ElasticNetCV : chooses alpha and l1_ratio.
    gramian.linear_model.enet_path : all alphas of a grid.

    Examples
    --------
    >>> from gramian import ElasticNet
    >>> X, y = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [1.0, 2.0, 3.0]
    >>> ElasticNet(alpha=0.1).fit(X, y).coef_.round(4)        # equal columns share
    array([0.4458, 0.4458])
    """

    alpha: NonNegative = 1.0
    _: KW_ONLY
    l1_ratio: Fraction = 0.5
    fit_intercept: bool = True
    precompute: bool | Array = False
    max_iter: Count = 1000
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
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
        return self._fit_shrunken(X, y, sample_weight, self.alpha, self.l1_ratio)
