"""Parameters of the gradient boosting estimators, with scikit-learn's names and defaults."""

from numbers import Real
from typing import Annotated, Literal

from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    Learner,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.ensemble.common.options import CustomLoss
from gramian.tree.growth.grow import MaxFeatures, MaxLeaves, MinLeaf, MinSplit

Portion = Annotated[float, Interval(Real, 0, 1, open_low=True)]
Inside = Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)]


@params
class GradientParameters:
    """Iterations, step size, trees, early stopping.

    Parameters
    ----------
    learning_rate
        Learning rate eta: the factor of each step.
    n_estimators
        Maximum number of iterations M.
    subsample
        Fraction of the rows drawn for each iteration; below 1 this is stochastic gradient boosting
        (Friedman 2002), and the other rows give out-of-bag estimates of the improvement.
    min_samples_split
        Minimum number of rows in a node that is split; a float is a fraction of all rows.
    min_samples_leaf
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf
        Minimum weight of a leaf, as a fraction of the total weight.
    max_depth
        Maximum number of splits above a leaf; None for no limit.
    min_impurity_decrease
        Minimum decrease of the squared error of the slopes by a split, per row of the tree.
    init
        The initial model, whose predictions the trees correct; "zero" for scores of 0; None for the
        best constant.
    random_state
        Seed or generator for the random draws.
    max_features
        Number of features considered at a node; see `DecisionTreeRegressor`.
    verbose
        1 prints the loss of some iterations, 2 of every iteration.
    max_leaf_nodes
        Maximum number of leaves of a tree, which is then grown best-first; None for no limit.
    warm_start
        Whether fit adds trees to those of the previous fit.
    validation_fraction
        Fraction of the rows held out for early stopping, if `n_iter_no_change` is not None.
    n_iter_no_change
        Iterations without improvement on held-out rows before stopping; None for no early stopping.
    tol
        Minimum decrease of the held-out loss that counts as an improvement.
    ccp_alpha
        Complexity parameter of minimal cost-complexity pruning: the cost per leaf.
    estimator
        The learner, any regressor; None for exact trees with the parameters above.
    line_search
        Whether gamma, the factor of a learner before eta, is found by line search: one per
        iteration, or one per leaf for a `DecisionTreeRegressor`. If not, gamma is 1.

    Attributes
    ----------
    estimators_ : array of shape (iterations, learners)
        The learners; those of ``estimator=None`` are `DecisionTreeRegressor`, created on access.
    steps_ : array of shape (iterations,)
        Step of each iteration: eta gamma, or eta if each leaf has its own gamma.
    forests_ : list of Forest
        The trees of each score, for ``estimator=None``.
    init_ : estimator or "zero"
        The initial model.
    n_estimators_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        Number of learners in an iteration: one per score.
    max_features_ : int
        Number of features considered at a node, for ``estimator=None``.
    feature_importances_ : array of shape (d,)
        Fraction of the decrease of the squared error due to each feature, for ``estimator=None``.
    train_score_ : array of shape (iterations,)
        Loss on the rows drawn in each iteration, after it; NaN for a custom loss without values.
        For |y| beyond 2^60 or below 2^-60 (2^-20 for "poisson"), with an `estimator` or
        loss="poisson", losses, steps and learners refer to y / 2^k, `|y| < 2^k`.
    validation_score_ : array of shape (iterations,)
        Loss on the held-out rows; empty without early stopping.
    oob_scores_, oob_improvement_ : arrays of shape (iterations,)
        Loss on the rows that an iteration did not draw, and its decrease, if `subsample` < 1.
    oob_score_ : float
        The last value of `oob_scores_`.
    """

    _: KW_ONLY
    loss: str | CustomLoss = ""
    learning_rate: NonNegative = 0.1
    n_estimators: Count = 100
    subsample: Portion = 1.0
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Annotated[float, Interval(Real, 0, 0.5)] = 0.0
    max_depth: Count | None = 3
    min_impurity_decrease: NonNegative = 0.0
    init: Learner | Literal["zero"] | None = None
    random_state: Seed = None
    max_features: MaxFeatures = None
    verbose: NonNegativeInt | bool = 0
    max_leaf_nodes: MaxLeaves = None
    warm_start: bool = False
    validation_fraction: Inside = 0.1
    n_iter_no_change: Count | None = None
    tol: NonNegative = 1e-4
    ccp_alpha: NonNegative = 0.0
    estimator: Learner | None = None
    line_search: bool = True
