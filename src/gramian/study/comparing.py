"""Models at their default settings, compared on all rows of a table, without tuning."""

from typing import Any

from threadpoolctl import threadpool_limits

from gramian.data.reading import loaded_table
from gramian.evaluate.comparison.comparison import Comparison
from gramian.study.journal import Journal
from gramian.study.problem.costs import cost_metric, decision_rule
from gramian.study.problem.metrics import choose_metric, metrics_for
from gramian.study.problem.problem import LearningProblem, pose_problem
from gramian.study.problem.splits import comparing_splits
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.search.final_comparison import compare_chosen
from gramian.study.search.search import Chosen
from gramian.study.search.spaces import families, has_proba, settings_at
from gramian.study.search.trial import Candidate, Workbench
from gramian.study.settings import Settings


def compare_table(
    table: Any, settings: Settings, watch: Watch | None = None
) -> tuple[LearningProblem, Comparison]:
    """Compare models at their default settings over repeated folds of all rows.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow, or what `gramian.read_table` returned.
    settings
        Settings; those of the search have no effect.
    watch
        Function called after each fit.

    Returns
    -------
    problem, comparison
        The problem found in the table, and the comparison of the models.
    """
    with Journal(None) as journal, threadpool_limits(1, user_api="blas"):
        source = loaded_table(table)
        problem = pose_problem(source.frame, settings, source.formats)
        task: Any = problem.task
        rule = decision_rule(problem, settings)
        own = cost_metric(rule)
        kind = "classifier" if task == "classification" else "regressor"
        entries = families(kind, len(problem.rows), settings.models)
        have_proba = all(map(has_proba, entries))
        main = choose_metric(task, settings.metric, own, have_proba=have_proba)
        splits = comparing_splits(problem, settings)
        bench = Workbench(problem, (*own, *metrics_for(task)), main, settings.seed, rule)
        chosen = {
            e.name: Chosen(Candidate(e.name, settings_at(bench.space(e.name), 0, 0)), 0.0, 1)
            for e in entries
        }
        counter = Counter(watch, (len(chosen) + 1) * len(splits.comparing))
        clock = Clock(settings.budget)
        found = compare_chosen(bench, splits, chosen, settings.alpha, journal, clock, counter)
        return problem, found.comparisons[main.name]
