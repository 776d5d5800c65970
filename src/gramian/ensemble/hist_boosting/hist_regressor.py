"""Regression by gradient boosting over histograms."""

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Function,
    Interval,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Floats, Matrix, Weights
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.common.options import CustomLoss, Sets
from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


@params
class HistGradientBoostingRegressor(Regressor, HistGradientBoosting):
    """Gradient boosting of regression trees over histograms.

    Adds trees f_t, each a step of Newton's method in function space, to a constant,

        z(x) = z_0 + eta sum_t f_t(x);

    tree t fits the slopes of the loss at the scores before it. Columns are cut into at most 255
    bins, so a split costs one pass over the rows of its smaller child. Missing values go where
    they gain most; categories are split into two sets. The prediction is z(x), or e^z(x) for
    "poisson" and "gamma". The trees do not depend on the number of threads. Friedman 2001; Ke
    et al. 2017.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "quantile", "poisson" (y >= 0), "gamma" (y > 0), or
        your own: a function of targets and scores that returns gradient and hessian, or a loss of
        `gramian.objectives`.
    quantile
        The level, for loss="quantile".
    learning_rate
        The share eta of each tree's step that is taken; smaller wants more trees.
    max_iter
        Most trees (per score).
    max_leaf_nodes
        Most leaves of a tree; None for no limit.
    max_depth
        Most splits above a leaf; None for no limit.
    min_samples_leaf
        Least rows of a leaf.
    l2_regularization
        l2: the penalty on the values of leaves.
    max_features
        Share of the columns that each node may look at, drawn at random.
    max_bins
        Most bins of a column, besides that of missing values.
    categorical_features
        Which columns hold categories: "from_dtype" (text and category columns of a frame), None,
        numbers, names or a mask of the columns.
    monotonic_cst
        1 where the prediction may only rise with a column, -1 where it may only fall, 0
        elsewhere: one per column, or a dict by column name.
    interaction_cst
        Sets of columns that may meet in one branch; "pairwise" or "no_interactions" for all sets
        of two or one.
    warm_start
        Whether fit goes on from the trees of the fit before; give the same data.
    early_stopping
        Whether to stop when the score no longer improves; "auto" does with more than 10 000 rows
        or a given X_val.
    scoring
        What is looked at to stop: "loss", a scorer or its name; None is the model's `score`.
    validation_fraction
        Rows (share or number) set aside to stop by; None looks at the training rows. Unused
        where X_val is given.
    n_iter_no_change
        Trees without improvement that are borne.
    tol
        The least improvement that counts.
    verbose
        Above 0, a line for every tree is printed.
    random_state
        Where chance comes from.
    leaf_steps
        Newton steps per leaf. More than one lets a tree of a curved loss ("poisson", "gamma")
        say all it can; it costs a pass over the rows each.

    Attributes
    ----------
    n_iter_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        Scores, and trees, per iteration.
    predictors_ : list of lists of `gramian.tree.Tree`
        The trees of every iteration, one per score, with thresholds of X.
    feature_importances_ : array of shape (d,)
        Each column's share of what all splits gained.
    feature_counts_ : array of shape (d,)
        How many splits ask for each column.
    do_early_stopping_ : bool
        Whether the fit looked at scores to stop.
    train_score_, validation_score_ : arrays of shape (n_iter_ + 1,)
        These scores, first that of the start; empty where there are none. Losses are those of
        y / 2^k, |y| < 2^k, where y is beyond 2^60 or below 2^-60.
    is_categorical_ : array of shape (d,) or None
        Which columns hold categories.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistGradientBoostingRegressor
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingRegressor().fit(X, np.where(X[:, 0] < 50, 1.0, 3.0))
    >>> model.predict([[10.0], [90.0]]).round(3)
    array([1., 3.])
    """

    loss: (
        Literal["squared_error", "absolute_error", "quantile", "poisson", "gamma"] | CustomLoss
    ) = "squared_error"
    _: KW_ONLY
    quantile: Annotated[float, Interval(Real, 0, 1)] | None = None
    learning_rate: Positive = 0.1
    max_iter: NonNegativeInt = 100
    max_leaf_nodes: Annotated[int, Interval(Integral, 2)] | None = 31
    max_depth: Count | None = None
    min_samples_leaf: Count = 20
    l2_regularization: NonNegative = 0.0
    max_features: Annotated[float, Interval(Real, 0, 1, open_low=True)] = 1.0
    max_bins: Annotated[int, Interval(Integral, 2, 255)] = 255
    categorical_features: Literal["from_dtype"] | Array | None = "from_dtype"
    monotonic_cst: Array | dict[str, int] | None = None
    interaction_cst: Literal["pairwise", "no_interactions"] | Sets | None = None
    warm_start: bool = False
    early_stopping: Literal["auto"] | bool = "auto"
    scoring: str | Function | None = "loss"
    validation_fraction: Count | Annotated[float, Interval(Real, 0, 1, True, True)] | None = 0.1
    n_iter_no_change: Count = 10
    tol: NonNegative = 1e-7
    verbose: bool | NonNegativeInt = 0
    random_state: Seed = None
    leaf_steps: Count = 1

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: Any = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows; NaN is a missing value.
        y : array of shape (n,)
            Their targets.
        sample_weight : array of shape (n,), optional
            How much each row counts; a row of weight 0 counts nowhere.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows to stop by.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : HistGradientBoostingRegressor
            The fitted model.
        """
        self._fit(X, y, sample_weight, X_val, y_val, sample_weight_val)
        return self

    def predict(self, X: Any) -> Floats:
        """Predict the target of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = self._table(X)
        return self._prediction(self._scores(table), table)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Predict with the first tree, the first two, and so on.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table = self._table(X)
        for scores in self._staged_scores(table):
            yield self._prediction(scores, table)

    def _prediction(self, scores: Floats, table: Matrix) -> Floats:
        """Return the predictions, with the precision of X where it has room for them."""
        dtype = np.float64 if self._units else table.dtype
        return np.asarray(self._loss().mean(scores)[0], dtype=dtype)

    def _encode(self, y: Any, n: int) -> Floats:
        return np.asarray(check_targets(self, y, n), dtype=np.float64)

    _encode_new = _encode

    def _loss(self) -> BoostingLoss:
        owner = type(self).__name__
        if (self.loss == "quantile") != (self.quantile is not None):
            raise ParameterError(
                f"{owner}: quantile must be a number in [0, 1] for loss='quantile' and None for "
                f"any other loss; got {self.quantile!r} with loss={self.loss!r}."
            )
        return regression_loss(self.loss, self.quantile, owner)

    def _all_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        del y
        return weights

    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        return y
