"""The verdict: the best model, the models as good as it, and the baseline.

Every sentence uses the results of `standings` and `usefulness`, so no other section contradicts it.
"""

from gramian.evaluate.comparison.comparison import Comparison, listed
from gramian.study.contents.checks import Issue
from gramian.study.contents.held_out import HeldOutScore
from gramian.study.findings.p_values import p_text
from gramian.study.findings.standings import Usefulness, best_model, standings
from gramian.study.problem.metrics import Metric
from gramian.study.search.spaces import LINEAR, space_of
from gramian.study.search.trial import BASELINE

_ROUNDING = 1e-15


def headline(issues: list[Issue]) -> tuple[str, ...]:
    """Return the texts of the serious issues, which come before every other statement."""
    return tuple(issue.text for issue in issues if issue.severity == "serious")


def verdict(
    metric: Metric,
    test: dict[str, HeldOutScore],
    n_test: int,
    comparison: Comparison,
    useful: Usefulness | None,
    alpha: float,
) -> tuple[str, str, str]:
    """Return three sentences: on the best model, on the others, and on the baseline."""
    return (
        _describe_best(best_model(comparison), metric, test, n_test, alpha),
        _others(metric, comparison),
        _against_baseline(metric, comparison, useful),
    )


def comparison_sentences(
    metric: Metric, comparison: Comparison, useful: Usefulness | None
) -> list[str]:
    """Return three sentences on models that were compared without a final test."""
    best = best_model(comparison)
    interval = comparison.intervals[comparison.names.index(best)]
    text = f"{best} has the best mean {metric.name}: {_shown(metric.score(interval.estimate))}"
    ends = sorted(metric.score(v) for v in (interval.low, interval.high))
    if ends[0] == ends[0]:  # not NaN
        confidence = f"{100 * interval.confidence:g}% interval"
        text += f" ({confidence} {_shown(ends[0])} to {_shown(ends[1])})"
    better = "higher" if metric.greater_is_better else "lower"
    return [
        f"{text}; {better} is better.",
        _others(metric, comparison),
        _against_baseline(metric, comparison, useful),
    ]


def _describe_best(
    winner: str, metric: Metric, test: dict[str, HeldOutScore], n: int, alpha: float
) -> str:
    found = test.get(metric.name)
    if found is None:
        return f"The best model is {winner}; its {metric.name} is undefined on {n} test rows."
    rows = "1 test row" if n == 1 else f"{n} test rows"
    text = f"The best model is {winner}: its {metric.name} on {rows} is {_shown(found.value)}"
    if found.low is not None and found.high is not None:
        ends = f"{_shown(found.low)} to {_shown(found.high)}"
        text += f" ({100 * (1 - alpha):g}% interval {ends})"
    correct = test.get("accuracy")
    if correct is not None and metric.name != "accuracy":
        text += f", and it classifies {_percent(correct.value, n)} of them correctly"
    return text + "."


def _others(metric: Metric, comparison: Comparison) -> str:
    found = {name: s for name, s in standings(comparison).items() if name != BASELINE}
    equal, open_, worse = (
        [name for name, standing in found.items() if standing.status == status]
        for status in ("equivalent", "undecided", "worse")
    )
    if len(found) == 1:
        return "No other model was compared with it."
    rope = f"{comparison.pairs[0].posterior.rope:.2g}"
    parts = []
    if equal:
        verb = "is" if len(equal) == 1 else "are"
        parts.append(
            f"{listed(equal)} {verb} practically as good (at most {rope} worse in {metric.name} "
            f"with 95% probability){_simplest(metric, comparison, equal)}"
        )
    if open_:
        parts.append(
            f"the data show no reliable difference between it and {listed(open_)}, "
            f"{_means(metric, comparison, open_)}"
        )
    if worse:
        rest = listed(worse) if len(worse) < 4 or not parts else f"the other {len(worse)} models"
        verb = "is" if len(worse) == 1 else "are"
        parts.append(f"{rest} {verb} significantly worse")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]} ({_describe_test(comparison)})."


