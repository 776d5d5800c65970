"""Three sentences: the best model, the models that do not differ from it, and the baseline."""

from typing import Any

from gramian.evaluate.comparison.comparison import Comparison, listed
from gramian.study.problem.metrics import Metric
from gramian.study.search.spaces import LINEAR, space_of
from gramian.study.search.trial import BASELINE


def verdict(
    winner: str,
    metric: Metric,
    test: dict[str, Any],
    n_test: int,
    comparison: Comparison,
    alpha: float,
) -> list[str]:
    """Return the three sentences."""
    return [
        _how_good(winner, metric, test, n_test, alpha),
        _not_different(winner, comparison),
        _against_baseline(winner, metric, comparison),
    ]


def _how_good(winner: str, metric: Metric, test: dict[str, Any], n: int, alpha: float) -> str:
    found = test.get(metric.name)
    if found is None:
        return f"The best model is {winner}; its {metric.name} is undefined on {n} test rows."
    text = f"The best model is {winner}: {metric.name} {found['value']:.4g} on {n} test rows"
    if found["low"] == found["low"]:  # not NaN
        text += f" ({100 * (1 - alpha):g} % interval {found['low']:.4g} to {found['high']:.4g})"
    return text + "."


def _not_different(winner: str, comparison: Comparison) -> str:
    others = [n for n in comparison.names if n not in (winner, BASELINE)]
    if not others:
        return "No other model was compared with it."
    how = (
        f"(corrected resampled t test over {comparison.scores.shape[1]} splits, "
        f"{comparison.adjust.capitalize()}, level {comparison.alpha:g})"
    )
    alike = [n for n in others if comparison.pair(winner, n).p_adjusted > comparison.alpha]
    if not alike:
        rest = others[0] if len(others) == 1 else f"each of the other {len(others)} models"
        return f"It is significantly better than {rest} {how}."
    named = f"{listed(alike)}{_simplest(winner, alike)}"
    if len(alike) < len(others):
        worse = len(others) - len(alike)
        rest = "the other model is" if worse == 1 else f"the other {worse} models are"
        return f"It does not differ significantly from {named}; {rest} significantly worse {how}."
    if len(others) == 1:
        return f"It does not differ significantly from {named}, the only other model {how}."
    return f"It does not differ significantly from any other model: {named} {how}."


def _simplest(winner: str, alike: list[str]) -> str:
    """Name the one that is simplest to explain, if it is simpler than the winner."""
    best = min(alike, key=lambda name: space_of(name).simple)
    if len(alike) == 1 or space_of(best).simple >= space_of(winner).simple:
        return ""
    return f", of which {best} is the simplest"


def _against_baseline(winner: str, metric: Metric, comparison: Comparison) -> str:
    if BASELINE not in comparison.names:
        return "There is no baseline for this metric."
    pair = comparison.pair(winner, BASELINE)
    at = comparison.names.index(BASELINE)
    value = metric.score(comparison.intervals[at].estimate)
    if comparison.names.index(winner) < at and pair.p_adjusted <= comparison.alpha:
        return (
            f"It is significantly better than the baseline, which ignores all features and has "
            f"{metric.name} {value:.4g} (adjusted p = {pair.p_adjusted:.2g})"
            f"{_against_linear(winner, metric, comparison)}."
        )
    return (
        f"It is not significantly better than the baseline, which ignores all features and has "
        f"{metric.name} {value:.4g}: do not use it without more evidence."
    )


def _against_linear(winner: str, metric: Metric, comparison: Comparison) -> str:
    """Compare with the best linear model, a second baseline."""
    linear = [n for n in comparison.names if n in LINEAR]
    if not linear or winner in LINEAR:
        return ""
    value = metric.score(comparison.intervals[comparison.names.index(linear[0])].estimate)
    better = comparison.pair(winner, linear[0]).p_adjusted <= comparison.alpha
    words = "and than" if better else "but not significantly better than"
    return f", {words} the best linear model, {linear[0]} ({value:.4g})"
