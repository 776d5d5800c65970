"""Parameters shared by the bagging estimators."""

from numbers import Real
from typing import Annotated

from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    Jobs,
    Learner,
    NonNegativeInt,
    Seed,
    params,
)

Portion = Annotated[float, Interval(Real, 0, 1, open_low=True)]


@params
class BaggingParameters:
    """Number of members, and the rows and features drawn for each.

    Parameters
    ----------
    estimator
        The learner; None for an unpruned decision tree.
    n_estimators
        Number of members, T.
    max_samples
        Rows drawn for a member: a number; a fraction of the rows, or of the total weight if
        there are weights; None for all n.
    max_features
        Features drawn for a member: a number or a fraction.
    bootstrap
        Whether rows are drawn with replacement; if not, each member gets a random subset.
    bootstrap_features
        Whether features are drawn with replacement.
    oob_score
        Whether to score the ensemble on the out-of-bag rows of its members.
    warm_start
        Whether fit adds members to those of the previous fit.
    n_jobs
        Number of members fitted in parallel.
    random_state
        Seed or generator for the random draws.
    verbose
        Whether to print a line for each member.

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted members.
    estimator_ : estimator
        The unfitted learner that was copied.
    estimators_features_ : list of arrays
        The features drawn for each member.
    estimators_samples_ : list of arrays
        The rows drawn for each member.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    estimator: Learner | None = None
    n_estimators: Count = 10
    _: KW_ONLY
    max_samples: Count | Portion | None = None
    max_features: Count | Portion = 1.0
    bootstrap: bool = True
    bootstrap_features: bool = False
    oob_score: bool = False
    warm_start: bool = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: bool | NonNegativeInt = 0
