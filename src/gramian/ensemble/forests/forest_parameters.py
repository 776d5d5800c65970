"""The parameters that all forests have in common."""

from numbers import Integral
from typing import Annotated, TypeAlias

from gramian.base.fields import (
    KW_ONLY,
    Count,
    Function,
    Interval,
    Jobs,
    NonNegativeInt,
    params,
)
from gramian.tree.tree_parameters import TreeParameters

MaxSamples: TypeAlias = (
    Annotated[int, Interval(Integral, 1, 2**31 - 1)]
    | Annotated[float, Interval(float, 0, open_low=True)]
    | None
)
Bins: TypeAlias = Annotated[int, Interval(Integral, 2, 65534)] | None


# The order of signatures.
CLASSIFIER_ORDER = (
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_features",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "bootstrap",
    "oob_score",
    "n_jobs",
    "random_state",
    "verbose",
    "warm_start",
    "class_weight",
    "ccp_alpha",
    "max_samples",
)
REGRESSOR_ORDER = tuple(name for name in CLASSIFIER_ORDER if name != "class_weight")


@params
class ForestParameters(TreeParameters):
    """How many trees there are, and on which rows they grow.

    Parameters
    ----------
    n_estimators
        The number of trees.
    min_impurity_decrease
        Minimum gain of a split.
    bootstrap
        Whether each tree is grown on a sample of the rows, drawn with replacement, or on all of
        them. Rows of greater weight are drawn more often.
    oob_score
        Whether to predict each row by the trees that did not see it, and score that; or the
        function that scores it.
    n_jobs
        Number of threads; None and -1 mean the pool's size. The forest does not depend on it.
    verbose
        Whether to print a line for each batch of 16 trees.
    warm_start
        Keep the trees of the previous fit and grow only the additional ones.
    ccp_alpha
        Prune each tree to the smallest subtree that is optimal for this cost per leaf.
    max_samples
        Number of rows drawn for each tree: a number; a fraction of the rows, or of the total
        weight if there are weights; None for as many as there are.
    max_bins
        None: every threshold is tried. A number: the values of a feature are first put into so
        many bins with about equal numbers of rows, and only bin edges are tried, which is faster
        for many rows.

    Attributes
    ----------
    forest_ : Forest
        The nodes of all trees.
    feature_counts_ : array of shape (d,)
        Number of splits on each feature.
    oob_score_ : float
        The score of the out-of-bag predictions, if `oob_score`.
    """

    n_estimators: Count = 100
    _: KW_ONLY
    bootstrap: bool = True
    oob_score: bool | Function = False
    n_jobs: Jobs = None
    verbose: bool | NonNegativeInt = 0
    warm_start: bool = False
    max_samples: MaxSamples = None
    max_bins: Bins = None
