"""Parameters shared by the gradient boosting estimators."""

from numbers import Real
from typing import Annotated

from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    Learner,
    NonNegative,
    Positive,
    Seed,
    params,
)
from gramian.ensemble.common.options import CustomLoss


@params
class BoostingParameters:
    """Base learner, number of iterations and step sizes.

    Parameters
    ----------
    learning_rate
        eta, the factor of each step.
    n_estimators
        Maximum number of iterations, M.
    subsample
        Fraction of the rows drawn for each iteration; below 1 this is stochastic gradient boosting.
    max_depth
        Depth of the trees that are the default learner.
    n_iter_no_change
        Iterations without improvement on X_val before stopping; None for no early stopping.
    tol
        Minimum decrease of the validation loss that counts as improvement.
    random_state
        Seed or generator for the random draws.
    estimator
        The learner, any regressor; None for a `DecisionTreeRegressor`.
    line_search
        Whether gamma is found by line search in every iteration (for a `DecisionTreeRegressor` in
        every leaf); otherwise it is 1.

    Attributes
    ----------
    estimators_ : list of lists of regressors
        The learners of each iteration, one per score.
    steps_ : array of shape (n_estimators_,)
        eta gamma of each iteration; eta where each leaf has a gamma of its own.
    n_estimators_ : int
        Number of iterations.
    train_score_, validation_score_ : arrays of shape (n_estimators_,)
        Mean loss after each iteration; the latter where X_val is given. Losses, steps and
        learners are those of y / 2^k, |y| < 2^k, where y is beyond 2^60 or below 2^-60 (2^-20 for
        "poisson").
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    _: KW_ONLY
    loss: str | CustomLoss = ""
    learning_rate: Positive = 0.1
    n_estimators: Count = 100
    subsample: Annotated[float, Interval(Real, 0, 1, open_low=True)] = 1.0
    max_depth: Count | None = 3
    n_iter_no_change: Count | None = None
    tol: NonNegative = 1e-4
    random_state: Seed = None
    estimator: Learner | None = None
    line_search: bool = True
