"""Parameters shared by all forests."""

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


# Order of the parameters in signatures.
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
    """Number of trees, and the rows each tree uses.

    Parameters
    ----------
    n_estimators
        Number of trees.
    min_impurity_decrease
        Minimum gain of a split.
    bootstrap
        Whether each tree is grown on a sample of the rows, drawn with replacement (rows of greater
        weight more often), or on all rows.
    oob_score
        Whether to score out-of-bag predictions, which predict each row with the trees that did
        not use it; or a function that scores them.
    n_jobs
        Number of threads; None and -1 use the whole pool. The forest does not depend on it.
    verbose
        Whether to print a line for each batch of 16 trees.
    warm_start
        Whether to keep the trees of the previous fit and grow only the additional ones.
    ccp_alpha
        Complexity parameter of minimal cost-complexity pruning: the cost per leaf.
    max_samples
        Number of rows drawn for each tree: an integer; a fraction of the rows, or of the total
        weight if there are weights; None for n.
    max_bins
        Number of bins per feature, with about equal numbers of rows, whose edges are the candidate
        thresholds; faster for many rows. None tries every threshold.

    Attributes
    ----------
    forest_ : Forest
        The nodes of all trees.
    feature_counts_ : array of shape (d,)
        Number of splits on each feature.
    oob_score_ : float
        Score of the out-of-bag predictions, if `oob_score`.
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
