"""The leaderboard and the pairwise tests of the report."""

import numpy as np

from gramian.evaluate.comparison.comparison import Comparison
from gramian.evaluate.comparison.rank_comparison import critical_difference
from gramian.study.contents.comparison import ModelComparison, Pair
from gramian.study.contents.leaderboard import LeaderboardRow, MetricScore
from gramian.study.contents.values import defined
from gramian.study.findings.standings import standings
from gramian.study.problem.metrics import Metric
from gramian.study.problem.splits import Splits
from gramian.study.search.final_comparison import FinalComparison
from gramian.study.search.trial import BASELINE, Workbench


def leaderboard(
    bench: Workbench, compared: FinalComparison, winner: str
) -> tuple[LeaderboardRow, ...]:
    """Return every model with its scores by every metric, sorted by the main metric."""
    comparison = compared.comparisons[bench.main.name]
    ranks = dict(zip(comparison.names, comparison.mean_ranks.tolist(), strict=True))
    found = standings(comparison)
    rows = []
    for name in comparison.names:
        chosen, standing = compared.chosen[name], found[name]
        rows.append(
            LeaderboardRow(
                name=name,
                params=chosen.candidate.params,
                tried=chosen.tried,
                is_baseline=name == BASELINE,
                is_winner=name == winner,
                warnings=tuple(chosen.warnings),
                rank=ranks[name],
                groups=_groups(comparison, name),
                status=standing.status,
                p_best=standing.p,
                as_good=standing.as_good,
                train=float(np.mean(compared.train_scores[name])),
                metrics={
                    m.name: _score(m, compared.comparisons[m.name], name)
                    for m in bench.metrics
                    if m.name in compared.comparisons and name in compared.comparisons[m.name].names
                },
                fit_seconds=compared.fit_seconds[name],
                predict_seconds=compared.predict_seconds[name],
            )
        )
    return tuple(rows)


def _score(metric: Metric, comparison: Comparison, name: str) -> MetricScore:
    at = comparison.names.index(name)
    interval, standing = comparison.intervals[at], standings(comparison)[name]
    ends = sorted([metric.score(interval.low) + 0.0, metric.score(interval.high) + 0.0])  # no -0
    return MetricScore(
        mean=metric.score(interval.estimate),
        low=defined(ends[0]),
        high=defined(ends[1]),
        folds=tuple(metric.score(v) for v in comparison.scores[at].tolist()),
        rank=float(comparison.mean_ranks[at]),
        groups=_groups(comparison, name),
        status=standing.status,
        p_best=standing.p,
        as_good=standing.as_good,
    )


def _groups(comparison: Comparison, name: str) -> tuple[int, ...]:
    """Return the numbers of the groups of a model."""
    return tuple(g for g, group in enumerate(comparison.groups) if name in group)


def describe_comparison(comparison: Comparison, splits: Splits) -> ModelComparison:
    """Return the pairwise tests."""
    count = comparison.scores.shape[1]
    return ModelComparison(
        test="corrected resampled t test",
        adjust=comparison.adjust,
        alpha=comparison.alpha,
        splits=count,
        test_over_train=splits.test_over_train,
        rope=comparison.pairs[0].posterior.rope if comparison.pairs else None,
        groups=tuple(tuple(group) for group in comparison.groups),
        critical_difference=critical_difference(
            len(comparison.names), count, alpha=comparison.alpha
        ),
        pairs=tuple(
            Pair(
                first=pair.first,
                second=pair.second,
                difference=np.nan if pair.result.estimate is None else pair.result.estimate,
                low=defined(pair.result.interval[0]) if pair.result.interval else None,
                high=defined(pair.result.interval[1]) if pair.result.interval else None,
                p=pair.result.p_value,
                p_adjusted=pair.p_adjusted,
                better=pair.posterior.better,
                same=pair.posterior.same,
                worse=pair.posterior.worse,
            )
            for pair in comparison.pairs
        ),
    )
