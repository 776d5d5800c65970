"""Parts of a study, made without a study."""

from gramian.study.problem.costs import cost_metric, decision_rule
from gramian.study.problem.metrics import choose_metric, metrics_for
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.search.trial import Workbench
from gramian.study.settings import Settings


def bench_of(frame, **options):
    """Return the workbench, the splits and the settings of a problem."""
    settings = Settings(**options)
    problem = pose_problem(frame, settings)
    rule = decision_rule(problem, settings)
    own = cost_metric(rule)
    main = choose_metric(problem.task, settings.metric, own)
    metrics = (*own, *metrics_for(problem.task))
    bench = Workbench(problem, metrics, main, settings.seed, rule)
    return bench, split_rows(problem, settings), settings
