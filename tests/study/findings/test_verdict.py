"""Three sentences that say what the tests found, also where there are few models."""

import numpy as np
import pytest

from gramian.evaluate import compare_scores
from gramian.study.findings.verdict import verdict
from gramian.study.problem.metrics import choose_metric

ACCURACY = choose_metric("classification", "accuracy")
TEST = {"accuracy": {"value": 0.9, "low": 0.8, "high": 0.95}}


def sentences(**means):
    """Scores of models over ten splits: equal noise, so that means differ clearly or not at all."""
    noise = 0.01 * np.sin(2 * np.pi * np.arange(10) / 10)
    scores = {
        name: mean + noise * (1 + place / 10) - 1e-6 * place
        for place, (name, mean) in enumerate(means.items())
    }
    scores["baseline"] = 0.5 + np.zeros(10)
    comparison = compare_scores(scores, test_over_train=0.25, tested_rows=500, baseline="baseline")
    return verdict(comparison.names[0], ACCURACY, TEST, 40, comparison, 0.05)


def test_the_first_sentence_has_the_score_and_its_interval():
    first, _, _ = sentences(Ridge=0.9)
    assert first == (
        "The best model is Ridge: accuracy 0.9 on 40 test rows (95 % interval 0.8 to 0.95)."
    )


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ({"Ridge": 0.9}, "No other model was compared with it."),
        ({"Ridge": 0.9, "Lasso": 0.8}, "It is significantly better than Lasso (corrected"),
        ({"A": 0.9, "B": 0.8, "C": 0.7}, "better than each of the other 2 models (corrected"),
        (
            {"A": 0.9, "B": 0.9},
            "does not differ significantly from B, the only other model (corrected",
        ),
        ({"A": 0.9, "B": 0.9, "C": 0.9}, "significantly from any other model: B and C (corrected"),
        (
            {"A": 0.9, "B": 0.9, "C": 0.7},
            "from B; the other model is significantly worse (corrected",
        ),
        (
            {"A": 0.9, "B": 0.9, "C": 0.7, "D": 0.7},
            "significantly from B; the other 2 models are significantly worse (corrected",
        ),
        (
            {"RandomForestClassifier": 0.9, "LogisticRegression": 0.9, "B": 0.9},
            "LogisticRegression and B, of which LogisticRegression is the simplest (corrected",
        ),
    ],
)
def test_the_second_says_what_equals_it(means, words):
    assert words in sentences(**means)[1]


def test_the_third_compares_with_both_baselines():
    forest = "RandomForestClassifier"
    third = sentences(**{forest: 0.9, "LogisticRegression": 0.8})[2]
    assert third.startswith(
        "It is significantly better than the baseline, which ignores all features and has accuracy"
    )
    assert third.endswith(", and than the best linear model, LogisticRegression (0.8).")
    third = sentences(**{forest: 0.9, "LogisticRegression": 0.9})[2]
    assert third.endswith(
        ", but not significantly better than the best linear model, LogisticRegression (0.9)."
    )
    assert "linear" not in sentences(LogisticRegression=0.9, Ridge=0.8)[2]
    assert "not significantly better than the baseline" in sentences(LogisticRegression=0.5001)[2]