def _means(metric: Metric, comparison: Comparison, names: list[str]) -> str:
    """Describe the mean scores of some models next to the best model's mean."""
    values = sorted({_shown(_mean(metric, comparison, name)) for name in names}, key=float)
    best = _mean(metric, comparison, best_model(comparison))
    ends = values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"
    return f"whose mean {metric.name} is {ends}, compared with {_shown(best)}"


def _simplest(metric: Metric, comparison: Comparison, equal: list[str]) -> str:
    """Name the simplest model that is practically as good, with its score and the best one."""
    best = best_model(comparison)
    name = min(equal, key=lambda n: space_of(n).simple)
    if space_of(name).simple >= space_of(best).simple:
        return ""
    ours, theirs = (_mean(metric, comparison, n) for n in (best, name))
    who = "it" if len(equal) == 1 else name
    scores = f"mean {metric.name} {_shown(theirs)}, compared with {_shown(ours)}"
    return f", and {who} is simpler to explain ({scores})"


def _describe_test(comparison: Comparison) -> str:
    return (
        f"corrected resampled t test over {comparison.scores.shape[1]} splits, adjusted for "
        f"{len(comparison.names) - 1} comparisons by Holm's method, level {comparison.alpha:g}"
    )


def _against_baseline(metric: Metric, comparison: Comparison, useful: Usefulness | None) -> str:
    if useful is None:
        return "There is no baseline for this metric."
    base = "the baseline, which ignores all features"
    score = f"{metric.name} {_shown(_mean(metric, comparison, BASELINE))}"
    alpha = comparison.alpha
    if useful.by_metric:
        return (
            f"It is significantly better than {base} ({score}, adjusted "
            f"{_p(useful.p_metric, alpha)})"
            f"{_against_linear(metric, comparison)}."
        )
    if useful.by_auc:
        return (
            f"By {metric.name} it is not significantly better than {base} ({score}), but it ranks "
            f"rows better than chance (AUC {useful.auc:.3g}, adjusted {_p(useful.p_auc, alpha)}). "
            "Use its probabilities, with your own threshold or costs."
        )
    return (
        f"It is not significantly better than {base} ({score}): don't rely on it until you have "
        "more data."
    )


def _against_linear(metric: Metric, comparison: Comparison) -> str:
    """Compare with the best linear model, a second baseline."""
    linear = [name for name in comparison.names if name in LINEAR]
    if not linear or best_model(comparison) in LINEAR:
        return ""
    standing = standings(comparison)[linear[0]]
    if standing.status == "equivalent":
        return ""  # already in the second sentence
    words = "and than" if standing.status == "worse" else "but not reliably better than"
    value = _mean(metric, comparison, linear[0])
    return f", {words} the best linear model, {linear[0]} ({_shown(value)})"


def _mean(metric: Metric, comparison: Comparison, name: str) -> float:
    """Return the mean of a model over the splits, in the metric's own direction."""
    return metric.score(float(comparison.scores[comparison.names.index(name)].mean()))


def _p(p: float, alpha: float) -> str:
    text = p_text(p, alpha)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def _shown(value: float) -> str:
    """Return a number with four digits; rounding errors become 0, never -0.

    Examples
    --------
    >>> _shown(0.123456), _shown(-0.0), _shown(-2e-17)
    ('0.1235', '0', '0')
    """
    return f"{0.0 if abs(value) < _ROUNDING else value:.4g}"


def _percent(proportion: float, n: int) -> str:
    """Return a proportion of n rows as a percentage; 100% only if it is all of them."""
    places = 0 if n < 100 or proportion in (0, 1) else 1
    text = f"{100 * proportion:.{places}f}"
    return f"{100 * proportion:.1f}%" if text == "100" and proportion < 1 else f"{text}%"
