"""The result of a study, by kind of task: the contents of ``result.json``.

A selection of the report. It is equal for equal seeds, except ``times``.
"""

from dataclasses import dataclass, fields
from typing import Any, TypeVar

import gramian
from gramian.study.contents.checks import Issue
from gramian.study.contents.clusters import ClusterSizes
from gramian.study.contents.comparison import ModelComparison
from gramian.study.contents.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)
from gramian.study.contents.held_out import HeldOutResult
from gramian.study.contents.labelling import LabelMetric, LabelRow, LearnerScores
from gramian.study.contents.leaderboard import ModelScores
from gramian.study.contents.run_card import DataSource, Evaluations
from gramian.study.contents.serialize import FORMAT, plain

T = TypeVar("T")


@dataclass(frozen=True)
class Times:
    """Seconds of the run."""

    seconds: float


@dataclass(frozen=True)
class ModelTimes:
    """Mean seconds of a fit and of a prediction."""

    fit_seconds: float
    predict_seconds: float


@dataclass(frozen=True)
class SupervisedTimes(Times):
    """Seconds of the run and of each model."""

    models: dict[str, ModelTimes]


@dataclass(frozen=True)
class LabelTimes(Times):
    """Seconds of the run, and of a fit of each learner."""

    learners: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Result:
    """The fields common to all results; see `gramian.study.contents.run_card.RunCard`.

    Attributes
    ----------
    format, gramian
        Number of the format, and the version that wrote it.
    complete, task, reason, target, metric, seed, data, winner
        As in the run card.
    headline, verdict, checks
        As in the report.
    """

    format: int
    gramian: str
    complete: bool
    task: str
    reason: str
    target: str | None
    metric: str
    seed: int
    data: DataSource
    winner: str
    headline: tuple[str, ...]
    verdict: tuple[str, ...]
    checks: tuple[Issue, ...]


@dataclass(frozen=True, kw_only=True)
class SupervisedResult(Result):
    """The result of a classification or a regression; fields as in the report."""

    evaluations: Evaluations
    split: str
    test: HeldOutResult
    leaderboard: tuple[ModelScores, ...]
    comparison: ModelComparison
    times: SupervisedTimes


@dataclass(frozen=True, kw_only=True)
class ClusterResult(Result):
    """The result of a clustering; fields as in the report."""

    clusters: ClusterSizes
    times: Times


@dataclass(frozen=True, kw_only=True)
class LabelResult(Result):
    """The result of a study of several labels; fields as in the report."""

    split: str
    learners: tuple[LearnerScores, ...]
    metrics: dict[str, LabelMetric]
    labels: tuple[LabelRow, ...]
    times: LabelTimes


def result_of(contents: Contents) -> Result:
    """Return the result of a study from the contents of its report."""
    run = contents.run
    common: dict[str, Any] = {
        "format": FORMAT,
        "gramian": gramian.__version__,
        "complete": run.complete,
        "task": run.task,
        "reason": run.reason,
        "target": run.target,
        "metric": run.metric,
        "seed": run.seed,
        "data": run.data,
        "winner": run.winner,
        "headline": contents.headline,
        "verdict": contents.verdict,
        "checks": contents.checks,
    }
    if isinstance(contents, ClusterContents):
        clusters = _part(ClusterSizes, contents.clusters)
        return ClusterResult(**common, clusters=clusters, times=Times(run.seconds))
    if isinstance(contents, LabelContents):
        found = contents.labelling
        return LabelResult(
            **common,
            split=run.split,
            learners=tuple(_part(LearnerScores, row) for row in found.learners),
            metrics=found.metrics,
            labels=found.labels,
            times=LabelTimes(run.seconds, {row.name: row.fit_seconds for row in found.learners}),
        )
    assert isinstance(contents, SupervisedContents)
    rows = contents.leaderboard
    return SupervisedResult(
        **common,
        evaluations=run.evaluations,
        split=run.split,
        test=contents.test,
        leaderboard=tuple(_part(ModelScores, row) for row in rows),
        comparison=contents.comparison,
        times=SupervisedTimes(
            run.seconds,
            {row.name: ModelTimes(row.fit_seconds, row.predict_seconds) for row in rows},
        ),
    )


def result_json(contents: Contents) -> dict[str, Any]:
    """Return the contents of ``result.json``."""
    return plain(result_of(contents))  # type: ignore[no-any-return]


def _part(kind: type[T], value: Any) -> T:
    """Return an object of a dataclass from one of its subclass."""
    return kind(**{f.name: getattr(value, f.name) for f in fields(kind)})  # type: ignore[arg-type]
