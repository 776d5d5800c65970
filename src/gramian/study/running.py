"""A study, from the table to the tested model; every step can be resumed."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

import gramian
from gramian.data.reading import LoadedTable, loaded_table
from gramian.study.announcement import Announce, announcement
from gramian.study.contents import Contents, SupervisedContents
from gramian.study.contents.serialize import plain
from gramian.study.findings.contents import describe_study
from gramian.study.findings.model_issues import issues_of_selection
from gramian.study.findings.standings import best_model
from gramian.study.grouping import group_rows
from gramian.study.journal import Journal
from gramian.study.json_values import FORMAT
from gramian.study.labelling import label_rows
from gramian.study.problem.checks import check_data, without_copies
from gramian.study.problem.costs import (
    cost_metric,
    costs_in_order,
    decision_rule,
    with_costs,
)
from gramian.study.problem.duplicates import duplicates_across
from gramian.study.problem.metrics import Metric, choose_metric, metrics_for
from gramian.study.problem.problem import LearningProblem, pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.search.final_comparison import compare_chosen
from gramian.study.search.learning_curve import learning_curve
from gramian.study.search.search import default_evaluations, search
from gramian.study.search.spaces import families, has_proba
from gramian.study.search.trial import Workbench
from gramian.study.settings import Settings


@dataclass(frozen=True, eq=False)
class Study:
    """The result of a study.

    Attributes
    ----------
    model
        The best model, fitted to all rows but the test rows: a pipeline that takes a frame.
    result
        The contents of ``result.json``.
    contents
        The contents of the report, for `gramian.report.render`.
    """

    model: Any
    result: dict[str, Any]
    contents: Contents

    def __str__(self) -> str:
        return "\n".join([*self.contents.headline, *self.contents.verdict])


def run(
    table: Any,
    target: str | None = None,
    *,
    folder: Path | None = None,
    watch: Watch | None = None,
    announce: Announce | None = None,
    **settings: Any,
) -> Study:
    """Search, compare and test models for a table.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow, or what `gramian.read_table` returned.
    target
        The column to predict; None for ``task="clustering"`` and for ``labels``.
    folder
        An existing folder for the journal, so that a stopped run can be resumed; None keeps
        everything in memory.
    watch
        Function called with a `gramian.study.Step` after each step.
    announce
        Function called once, before the search begins, with lines of text: the table, the task,
        the issues of the data, and how much will be tried.
    **settings
        Fields of `gramian.study.Settings`, such as ``seed``, ``evals``, ``metric``, ``costs``.

    Returns
    -------
    study : Study
        The model, the result, and the contents of the report.

    Examples
    --------
    >>> from gramian import load_example, study
    >>> table, target = load_example("iris")
    >>> found = study.run(table, target, evals=2, models=("LogisticRegression",))
    >>> found.result["task"], found.result["winner"]
    ('classification', 'LogisticRegression')
    >>> found.model.predict(table.frame[:1]).tolist()
    ['setosa']
    """
    wanted = Settings(target=target, **settings)
    source = loaded_table(table)
    # Our own steps give the same bits for any number of threads; the BLAS beside them does not.
    with Journal(folder) as journal, threadpool_limits(1, user_api="blas"):
        clock = Clock(wanted.budget, _seconds_before(journal))
        if wanted.labels:
            return Study(*label_rows(source, wanted, journal, clock, watch, announce))
        problem = pose_problem(source.frame, wanted, source.formats)
        if problem.task == "clustering":
            return Study(*group_rows(problem, source, wanted, journal, clock, watch, announce))
        return _supervised(problem, source, wanted, journal, clock, watch, announce)


def _supervised(
    problem: LearningProblem,
    source: LoadedTable,
    wanted: Settings,
    journal: Journal,
    clock: Clock,
    watch: Watch | None,
    announce: Announce | None,
) -> Study:
    problem = without_copies(problem)
    task: Any = problem.task
    rule = decision_rule(problem, wanted)
    if wanted.costs is not None:
        ordered = costs_in_order(wanted.costs, wanted.cost_classes, problem.classes)
        wanted = replace(wanted, costs=ordered, cost_classes=None)
    own = cost_metric(rule)
    kind = "classifier" if task == "classification" else "regressor"
    have_proba = all(map(has_proba, families(kind, 0, wanted.models)))
    main = choose_metric(task, wanted.metric, own, have_proba=have_proba)
    metrics: tuple[Metric, ...] = (*own, *metrics_for(task))
    splits = split_rows(problem, wanted)
    bench = Workbench(problem, metrics, main, wanted.seed, rule)
    everyone = families(kind, 0, wanted.models)
    for_rows = families(kind, len(splits.development), wanted.models)
    in_time = families(kind, len(splits.development), wanted.models, columns=bench.width)
    planned = wanted.evals or default_evaluations(
        len(in_time),
        len(splits.development),
        bench.width,
        folds=len(splits.tuning),
        n_classes=len(problem.classes),
    )
    entries = in_time[:planned]
    counter = Counter(watch, planned + (len(entries) + 1) * len(splits.comparing) + 2)
    leaks = check_data(problem, wanted, splits.development)
    chains = (everyone, for_rows), (for_rows, in_time), (in_time, entries)
    left_out = ([e.name for e in some if e not in kept] for some, kept in chains)
    problem.issues.extend(issues_of_selection(*left_out))
    if announce is not None:
        plan = f"Trying {_counted(planned, 'setting')} of {_counted(len(entries), 'model')}"
        announce(announcement(problem, source, f"{plan}, scored by {main.name}."))

    searched = search(bench, splits, entries, planned, journal, clock, counter)
    compared = compare_chosen(bench, splits, searched.chosen, wanted.alpha, journal, clock, counter)
    winner = best_model(compared.comparisons[main.name])
    pipeline = bench.fitted_pipeline(compared.chosen[winner].candidate, splits.development)
    duplicates = duplicates_across(problem, splits.development, splits.test)
    curve = learning_curve(bench, splits, compared.chosen[winner].candidate, journal)
    counter.step("explain", "learning curve")
    contents = describe_study(
        bench=bench, splits=splits, source=source, settings=wanted, journal=journal,
        searched=searched, compared=compared, winner=winner, pipeline=pipeline,
        duplicates=duplicates, leaks=leaks, curve=curve, seconds=clock.seconds,
    )  # fmt: skip
    counter.step("explain", "importances")
    return Study(with_costs(pipeline, problem, wanted), result_of(contents), contents)


def result_of(contents: SupervisedContents) -> dict[str, Any]:
    """Return what ``result.json`` holds: equal for equal seeds, except ``times``."""
    run_card = contents.run
    timed = ("fit_seconds", "predict_seconds")
    rows = plain(contents.leaderboard)
    return {
        "format": FORMAT,
        "gramian": gramian.__version__,
        "complete": run_card.complete,
        "task": run_card.task,
        "reason": run_card.reason,
        "target": run_card.target,
        "metric": run_card.metric,
        "seed": run_card.seed,
        "evaluations": plain(run_card.evaluations),
        "data": plain(run_card.data),
        "split": run_card.split,
        "winner": run_card.winner,
        "headline": list(contents.headline),
        "verdict": list(contents.verdict),
        "test": plain(contents.test),
        "leaderboard": [{k: v for k, v in row.items() if k not in timed} for row in rows],
        "comparison": plain(contents.comparison),
        "checks": plain(contents.checks),
        "times": {
            "seconds": run_card.seconds,
            "models": {row["name"]: {k: row[k] for k in timed} for row in rows},
        },
    }


def _seconds_before(journal: Journal) -> float:
    """Return the seconds that the journal says were spent before."""
    total = 0.0
    for value in journal.values():
        if isinstance(value, dict):
            spent = value.get("seconds", 0.0)
            total += sum(spent) if isinstance(spent, list) else float(spent)
    return total


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
