"""Models at their default settings, compared on all rows of a table, without tuning."""

from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from gramian.base.errors import ParameterError
from gramian.data.reading import loaded_table
from gramian.evaluate.comparison.comparison import Comparison
from gramian.study.announcement import Announce, announcement
from gramian.study.findings.standings import Standing, standings, usefulness
from gramian.study.findings.verdict import comparison_sentences
from gramian.study.journal import Journal
from gramian.study.problem.checks import check_data, without_copies
from gramian.study.problem.costs import cost_metric, decision_rule
from gramian.study.problem.metrics import Metric, choose_metric, metrics_for
from gramian.study.problem.problem import LearningProblem, pose_problem
from gramian.study.problem.splits import comparing_splits
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.search.final_comparison import compare_chosen
from gramian.study.search.search import Chosen
from gramian.study.search.spaces import families, has_proba, settings_at
from gramian.study.search.trial import Candidate, Workbench
from gramian.study.settings import Settings


@dataclass(frozen=True, eq=False)
class ComparedTable:
    """Models compared on a table.

    Attributes
    ----------
    problem
        The problem found in the table, with the issues of the data.
    metric
        The metric compared by.
    comparison
        The comparison, by scores for which higher is better.
    sentences
        The findings: on the best model, the others, and the baseline.
    """

    problem: LearningProblem
    metric: Metric
    comparison: Comparison
    sentences: list[str]

    @property
    def standings(self) -> dict[str, Standing]:
        """The comparison of every model, including the baseline, with the best."""
        return standings(self.comparison)


def compare_table(
    table: Any,
    settings: Settings,
    watch: Watch | None = None,
    announce: Announce | None = None,
) -> ComparedTable:
    """Compare models at their default settings over repeated folds of all rows.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow, or the result of `gramian.read_table`.
    settings
        Settings; the search settings have no effect.
    watch
        Function called after each fit.
    announce
        Function called once, before the first fit, with lines of text: the table, the task and the
        issues of the data.
    """
    with Journal(None) as journal, threadpool_limits(1, user_api="blas"):
        source = loaded_table(table)
        if settings.task == "clustering":
            raise ParameterError(
                "task must be auto, classification or regression to compare models; got "
                "'clustering'."
            )
        problem = without_copies(pose_problem(source.frame, settings, source.formats))
        task: Any = problem.task
        rule = decision_rule(problem, settings)
        own = cost_metric(rule)
        kind = "classifier" if task == "classification" else "regressor"
        have_proba = all(map(has_proba, families(kind, 0, settings.models)))
        main = choose_metric(task, settings.metric, own, have_proba=have_proba)
        splits = comparing_splits(problem, settings)
        bench = Workbench(problem, (*own, *metrics_for(task)), main, settings.seed, rule)
        entries = families(kind, len(problem.rows), settings.models, columns=bench.width)
        check_data(problem, settings, splits.development)
        if announce is not None:
            announce(announcement(problem, source))
        chosen = {
            e.name: Chosen(Candidate(e.name, settings_at(bench.space(e.name), 0, 0)), 0.0, 1)
            for e in entries
        }
        counter = Counter(watch, (len(chosen) + 1) * len(splits.comparing))
        clock = Clock(settings.budget)
        found = compare_chosen(bench, splits, chosen, settings.alpha, journal, clock, counter)
        comparison = found.comparisons[main.name]
        useful = usefulness(found.comparisons, main.name)
        sentences = comparison_sentences(main, comparison, useful)
        return ComparedTable(problem, main, comparison, sentences)
