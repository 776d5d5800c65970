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
    """How trees are grown on binned features, and when boosting stops.

    Parameters
    ----------
    learning_rate
        The factor eta of each tree's step; a smaller one needs more trees.
    max_iter
        Maximum number of iterations: trees, per score.
    max_leaf_nodes
        Maximum number of leaves of a tree; None for no limit.
    max_depth
        Maximum number of splits above a leaf; None for no limit.
    min_samples_leaf
        Minimum number of rows in a leaf.
    l2_regularization
        The l2 penalty on the leaf values.
    max_features
        Fraction of the features considered at each node, drawn at random.
    max_bins
        Maximum number of bins of a feature, besides the one for missing values.
    categorical_features
        Which features are categorical: "from_dtype" (text and category columns of a frame), None,
        indices, names or a mask.
    monotonic_cst
        1 where the prediction increases with a feature, -1 where it decreases, 0 elsewhere: one
        entry per feature, or a dict by feature name.
    interaction_cst
        Sets of features that may interact in one branch; "pairwise" or "no_interactions" for all
        sets of two or one.
    warm_start
        Whether to continue from the trees of the previous fit; pass the same data.
    early_stopping
        Whether to stop when the score no longer improves; "auto" does with more than 10 000 rows
        or a given X_val, and never on a cluster.
    scoring
        What early stopping monitors: "loss", a scorer or its name; None for the model's `score`.
    validation_fraction
        Rows (a fraction or a number) held out for early stopping; None for the training rows. No
        effect where X_val is given.
    n_iter_no_change
        Iterations without improvement before stopping.
    tol
        Minimum improvement.
    verbose
        If above 0, print a line for every iteration.
    random_state
        Seed or generator for the random draws.
    leaf_steps
        Newton steps per leaf. More than one makes better use of each tree of a curved loss
        ("log_loss", "poisson", "gamma"); each costs a pass over the rows.

    Attributes
    ----------
    n_iter_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        Number of scores, and of trees, per iteration.
    predictors_ : list of lists of `gramian.tree.Tree`
        The trees of every iteration, one per score, with thresholds in the units of X.
    feature_importances_ : array of shape (d,)
        Each feature's fraction of the total gain.
    feature_counts_ : array of shape (d,)
        Number of splits on each feature.
    do_early_stopping_ : bool
        Whether early stopping was used.
    train_score_, validation_score_ : arrays of shape (n_iter_ + 1,)
        The scores, the first one before any tree; empty without early stopping. Losses are those
        of y / 2^k, |y| < 2^k, where y is beyond 2^60 or below 2^-60 (2^-20 for "poisson").
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


# The keyword-only parameters that precede leaf_steps in signatures.
KEYWORDS = tuple(field.name for field in fields(HistParameters)[1:-1])
