"""Models against the best: few comparisons, and practical equivalence apart from significance."""

import numpy as np
import pytest

from gramian.evaluate import compare_scores, corrected_t_test
from gramian.study.findings.standings import best_model, standings, usefulness


def compared(scores, rope=0.01, **others):
    return compare_scores(
        scores, test_over_train=0.25, tested_rows=500, baseline="baseline", rope=rope, **others
    )


@pytest.fixture
def noise(rng):
    return rng.normal(0, 0.01, size=(8, 10))


def test_p_values_are_adjusted_for_the_comparisons_with_the_best_only(noise):
    """Of 6 models 15 pairs could be tested; 5 are, and so smaller differences show."""
    scores = {name: 0.8 + noise[i] for i, name in enumerate("ABCDE")}
    scores["B"] = scores["B"] + 0.03
    scores["baseline"] = 0.5 + noise[7]
    comparison = compared(scores)
    found = standings(comparison)
    best = best_model(comparison)
    plain = {
        name: corrected_t_test(scores[best], scores[name], test_over_train=0.25).p_value
        for name in scores
        if name != best
    }
    for place, name in enumerate(sorted(plain, key=plain.get)):
        assert found[name].p >= (5 - place) * plain[name] * (1 - 1e-9)
        assert found[name].p <= comparison.pair(best, name).p_adjusted
    assert found["baseline"].p == pytest.approx(5 * plain["baseline"])


def test_a_model_is_as_good_only_within_the_stated_region(noise):
    wide = {"A": 0.8 + 10 * noise[0], "B": 0.79 + 10 * noise[1], "baseline": 0.5 + noise[2]}
    assert standings(compared(wide))["B"].status == "undecided"
    near = {"A": 0.8 + noise[0], "B": 0.799 + noise[0], "baseline": 0.5 + noise[2]}
    found = standings(compared(near))["B"]
    assert found.status == "equivalent"  # though it is worse on every split
    assert found.difference == pytest.approx(0.001)
    assert found.as_good >= 0.95
    assert standings(compared(near, rope=0.0005))["B"].status == "worse"


def test_the_baseline_is_never_the_best(noise):
    comparison = compared({"baseline": 0.8 + noise[0], "A": 0.7 + noise[1]})
    assert best_model(comparison) == "A"
    assert standings(comparison)["baseline"].difference < 0
    useful = usefulness({"accuracy": comparison}, "accuracy")
    assert not useful.is_useful
    assert useful.gain < 0


def test_an_unbalanced_table_with_a_good_ranking_is_useful(noise):
    """31% of the rows are positive, the area is 0.78: accuracy alone cannot see it."""
    accuracy = compared({"A": 0.695 + noise[0], "baseline": 0.69 + noise[1]})
    area = compared({"A": 0.78 + noise[2], "baseline": np.full(10, 0.5)})
    assert not usefulness({"accuracy": accuracy}, "accuracy").is_useful
    found = usefulness({"accuracy": accuracy, "roc_auc": area}, "accuracy")
    assert (found.by_metric, found.by_auc, found.is_useful) == (False, True, True)
    assert found.auc == pytest.approx(0.78, abs=0.01)
    assert found.p_auc == 2 * area.pair("A", "baseline").result.p_value
    below = compared({"A": 0.3 + noise[2], "baseline": np.full(10, 0.5)})
    assert not usefulness({"accuracy": accuracy, "roc_auc": below}, "accuracy").is_useful


def test_without_a_baseline_nothing_is_said_about_use(noise):
    assert usefulness({"r2": compared({"A": noise[0], "B": noise[1]})}, "r2") is None
