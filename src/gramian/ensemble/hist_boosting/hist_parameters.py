"""Parameters shared by the histogram gradient boosting estimators."""

from dataclasses import fields
from numbers import Integral, Real
from typing import Annotated, Literal

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
from gramian.ensemble.common.options import CustomLoss, Sets


@params
class HistParameters:
    """Growth of trees on binned features, and early stopping.

    Parameters
    ----------
    learning_rate
        Learning rate eta, the factor of each tree; a smaller one needs more trees.
    max_iter
        Maximum number of iterations, that is, of trees per score.
    max_leaf_nodes
        Maximum number of leaves of a tree; None for no limit.
    max_depth
        Maximum number of splits above a leaf; None for no limit.
    min_samples_leaf
        Minimum number of rows in a leaf.
    l2_regularization
        L2 penalty on the leaf values.
    max_features
        Fraction of the features drawn at random for each node.
    max_bins
        Maximum number of bins of a feature, not counting the bin for missing values.
    categorical_features
        The categorical features: "from_dtype" (text and category columns of a frame), None,
        indices, names or a mask.
    monotonic_cst
        1 if the prediction must increase with a feature, -1 if it must decrease, 0 for no
        constraint: one entry per feature, or a dict by feature name.
    interaction_cst
        Sets of features that may interact in one branch; "pairwise" allows all pairs,
        "no_interactions" none.
    warm_start
        Whether to continue from the trees of the previous fit, on the same data.
    early_stopping
        Whether to stop when the score no longer improves; "auto" means yes with more than 10 000
        rows or with X_val, and no on a cluster.
    scoring
        Score that early stopping monitors: "loss", a scorer or its name; None for `score`.
    validation_fraction
        Rows held out for early stopping: a fraction or a number; None to use the training rows.
        Ignored with X_val.
    n_iter_no_change
        Iterations without improvement before stopping.
    tol
        Minimum increase of the score that counts as an improvement.
    verbose
        If above 0, print a line for every iteration.
    random_state
        Seed or generator for the random draws.
    leaf_steps
        Newton steps per leaf. More than one helps with curved losses ("log_loss", "poisson",
        "gamma"); each costs a pass over the rows.

    Attributes
    ----------
    n_iter_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        Number of scores, and of trees, per iteration.
    predictors_ : list of lists of `gramian.tree.Tree`
        The trees of every iteration, one per score, with thresholds in the units of X.
    feature_importances_ : array of shape (d,)
        Fraction of the total gain due to each feature.
    feature_counts_ : array of shape (d,)
        Number of splits on each feature.
    do_early_stopping_ : bool
        Whether early stopping was used.
    train_score_, validation_score_ : arrays of shape (n_iter_ + 1,)
        Scores after each iteration, starting before the first tree; empty without early stopping.
        For |y| beyond 2^60 or below 2^-60 (2^-20 for "poisson"), losses refer to y / 2^k, |y| <
        2^k.
    is_categorical_ : array of shape (d,) or None
        Which features are categorical.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    loss: str | CustomLoss = ""
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
    leaf_steps: Annotated[int, Interval(Integral, 1, 1000)] = 1


# The keyword-only parameters before leaf_steps in signatures.
KEYWORDS = tuple(field.name for field in fields(HistParameters)[1:-1])
