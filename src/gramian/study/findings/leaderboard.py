"""The leaderboard and the pairwise tests of the report."""

from typing import Any

import numpy as np

from gramian.evaluate.comparison.comparison import Comparison
from gramian.evaluate.comparison.rank_comparison import critical_difference
from gramian.study.findings.standings import Standing, standings
from gramian.study.problem.splits import Splits
from gramian.study.search.final_comparison import FinalComparison
from gramian.study.search.trial import BASELINE, Workbench


def leaderboard(bench: Workbench, compared: FinalComparison, winner: str) -> list[dict[str, Any]]:
    """Return every model with its scores by every metric, the best by the main one first."""
    comparison = compared.comparisons[bench.main.name]
    ranks = dict(zip(comparison.names, comparison.mean_ranks.tolist(), strict=True))
    found = standings(comparison)
    rows = []
    for name in comparison.names:
        chosen = compared.chosen[name]
        rows.append(
            {
                "name": name,
                "params": chosen.candidate.params,
                "tried": chosen.tried,
                "is_baseline": name == BASELINE,
                "is_winner": name == winner,
                "warnings": chosen.warnings,
                "rank": ranks[name],
                **_standing(comparison, name, found),
                "train": float(np.mean(compared.train_scores[name])),
                "metrics": {
                    m.name: _metric_row(m, compared.comparisons[m.name], name)
                    for m in bench.metrics
                    if m.name in compared.comparisons and name in compared.comparisons[m.name].names
                },
                "fit_seconds": compared.fit_seconds[name],
                "predict_seconds": compared.predict_seconds[name],
            }
        )
    return rows


def _metric_row(metric: Any, comparison: Comparison, name: str) -> dict[str, Any]:
    at = comparison.names.index(name)
    interval = comparison.intervals[at]
    ends = sorted([metric.score(interval.low) + 0.0, metric.score(interval.high) + 0.0])  # no -0
    return {
        "mean": metric.score(interval.estimate),
        "low": ends[0],
        "high": ends[1],
        "folds": [metric.score(v) for v in comparison.scores[at].tolist()],
        "rank": float(comparison.mean_ranks[at]),
        **_standing(comparison, name, standings(comparison)),
    }


def _standing(comparison: Comparison, name: str, found: dict[str, Standing]) -> dict[str, Any]:
    """Return the groups of a model, and how it stands against the best."""
    standing = found[name]
    return {
        "groups": [g for g, group in enumerate(comparison.groups) if name in group],
        "status": standing.status,
        "p_best": standing.p,
        "as_good": standing.as_good,
    }


def describe_comparison(comparison: Comparison, splits: Splits) -> dict[str, Any]:
    """Return the pairwise tests."""
    k = len(comparison.names)
    return {
        "test": "corrected resampled t test",
        "adjust": comparison.adjust,
        "alpha": comparison.alpha,
        "splits": comparison.scores.shape[1],
        "test_over_train": splits.test_over_train,
        "rope": comparison.pairs[0].posterior.rope if comparison.pairs else None,
        "groups": [list(group) for group in comparison.groups],
        "critical_difference": critical_difference(
            k, comparison.scores.shape[1], alpha=comparison.alpha
        ),
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair.result.estimate,
                "low": pair.result.interval[0] if pair.result.interval else None,
                "high": pair.result.interval[1] if pair.result.interval else None,
                "p": pair.result.p_value,
                "p_adjusted": pair.p_adjusted,
                "better": pair.posterior.better,
                "same": pair.posterior.same,
                "worse": pair.posterior.worse,
            }
            for pair in comparison.pairs
        ],
    }
