"""Three plain sentences: how good the best model is, what equals it, whether it beats nothing."""

from typing import Any

from gramian.evaluate.comparison import Comparison
from gramian.study.metrics import Metric
from gramian.study.trial import BASELINE


def verdict(
    winner: str,
    metric: Metric,
    test: dict[str, Any],
    n_test: int,
    comparison: Comparison,
    alpha: float,
) -> list[str]:
    """Say what was found."""
    return [
        _how_good(winner, metric, test, n_test, alpha),
        _what_equals(winner, comparison),
        _against_nothing(winner, metric, comparison),
    ]


def _how_good(winner: str, metric: Metric, test: dict[str, Any], n: int, alpha: float) -> str:
    found = test.get(metric.name)
    if found is None:
        return f"The best model is {winner}; its {metric.name} cannot be told on {n} test rows."
    text = (
        f"The best model is {winner}: {metric.name} {found['value']:.4g} on {n} rows it never saw"
    )
    if found["low"] == found["low"]:  # not NaN
        text += f" ({100 * (1 - alpha):g} % interval {found['low']:.4g} to {found['high']:.4g})"
    return text + "."


def _what_equals(winner: str, comparison: Comparison) -> str:
    others = [n for n in comparison.names if n not in (winner, BASELINE)]
    how = f"(corrected resampled t test over {comparison.scores.shape[1]} splits, Holm, level "
    how += f"{comparison.alpha:g})"
    if not others:
        return "No other model was compared with it."
    alike = [n for n in others if comparison.pair(winner, n).p_adjusted > comparison.alpha]
    if not alike:
        return f"It is better than each of the other {len(others)} models {how}."
    if len(alike) == len(others):
        return f"It cannot be told apart from any of the others, {_and(alike)} {how}."
    return f"It cannot be told apart from {_and(alike)}; the others are worse {how}."


def _against_nothing(winner: str, metric: Metric, comparison: Comparison) -> str:
    if BASELINE not in comparison.names:
        return "There is no baseline for this metric."
    pair = comparison.pair(winner, BASELINE)
    at = comparison.names.index(BASELINE)
    value = metric.score(comparison.intervals[at].estimate)
    first = comparison.names.index(winner) < at
    if first and pair.p_adjusted <= comparison.alpha:
        return (
            f"It beats the baseline, which looks at no column and has {metric.name} {value:.4g} "
            f"(adjusted p = {pair.p_adjusted:.2g})."
        )
    return (
        f"It is not shown to beat the baseline, which looks at no column and has {metric.name} "
        f"{value:.4g}: do not use it before more rows say otherwise."
    )


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
