"""Random forests."""

from typing import Any, Literal

from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Fraction,
    Function,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.ensemble.forests.forest_classifier import ForestClassifier
from gramian.ensemble.forests.forest_estimator import Bins, MaxSamples
from gramian.ensemble.forests.forest_regressor import ForestRegressor
from gramian.tree.class_probabilities import ListOfDicts
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
class RandomForestClassifier(ForestClassifier):
    """Vote of many trees, each grown on a sample of the rows, with few columns tried at each node.

    Tree t is grown on n rows drawn with replacement, and a node tries m columns drawn anew (about
    the root of their number). The posterior of a class is the mean over the trees of its share in
    the row's leaf. Averaging B trees of variance s^2 and correlation r leaves r s^2 + (1 - r) s^2 /
    B: drawing rows and columns lowers r. A sample leaves out a row with probability (1 - 1/n)^n,
    about 37 %, so those trees predict it as if it were new. Breiman 2001.

    All trees share the ranks of the columns, which are computed once; trees are grown side by side
    and depend on the seed and their number alone.

    Parameters
    ----------
    n_estimators
        The number of trees.
    criterion
        The impurity; see `DecisionTreeClassifier`.
    max_depth
        Most splits above a leaf; None: no limit.
    min_samples_split
        Fewest rows of a node that is divided; a float is a fraction of all rows.
    min_samples_leaf
        Fewest rows of a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf
        Least weight of a leaf, as a fraction of all weight.
    max_features
        Columns looked at in a node, drawn anew each time: a number, a fraction, "sqrt", "log2",
        "third" (d / 3, at least 1) or None for all.
    max_leaf_nodes
        Most leaves of a tree; the node whose split gains most is divided first.
    min_impurity_decrease
        The least gain of a split.
    bootstrap
        Whether each tree gets a sample of the rows, drawn with replacement, or all of them. Rows
        of greater weight are drawn more often.
    oob_score
        Whether to predict each row by the trees that did not see it, and score that; or the
        function to score it with.
    n_jobs
        Threads; None and -1 mean the pool's size. The forest does not depend on it.
    random_state
        Seed of what is drawn.
    verbose
        Nothing is printed; `sklearn.callback.ProgressBar` shows how far a fit is.
    warm_start
        Keep the trees of the fit before and grow those that are lacking.
    class_weight
        Weights of the classes: ``{class: weight}``, a list of them for several outputs,
        "balanced", or "balanced_subsample" to balance each tree's sample.
    ccp_alpha
        Prune each tree to the smallest subtree that is best for this cost of a leaf.
    max_samples
        Rows drawn for each tree: a number, a fraction of all, or None for as many as there are.
    monotonic_cst
        For each column 1, 0 or -1; see `DecisionTreeClassifier`.
    categorical_features
        Which columns are categories; see `DecisionTreeClassifier`.
    categorical_splits
        How a category divides; see `DecisionTreeClassifier`.
    max_bins
        None: every threshold is tried. A number: the values of a column are first put in so many
        bins of about as many rows each, and only the bounds of these are tried; faster on many
        rows.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them for several outputs
        The classes, sorted.
    n_classes_ : int, or a list of them
        Their number.
    n_outputs_ : int
        Number of outputs.
    forest_ : Forest
        The nodes of all trees.
    estimators_ : list of DecisionTreeClassifier
        The trees one by one, made when asked for.
    feature_importances_ : array of shape (d,)
        How much each column lowered the criterion.
    feature_counts_ : array of shape (d,)
        How many splits ask for each column.
    oob_score_ : float
        The score of the predictions out of the bag, if asked for.
    oob_decision_function_ : array of shape (n, n_classes) or (n, n_outputs, n_classes)
        The shares out of the bag, if asked for.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from gramian.ensemble import RandomForestClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["low", "low", "high", "high"]
    >>> model = RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    >>> model.predict([[0.2], [2.9]])
    array(['low', 'high'], dtype='<U4')
    """

    n_estimators: Count = 100
    _: KW_ONLY
    criterion: Literal["gini", "entropy", "log_loss", "gain_ratio", "misclassification"] = "gini"
    max_depth: Depth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Fraction = 0.0
    max_features: MaxFeatures = "sqrt"
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NonNegative = 0.0
    bootstrap: bool = True
    oob_score: bool | Function = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: bool | NonNegativeInt = 0
    warm_start: bool = False
    class_weight: (
        dict[Any, Any] | ListOfDicts | Literal["balanced", "balanced_subsample"] | None
    ) = None
    ccp_alpha: NonNegative = 0.0
    max_samples: MaxSamples = None
    monotonic_cst: Array | None = None
    categorical_features: CategoricalFeatures = "from_dtype"
    categorical_splits: CategoricalSplits = "group"
    max_bins: Bins = None


