"""The contents of the report of a study with a target."""

import numpy as np
from numpy.typing import NDArray

import gramian
from gramian.base.rows.taking import take
from gramian.base.versions import versions_of
from gramian.data.reading import LoadedTable
from gramian.study.contents import SupervisedContents
from gramian.study.contents.costs import Costs
from gramian.study.contents.learning_curve import LearningCurve
from gramian.study.contents.load import Load
from gramian.study.contents.metrics import MetricInfo
from gramian.study.contents.models import ClassPredictions, NumberPredictions
from gramian.study.contents.run_card import DataSource, Evaluations, RunCard
from gramian.study.findings.curves import describe_classes, describe_regression
from gramian.study.findings.explanation import explanation
from gramian.study.findings.held_out_scores import describe_test
from gramian.study.findings.leaderboard import describe_comparison, leaderboard
from gramian.study.findings.model_issues import issues_of_models
from gramian.study.findings.score_issues import issues_of_scores
from gramian.study.findings.standings import usefulness
from gramian.study.findings.verdict import headline, verdict
from gramian.study.journal import Journal
from gramian.study.problem.leaks import Leaks
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.profile import describe_columns, describe_target
from gramian.study.problem.splits import Splits
from gramian.study.search.final_comparison import FinalComparison, out_of_fold
from gramian.study.search.search import Search
from gramian.study.search.trial import FittedPipeline, Workbench
from gramian.study.settings import Settings


def describe_study(
    *,
    bench: Workbench,
    splits: Splits,
    source: LoadedTable,
    settings: Settings,
    journal: Journal,
    searched: Search,
    compared: FinalComparison,
    winner: str,
    pipeline: FittedPipeline,
    duplicates: NDArray[np.bool_],
    leaks: Leaks,
    curve: LearningCurve,
    seconds: float,
) -> SupervisedContents:
    """Return the contents of the report."""
    problem, main = bench.problem, bench.main
    comparison = compared.comparisons[main.name]
    predicted = bench.predicted_by(pipeline, take(problem.frame, splits.test))
    candidate = compared.chosen[winner].candidate
    tested = describe_test(bench, splits, settings, candidate, predicted, duplicates)
    useful = usefulness(compared.comparisons, main.name)
    issues = [
        *problem.issues,
        *issues_of_models(bench, searched, compared, winner, useful),
        *issues_of_scores(bench, compared, winner, tested, leaks),
    ]
    explained = explanation(bench, splits, settings, pipeline, candidate, predicted)
    return SupervisedContents(
        run=run_card(
            problem,
            source,
            settings,
            seconds,
            metric=main.name,
            split=splits.words,
            evaluations=Evaluations(searched.made, searched.planned),
            complete=searched.complete and compared.complete,
            winner=winner,
        ),
        headline=headline(issues),
        verdict=verdict(main, tested.scores, len(splits.test), comparison, useful, settings.alpha),
        metrics=tuple(
            MetricInfo(m.name, m.words, m.greater_is_better, m is main)
            for m in sorted(bench.metrics, key=lambda m: m is not main)
        ),
        columns=describe_columns(problem, settings.target),
        target=describe_target(problem),
        checks=tuple(issues),
        leaderboard=leaderboard(bench, compared, winner),
        comparison=describe_comparison(comparison, splits),
        models=_models(bench, splits, journal, compared),
        test=tested,
        learning_curve=curve,
        importances=explained.importances,
        effects=explained.effects,
        coefficients=explained.coefficients,
        structure=explained.structure,
        worst_rows=explained.worst_rows,
        slices=explained.slices,
        costs=None
        if settings.costs is None and settings.reject is None
        else Costs(settings.costs, settings.reject),
        load=how_to_load(),
    )


def run_card(
    problem: LearningProblem,
    source: LoadedTable,
    settings: Settings,
    seconds: float,
    *,
    metric: str,
    split: str,
    evaluations: Evaluations,
    complete: bool,
    winner: str,
    target: str | None = None,
) -> RunCard:
    """Return the run card; `target` replaces the target of the settings in its text."""
    return RunCard(
        name=source.name,
        task=problem.task,
        reason=problem.reason,
        target=settings.target if target is None else target,
        metric=metric,
        seed=settings.seed,
        alpha=settings.alpha,
        split=split,
        evaluations=evaluations,
        complete=complete,
        winner=winner,
        seconds=seconds,
        versions={
            "gramian": gramian.__version__,
            **versions_of(("numpy", "scipy", "scikit-learn")),
        },
        settings=settings.plain(),
        data=DataSource(
            name=source.name,
            format=source.format,
            sha256=source.sha256,
            rows=problem.rows_given,
            rows_used=len(problem.rows),
            columns=len(problem.columns),
            notes=tuple(source.notes),
            sheet=source.sheet,
        ),
    )


def how_to_load() -> Load:
    """Return the lines that use the model."""
    return Load(
        python='import gramian\n\nmodel = gramian.load("model.gram")\n'
        'table = gramian.read_table("new.csv")\nmodel.predict(table.frame)',
        command="gramian predict model.gram new.csv",
    )


def _models(
    bench: Workbench, splits: Splits, journal: Journal, compared: FinalComparison
) -> dict[str, ClassPredictions | NumberPredictions]:
    """Return the out-of-fold predictions of each model."""
    problem = bench.problem
    folds = [len(rows) for _, rows in splits.comparing[: splits.once]]
    found: dict[str, ClassPredictions | NumberPredictions] = {}
    for name in compared.chosen:
        predicted, rows = out_of_fold(journal, splits, name)
        y = problem.y[rows]
        if problem.task == "classification":
            labels = [str(c) for c in problem.classes.tolist()]
            rejected = None if bench.rule is None else bench.rule.rejected(predicted)
            found[name] = describe_classes(y, predicted, folds, labels, rejected)
        else:
            found[name] = describe_regression(y, predicted, bench.seed)
    return found
