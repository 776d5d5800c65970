"""A target: models are searched, compared on the same folds, and the best one is tested."""

from dataclasses import replace
from typing import Any

from gramian.base.catalogue import Entry
from gramian.base.errors import ParameterError
from gramian.evaluate.comparison.comparison import listed
from gramian.study.announcement import Announce, announcement
from gramian.study.contents import SupervisedContents
from gramian.study.contents.checks import Issue
from gramian.study.findings.contents import describe_study
from gramian.study.findings.model_issues import issues_of_selection
from gramian.study.findings.standings import best_model
from gramian.study.journal import Journal
from gramian.study.problem.checks import check_data, without_copies
from gramian.study.problem.costs import (
    cost_metric,
    costs_in_order,
    decision_rule,
    with_costs,
)
from gramian.study.problem.duplicates import duplicates_across
from gramian.study.problem.metrics import Metric, choose_metric, metrics_for
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.splits import split_rows
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.rows import Rows
from gramian.study.search.final_comparison import compare_chosen
from gramian.study.search.learning_curve import learning_curve
from gramian.study.search.search import default_evaluations, search
from gramian.study.search.spaces import families, has_proba
from gramian.study.search.trial import Workbench
from gramian.study.settings import Settings


def predict_target(
    problem: LearningProblem,
    rows: Rows,
    wanted: Settings,
    journal: Journal,
    clock: Clock,
    watch: Watch | None,
    announce: Announce | None = None,
) -> tuple[Any, SupervisedContents]:
    """Return the fitted pipeline and the contents of the report."""
    source, problem = rows.table, without_copies(problem)
    task: Any = problem.task
    rule = decision_rule(problem, wanted)
    if wanted.costs is not None:
        ordered = costs_in_order(wanted.costs, wanted.cost_classes, problem.classes)
        wanted = replace(wanted, costs=ordered, cost_classes=None)
    own = cost_metric(rule)
    kind = "classifier" if task == "classification" else "regressor"
    everyone = families(kind, 0, wanted.models)
    fittable = _fittable(everyone, rows, problem, named=wanted.models is not None)
    have_proba = all(map(has_proba, fittable))
    main = choose_metric(task, wanted.metric, own, have_proba=have_proba)
    metrics: tuple[Metric, ...] = (*own, *metrics_for(task))
    held_out = None if rows.held_out is None else rows.held_out[problem.rows]
    splits = split_rows(problem, wanted, held_out)
    bench = Workbench(problem, metrics, main, wanted.seed, rule)
    for_rows = families(kind, len(splits.development), wanted.models)
    in_time = families(kind, len(splits.development), wanted.models, columns=bench.width)
    for_rows, in_time = ([e for e in some if e in fittable] for some in (for_rows, in_time))
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
    chains = (fittable, for_rows), (for_rows, in_time), (in_time, entries)
    left_out = ([e.name for e in some if e not in kept] for some, kept in chains)
    problem.issues.extend(issues_of_selection(*left_out))
    if announce is not None:
        plan = f"Trying {_counted(planned, 'setting')} of {_counted(len(entries), 'model')}"
        announce(announcement(problem, source, f"{plan}, scored by {main.name}."))

    searched = search(bench, splits, entries, planned, journal, clock, counter)
    compared = compare_chosen(bench, splits, searched.chosen, wanted.alpha, journal, clock, counter)
    winner = best_model(compared.comparisons[main.name])
    pipeline = rows.fitted(bench, compared.chosen[winner].candidate, splits.development)
    duplicates = duplicates_across(problem, splits.development, splits.test)
    curve = learning_curve(bench, splits, compared.chosen[winner].candidate, journal)
    counter.step("explain", "learning curve")
    contents = describe_study(
        bench=bench, splits=splits, source=source, settings=wanted, journal=journal,
        searched=searched, compared=compared, winner=winner, pipeline=pipeline,
        duplicates=duplicates, leaks=leaks, curve=curve, seconds=clock.seconds,
    )  # fmt: skip
    if counts := rows.counts():
        data = replace(contents.run.data, rows=counts["rows"])
        steps = (
            f"It was chosen on a sample of {len(splits.development):,} rows, fitted to all "
            f"{counts['fitted']:,} training rows, and tested on {len(splits.test):,} of "
            f"{counts['held_out']:,} held-out rows."
        )
        contents = replace(
            contents,
            run=replace(contents.run, data=data),
            verdict=(*contents.verdict, steps),
        )
    counter.step("explain", "importances")
    return with_costs(pipeline, problem, wanted), contents


def _fittable(
    entries: list[Entry], rows: Rows, problem: LearningProblem, *, named: bool
) -> list[Entry]:
    """Return the models that can be fitted to the rows; the others become an issue or an error."""
    reasons = {e.name: why for e in entries if (why := rows.why_not(e.name)) is not None}
    if reasons:
        name, why = next(iter(reasons.items()))
        if named:
            raise ParameterError(
                f"models: {name} cannot be used for a table read in chunks: {why}. Leave it out, "
                "or read the whole table."
            )
        text = f"Not tried, because the table is read in chunks: {listed(list(reasons))}."
        remedy = f"For {name}: {why}. Read the whole table to try it."
        problem.issues.append(Issue("not-by-chunks", "note", text, remedy))
    return [e for e in entries if e.name not in reasons]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
