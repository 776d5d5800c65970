"""The contents of the report of a study with a target."""

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

import gramian
from gramian.base.rows.taking import take
from gramian.base.versions import versions_of
from gramian.data.reading import LoadedTable
from gramian.study.contents import SupervisedContents
from gramian.study.contents.serialize import plain
from gramian.study.findings.curves import describe_classes, describe_regression
from gramian.study.findings.explanation import explanation
from gramian.study.findings.held_out_scores import describe_test
from gramian.study.findings.leaderboard import describe_comparison, leaderboard
from gramian.study.findings.model_issues import issues_of_models
from gramian.study.findings.score_issues import issues_of_scores
from gramian.study.findings.standings import usefulness
from gramian.study.findings.verdict import headline, verdict
from gramian.study.journal import Journal
from gramian.study.json_values import FORMAT
from gramian.study.problem.leaks import Leaks
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.profile import describe_columns, describe_target
from gramian.study.problem.splits import Splits
from gramian.study.search.final_comparison import FinalComparison, out_of_fold
from gramian.study.search.search import Search
from gramian.study.search.trial import Workbench
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
    pipeline: Pipeline,
    duplicates: NDArray[np.bool_],
    leaks: Leaks,
    curve: dict[str, Any],
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
    contents = {
        "format": FORMAT,
        "run": {
            **run_card(problem, source, settings, seconds),
            "metric": main.name,
            "split": splits.words,
            "evaluations": {"made": searched.made, "planned": searched.planned},
            "complete": searched.complete and compared.complete,
            "winner": winner,
        },
        "headline": headline(issues),
        "verdict": verdict(
            main, tested["scores"], len(splits.test), comparison, useful, settings.alpha
        ),
        "metrics": [
            {
                "name": m.name,
                "words": m.words,
                "greater_is_better": m.greater_is_better,
                "is_main": m is main,
            }
            for m in sorted(bench.metrics, key=lambda m: m is not main)
        ],
        "columns": describe_columns(problem, settings.target),
        "target": describe_target(problem),
        "checks": [asdict(r) for r in issues],
        "leaderboard": leaderboard(bench, compared, winner),
        "comparison": describe_comparison(comparison, splits),
        "models": _models(bench, splits, journal, compared),
        "test": tested,
        "learning_curve": curve,
        **explanation(bench, splits, settings, pipeline, candidate, predicted),
        "costs": None
        if settings.costs is None and settings.reject is None
        else {"table": settings.costs, "reject": settings.reject},
        "load": how_to_load(),
    }
    return SupervisedContents.from_json(plain(contents))


def run_card(
    problem: LearningProblem, source: LoadedTable, settings: Settings, seconds: float
) -> dict[str, Any]:
    """Return the parts of the run card that every task has."""
    return {
        "name": source.name,
        "task": problem.task,
        "reason": problem.reason,
        "target": settings.target,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "seconds": seconds,
        "settings": settings.plain(),
        "data": {
            "name": source.name,
            "format": source.format,
            "sha256": source.sha256,
            "sheet": source.sheet,
            "rows": problem.rows_given,
            "rows_used": len(problem.rows),
            "columns": len(problem.columns),
            "notes": source.notes,
        },
        "versions": {
            "gramian": gramian.__version__,
            **versions_of(("numpy", "scipy", "scikit-learn")),
        },
    }


def how_to_load() -> dict[str, str]:
    """Return the lines that use the model."""
    return {
        "python": 'import gramian\n\nmodel = gramian.load("model.gram")\n'
        'table = gramian.read_table("new.csv")\nmodel.predict(table.frame)',
        "command": "gramian predict model.gram new.csv",
    }


def _models(
    bench: Workbench, splits: Splits, journal: Journal, compared: FinalComparison
) -> dict[str, Any]:
    """Return the out-of-fold predictions of each model."""
    problem = bench.problem
    folds = [len(rows) for _, rows in splits.comparing[: splits.once]]
    found = {}
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
