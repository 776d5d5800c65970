"""The contents of the report, by kind of task.

They are stored as ``report.json`` in the run directory; ``gramian report`` renders the page from
it. `gramian.study.contents.schema` describes that file.
"""

from dataclasses import dataclass
from typing import Any, Self

from gramian.base.errors import DataError
from gramian.study.contents.checks import Issue
from gramian.study.contents.clusters import Clusters
from gramian.study.contents.columns import Columns
from gramian.study.contents.comparison import ModelComparison
from gramian.study.contents.costs import Costs
from gramian.study.contents.errors import Slice, WorstRow
from gramian.study.contents.explanation import Coefficients, Effect, Importance, TreeRules
from gramian.study.contents.held_out import HeldOutResult
from gramian.study.contents.labelling import Labelling
from gramian.study.contents.leaderboard import LeaderboardRow
from gramian.study.contents.learning_curve import LearningCurve
from gramian.study.contents.load import Load
from gramian.study.contents.metrics import MetricInfo
from gramian.study.contents.models import ClassPredictions, NumberPredictions
from gramian.study.contents.run_card import RunCard
from gramian.study.contents.serialize import FORMAT, plain, typed
from gramian.study.contents.target import ClassTarget, NumericTarget


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The contents common to all reports.

    Attributes
    ----------
    run
        The run card.
    headline
        The texts of the serious issues; empty if there are none.
    verdict
        A few sentences.
    columns
        The columns of the table.
    checks
        Issues with the data and the models.
    load
        How to use the model.
    format
        Format version of ``report.json``.
    """

    run: RunCard
    headline: tuple[str, ...]
    verdict: tuple[str, ...]
    columns: Columns
    checks: tuple[Issue, ...]
    load: Load
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """Return the contents of ``report.json``."""
        return plain(self)  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Read the result of `to_json`; a missing or unknown field is an error.

        `Contents.from_json` returns the subclass for the task.
        """
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise DataError(
                f"report.json must be an object of format {FORMAT}; fit again with this version."
            )
        kind: Any = cls
        if kind is Contents:
            card = value.get("run")
            task = card.get("task") if isinstance(card, dict) else None
            kind = {"clustering": ClusterContents, "multi-label": LabelContents}.get(
                str(task), SupervisedContents
            )
        return typed(kind, value, "report")  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class SupervisedContents(Contents):
    """The report of a classification or a regression.

    Attributes
    ----------
    metrics
        All metrics, the main one first.
    target
        Distribution of the target.
    leaderboard
        Every model, best first.
    comparison
        The pairwise tests.
    models
        Out-of-fold predictions, by name of the model.
    test
        The best model on the test rows.
    learning_curve
        Learning curve of the best model.
    importances, effects
        Importances and effects of the columns, most important first.
    coefficients, structure
        Coefficients of a linear model, or the rules of a tree; else None.
    worst_rows, slices
        Test rows with the largest loss, and subgroups with a higher error.
    costs
        The costs of the settings; None if there are none.
    """

    metrics: tuple[MetricInfo, ...]
    target: ClassTarget | NumericTarget
    leaderboard: tuple[LeaderboardRow, ...]
    comparison: ModelComparison
    models: dict[str, ClassPredictions | NumberPredictions]
    test: HeldOutResult
    learning_curve: LearningCurve
    importances: tuple[Importance, ...]
    effects: tuple[Effect, ...]
    coefficients: Coefficients | None
    structure: TreeRules | None
    worst_rows: tuple[WorstRow, ...]
    slices: tuple[Slice, ...]
    costs: Costs | None

    @property
    def main_metric(self) -> MetricInfo:
        """The metric that models are selected by."""
        return next(metric for metric in self.metrics if metric.is_main)

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels of the classes; empty for regression."""
        if isinstance(self.target, NumericTarget):
            return ()
        return tuple(each.label for each in self.target.classes)


@dataclass(frozen=True, kw_only=True)
class ClusterContents(Contents):
    """The report of a clustering."""

    clusters: Clusters


@dataclass(frozen=True, kw_only=True)
class LabelContents(Contents):
    """The report of a study of several labels."""

    labelling: Labelling