@params
class RandomForestRegressor(ForestRegressor):
    """Mean of many trees, each grown on a sample of the rows.

    Tree t is grown on n rows drawn with replacement; a node tries `max_features` columns drawn
    anew. Breiman's choice for numbers is a third of them, ``max_features="third"``; the default is
    all, as in scikit-learn, which is bagging. The prediction is the mean of the trees'. See
    `RandomForestClassifier` for why drawing columns helps. Breiman 2001.

    Parameters
    ----------
    n_estimators
        The number of trees.
    criterion
        The error; see `DecisionTreeRegressor`.
    max_depth
        Most splits above a leaf; None: no limit.
    min_samples_split
        Fewest rows of a node that is divided; a float is a fraction of all rows.
    min_samples_leaf
        Fewest rows of a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf
        Least weight of a leaf, as a fraction of all weight.
    max_features
        Columns looked at in a node, drawn anew each time: a number, a fraction, "sqrt", "log2",
        "third" (d / 3, at least 1) or None for all.
    max_leaf_nodes
        Most leaves of a tree; the node whose split gains most is divided first.
    min_impurity_decrease
        The least gain of a split.
    bootstrap
        Whether each tree gets a sample of the rows, drawn with replacement, or all of them. Rows
        of greater weight are drawn more often.
    oob_score
        Whether to predict each row by the trees that did not see it, and score that; or the
        function to score it with.
    n_jobs
        Threads; None and -1 mean the pool's size. The forest does not depend on it.
    random_state
        Seed of what is drawn.
    verbose
        Nothing is printed; `sklearn.callback.ProgressBar` shows how far a fit is.
    warm_start
        Keep the trees of the fit before and grow those that are lacking.
    ccp_alpha
        Prune each tree to the smallest subtree that is best for this cost of a leaf.
    max_samples
        Rows drawn for each tree: a number, a fraction of all, or None for as many as there are.
    monotonic_cst
        For each column 1, 0 or -1; see `DecisionTreeRegressor`.
    categorical_features
        Which columns are categories; see `DecisionTreeRegressor`.
    categorical_splits
        How a category divides; see `DecisionTreeRegressor`.
    max_bins
        None: every threshold is tried. A number: the values of a column are first put in so many
        bins of about as many rows each, and only the bounds of these are tried; faster on many
        rows.

    Attributes
    ----------
    n_outputs_ : int
        Number of outputs.
    forest_ : Forest
        The nodes of all trees.
    estimators_ : list of DecisionTreeRegressor
        The trees one by one, made when asked for.
    feature_importances_ : array of shape (d,)
        How much each column lowered the criterion.
    feature_counts_ : array of shape (d,)
        How many splits ask for each column.
    oob_score_ : float
        The score of the predictions out of the bag, if asked for.
    oob_prediction_ : array of shape (n,) or (n, n_outputs)
        The predictions out of the bag, if asked for.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from gramian.ensemble import RandomForestRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> model = RandomForestRegressor(n_estimators=20, random_state=0).fit(X, y)
    >>> bool(model.predict([[0.0]])[0] < model.predict([[3.0]])[0])
    True
    """

    n_estimators: Count = 100
    _: KW_ONLY
    criterion: Literal["squared_error", "absolute_error", "worst_error", "poisson"] = (
        "squared_error"
    )
    max_depth: Depth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Fraction = 0.0
    max_features: MaxFeatures = 1.0
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NonNegative = 0.0
    bootstrap: bool = True
    oob_score: bool | Function = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: bool | NonNegativeInt = 0
    warm_start: bool = False
    ccp_alpha: NonNegative = 0.0
    max_samples: MaxSamples = None
    monotonic_cst: Array | None = None
    categorical_features: CategoricalFeatures = "from_dtype"
    categorical_splits: CategoricalSplits = "group"
    max_bins: Bins = None
