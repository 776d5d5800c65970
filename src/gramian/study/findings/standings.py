"""Comparison of each model with the best one, and of the best one with the baseline.

Only comparisons with the best model enter the verdict, so p-values are adjusted (Holm) for these
and not for every pair. A model is practically as good
as the best if its true mean score is at most `rope` worse with a posterior probability of 0.95
(Benavoli, Corani, Demsar and Zaffalon, JMLR 18, 2017). Verdict, leaderboard and checks use these
results.
"""

from dataclasses import dataclass

from gramian.evaluate.comparison.comparison import Comparison
from gramian.evaluate.hypothesis_tests.multiple_testing import adjust_p_values
from gramian.study.contents.leaderboard import Status
from gramian.study.search.trial import BASELINE

SURE = 0.95  # posterior probability from which a model is practically as good as the best
_CHANCE_METRIC = "roc_auc"


@dataclass(frozen=True)
class Standing:
    """One model against the best.

    Attributes
    ----------
    status
        ``"best"``; ``"equivalent"``: practically as good; ``"worse"``: significantly worse;
        ``"undecided"``: neither.
    difference
        Mean score of the best minus its own; higher scores are better.
    p
        P-value of "both are equally good", adjusted for all comparisons with the best.
    as_good
        Posterior probability that it is at most `rope` worse than the best.
    """

    status: Status
    difference: float
    p: float
    as_good: float


@dataclass(frozen=True)
class Usefulness:
    """Whether the best model is significantly better than the baseline.

    Attributes
    ----------
    by_metric, p_metric
        The answer by the main metric, with its p-value, adjusted for all comparisons with the
        best.
    by_auc, p_auc
        The answer by the area under the ROC curve; its p-value is doubled because it is a second
        test. False and 1 for a numeric target.
    auc
        Mean area of the best model; NaN if there is none.
    gain
        Mean score of the best minus the baseline's, by the main metric.
    """

    by_metric: bool
    p_metric: float
    by_auc: bool
    p_auc: float
    auc: float
    gain: float

    @property
    def is_useful(self) -> bool:
        """Whether it is better than the baseline by either test."""
        return self.by_metric or self.by_auc


def best_model(comparison: Comparison) -> str:
    """Return the model with the highest mean score, other than the baseline."""
    return next(name for name in comparison.names if name != BASELINE)


def standings(comparison: Comparison) -> dict[str, Standing]:
    """Compare every model, including the baseline, with the best."""
    best = best_model(comparison)
    means = dict(zip(comparison.names, comparison.scores.mean(axis=1).tolist(), strict=True))
    others = [name for name in comparison.names if name != best]
    pairs = {name: comparison.pair(best, name) for name in others}
    adjusted = adjust_p_values([pairs[name].result.p_value for name in others], "holm")
    found = {best: Standing("best", 0.0, 1.0, 1.0)}
    for name, p in zip(others, adjusted.tolist(), strict=True):
        belief = pairs[name].posterior
        as_good = 1 - (belief.better if pairs[name].first == best else belief.worse)
        difference = means[best] - means[name]
        status: Status = "undecided"
        if as_good >= SURE:
            status = "equivalent"
        elif p <= comparison.alpha and difference > 0:
            status = "worse"
        found[name] = Standing(status, difference, p, as_good)
    return {name: found[name] for name in comparison.names}


def usefulness(comparisons: dict[str, Comparison], main: str) -> Usefulness | None:
    """Return whether the best model by the main metric is useful; None without a baseline."""
    comparison = comparisons[main]
    if BASELINE not in comparison.names:
        return None
    best = best_model(comparison)
    base = standings(comparison)[BASELINE]
    by_auc, p_auc, auc = False, 1.0, float("nan")
    areas = comparisons.get(_CHANCE_METRIC)
    if areas is not None and {best, BASELINE} <= set(areas.names):
        pair = areas.pair(best, BASELINE)
        auc = float(areas.scores[areas.names.index(best)].mean())
        p_auc = min(1.0, 2 * pair.result.p_value)
        by_auc = pair.first == best and p_auc <= areas.alpha
    return Usefulness(
        by_metric=base.difference > 0 and base.p <= comparison.alpha,
        p_metric=base.p,
        by_auc=by_auc,
        p_auc=p_auc,
        auc=auc,
        gain=base.difference,
    )
