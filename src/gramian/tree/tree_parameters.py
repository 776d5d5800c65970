"""Parameters shared by decision trees and forests."""

from gramian.base.fields import KW_ONLY, Array, Fraction, NonNegative, Seed, params
from gramian.tree.growth.grow import (
    CategoricalFeatures,
    CategoricalSplits,
    Depth,
    MaxFeatures,
    MaxLeaves,
    MinLeaf,
    MinSplit,
)


@params
class TreeParameters:
    """Growth of a tree, and stopping rules.

    Parameters
    ----------
    max_depth
        Maximum number of splits above a leaf; None for no limit.
    min_samples_split
        Minimum number of rows in a node that is split; a float is a fraction of all rows.
    min_samples_leaf
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf
        Minimum weight of a leaf, as a fraction of the total weight.
    max_features
        Number of features considered at a node, drawn at random for each node: an integer, a
        fraction, "sqrt", "log2", "third" (d / 3, at least 1) or None for all. Constant features
        count only if nothing else was drawn.
    random_state
        Seed or generator for the random draws. The result does not depend on the number of
        threads.
    max_leaf_nodes
        Maximum number of leaves; nodes are split best-first.
    min_impurity_decrease
        Minimum gain of a split: (w / W) (J - J after the split), with w the weight of the node and
        W the total weight.
    ccp_alpha
        Complexity parameter of minimal cost-complexity pruning: the cost per leaf.
    monotonic_cst
        For each feature 1, 0 or -1: the prediction (for two classes the probability of the second)
        increases, is unconstrained, or decreases.
    categorical_features
        The categorical features: "from_dtype", indices, names or a mask; None for none. They need
        no encoding: strings and any number of levels are allowed.
    categorical_splits
        Split of a categorical feature: "group" into two sets of levels (the best of all for two
        classes, or for one output and squared error; for more classes, the best in the orders by
        the probability of each class), "each" into one child per level, "one" into one level
        against the rest.

    Attributes
    ----------
    feature_importances_ : array of shape (d,)
        Total decrease of the criterion due to each feature, normalised to sum to 1.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    _: KW_ONLY
    max_depth: Depth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Fraction = 0.0
    max_features: MaxFeatures = None
    random_state: Seed = None
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NonNegative = 0.0
    ccp_alpha: NonNegative = 0.0
    monotonic_cst: Array | None = None
    categorical_features: CategoricalFeatures = "from_dtype"
    categorical_splits: CategoricalSplits = "group"
