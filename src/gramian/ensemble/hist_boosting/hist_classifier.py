"""Classification by gradient boosting over histograms."""

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.errors import DataError
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
from gramian.base.kinds import Classifier
from gramian.base.targets import check_labels
from gramian.base.types import Floats, Weights
from gramian.base.weights import weigh_classes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import classification_loss
from gramian.ensemble.common.options import CustomLoss, Sets
from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


@params
class HistGradientBoostingClassifier(Classifier, HistGradientBoosting):
    """Gradient boosting of regression trees over histograms, for classes.

    Adds trees f_t, each a step of Newton's method in function space, to a constant,

        z(x) = z_0 + eta sum_t f_t(x);

    tree t fits the slopes of the loss at the scores before it. Two classes share one score, the
    posterior is P(1 | x) = 1 / (1 + e^-z); more classes have a score and a tree per iteration
    each, and the posterior is the softmax of the scores. Columns are cut into at most 255 bins, so
    a split costs one pass over the rows of its smaller child. Missing values go where they gain
    most; categories are split into two sets. The trees do not depend on the number of threads.
    Friedman 2001; Ke et al. 2017.

    Parameters
    ----------
    loss
        "log_loss"; "exponential" (two classes: AdaBoost's loss, less robust to wrong labels); or
        your own: a function of targets (0 or 1, or class numbers) and scores that returns gradient
        and hessian, or a loss of `gramian.objectives`.
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
    class_weight
        Weights of the classes by a dict, or "balanced".
    leaf_steps
        Newton steps per leaf. More than one lets each tree say all it can, so that fewer trees
        do; it costs a pass over the rows each.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes, sorted.
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
        These scores, first that of the start; empty where there are none.
    is_categorical_ : array of shape (d,) or None
        Which columns hold categories.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistGradientBoostingClassifier
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingClassifier().fit(X, np.where(X[:, 0] < 50, "low", "high"))
    >>> model.predict([[10.0], [90.0]])
    array(['low', 'high'], dtype='<U4')
    """

    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"
    _: KW_ONLY
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
    class_weight: dict[Any, float] | Literal["balanced"] | None = None
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
            Their classes.
        sample_weight : array of shape (n,), optional
            How much each row counts; a row of weight 0 counts nowhere.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows to stop by.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : HistGradientBoostingClassifier
            The fitted model.
        """
        self._fit(X, y, sample_weight, X_val, y_val, sample_weight_val)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        return self._decided(self._scores(self._table(X)))

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior of each class.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
            Columns in the order of ``classes_``.
        """
        return self._posterior(self._scores(self._table(X)))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores z(x).

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._table(X)
        return self._shown(self._scores(table)).astype(table.dtype, copy=False)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first iteration, the first two, and so on.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        for scores in self._staged_scores(self._table(X)):
            yield self._decided(scores)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Return the posteriors after the first iteration, the first two, and so on.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        p : array of shape (m, n_classes)
        """
        for scores in self._staged_scores(self._table(X)):
            yield self._posterior(scores)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Return the scores after the first iteration, the first two, and so on.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._table(X)
        for scores in self._staged_scores(table):
            yield self._shown(scores).astype(table.dtype, copy=False)

    def _shown(self, scores: Floats) -> Floats:
        return scores[0] if len(scores) == 1 else np.ascontiguousarray(scores.T)

    def _decided(self, scores: Floats) -> npt.NDArray[Any]:
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, scores.shape[1])
        two = len(scores) == 1
        code = (scores[0] > 0).astype(np.intp) if two else scores.argmax(axis=0)
        decided: npt.NDArray[Any] = self.classes_[code]
        return decided

    def _posterior(self, scores: Floats) -> Floats:
        if len(self.classes_) == 1:
            return np.ones((scores.shape[1], 1))
        p = self._loss().mean(scores)
        return np.column_stack([1 - p[0], p[0]]) if len(p) == 1 else np.ascontiguousarray(p.T)

    def _encode(self, y: Any, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        before = getattr(self, "classes_", classes) if self.warm_start else classes
        if not np.array_equal(before, classes):
            raise DataError(
                f"{type(self).__name__}: with warm_start the classes must be those of the fit "
                f"before, {before.tolist()}; got {classes.tolist()}."
            )
        self.classes_ = classes
        return codes.astype(np.float64)

    def _encode_new(self, y: Any, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        unknown = np.setdiff1d(classes, self.classes_).tolist()
        if unknown:
            raise DataError(
                f"{type(self).__name__}: y_val holds {unknown[0]!r}, which is no class of y."
            )
        return np.searchsorted(self.classes_, classes)[codes].astype(np.float64)

    def _loss(self) -> BoostingLoss:
        return classification_loss(self.loss, len(self.classes_), type(self).__name__)

    def _all_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        owner, codes = type(self).__name__, y.astype(np.intp)
        return weigh_classes(owner, self.class_weight, codes, self.classes_, weights)

    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[y.astype(np.intp)]
        return labels
