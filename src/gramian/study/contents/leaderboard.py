"""The leaderboard: every model by every metric."""

from dataclasses import dataclass
from typing import Literal

from gramian.study.contents.values import Value

Status = Literal["best", "equivalent", "undecided", "worse"]


@dataclass(frozen=True)
class MetricScore:
    """A model by one metric, in the metric's own direction.

    Attributes
    ----------
    mean, low, high
        Mean over the splits and its interval; None if undefined.
    folds
        The score of each split.
    rank
        Mean rank over the splits.
    groups
        Numbers of the groups of models without a significant difference that it belongs to.
    status, p_best, as_good
        Its comparison with the best by this metric; see `gramian.study.findings.standings`.
    """

    mean: float
    low: float | None
    high: float | None
    folds: tuple[float, ...]
    rank: float
    groups: tuple[int, ...]
    status: Status
    p_best: float
    as_good: float


@dataclass(frozen=True)
class ModelScores:
    """The scores of one model, which are equal for equal seeds.

    Attributes
    ----------
    name, params, tried
        The model, its best parameters, and the number of settings tried.
    is_baseline, is_winner
        Whether it is the baseline, or the best model.
    warnings
        Texts of the warnings of its fit.
    rank, groups, status, p_best, as_good
        As in `MetricScore`, by the main metric.
    train
        Mean of the main metric on training rows.
    metrics
        Its scores by name of the metric.
    """

    name: str
    params: dict[str, Value]
    tried: int
    is_baseline: bool
    is_winner: bool
    warnings: tuple[str, ...]
    rank: float
    groups: tuple[int, ...]
    status: Status
    p_best: float
    as_good: float
    train: float
    metrics: dict[str, MetricScore]


@dataclass(frozen=True)
class LeaderboardRow(ModelScores):
    """One model: its scores, and the mean seconds of a fit and of a prediction."""

    fit_seconds: float
    predict_seconds: float
