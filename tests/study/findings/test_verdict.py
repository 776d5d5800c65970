"""Three sentences that say what the tests found, also where there are few models."""

import numpy as np
import pytest

from gramian.evaluate import compare_scores
from gramian.study.contents.checks import Issue
from gramian.study.contents.held_out import HeldOutScore
from gramian.study.findings.standings import usefulness
from gramian.study.findings.verdict import headline, verdict
from gramian.study.problem.metrics import choose_metric

ACCURACY = choose_metric("classification", "accuracy")
LOSS = choose_metric("classification", "log_loss")
TEST = {
    "accuracy": HeldOutScore(0.9, 0.8, 0.95, "Wilson"),
    "log_loss": HeldOutScore(0.3, 0.2, 0.4, "bootstrap"),
}
FOREST = "RandomForestClassifier"


def sentences(metric=ACCURACY, spread=0.01, auc=None, **means):
    """Scores of models over ten splits, with noise of its own for every model."""
    rng = np.random.default_rng(1)
    scores = {name: mean + spread * rng.normal(size=10) for name, mean in means.items()}
    scores.setdefault("baseline", 0.5 + 1e-3 * rng.normal(size=10))
    asked = {"test_over_train": 0.25, "tested_rows": 500, "baseline": "baseline"}
    comparisons = {metric.name: compare_scores(scores, **asked)}
    if auc is not None:
        areas = {n: np.full(10, 0.5) if n == "baseline" else auc + scores[n] for n in scores}
        comparisons["roc_auc"] = compare_scores(areas, **asked)
    useful = usefulness(comparisons, metric.name)
    return verdict(metric, TEST, 40, comparisons[metric.name], useful, 0.05)


def test_the_first_sentence_has_the_score_and_its_interval():
    assert sentences(Ridge=0.9)[0] == (
        "The best model is Ridge: its accuracy on 40 test rows is 0.9 (95% interval 0.8 to 0.95)."
    )
    assert sentences(LOSS, Ridge=-0.3)[0] == (
        "The best model is Ridge: its log_loss on 40 test rows is 0.3 (95% interval 0.2 to 0.4), "
        "and it classifies 90% of them correctly."
    )


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ({"Ridge": 0.9}, "No other model was compared with it."),
        ({"Ridge": 0.9, "Lasso": 0.8}, "Lasso is significantly worse (corrected"),
        ({"A": 0.9, "B": 0.8, "C": 0.7}, "B and C are significantly worse (corrected"),
        ({"A": 0.9, "B": 0.9}, "The data show no reliable difference between it and "),
        ({"A": 0.9, "B": 0.9, "C": 0.7}, "; C is significantly worse (corrected"),
        (
            {"A": 0.9, "B": 0.9, "C": 0.7, "D": 0.7, "E": 0.6, "F": 0.6},
            "; the other 4 models are significantly worse (corrected",
        ),
    ],
)
def test_the_second_says_what_equals_it(means, words):
    assert words in sentences(spread=0.02, **means)[1]


def test_the_second_says_how_many_comparisons_were_made():
    assert sentences(A=0.9, B=0.8, C=0.7)[1].endswith(
        "(corrected resampled t test over 10 splits, adjusted for 3 comparisons by Holm's method, "
        "level 0.05)."
    )


def test_a_simpler_model_is_named_only_where_it_is_practically_as_good():
    close = sentences(spread=0.001, **{FOREST: 0.902, "LogisticRegression": 0.9})[1]
    assert close.startswith(
        "LogisticRegression is practically as good (at most 0.01 worse in accuracy with 95% "
        "probability), and it is simpler to explain (mean accuracy 0."
    )
    assert ", compared with 0.90" in close
    unsure = sentences(spread=0.1, **{FOREST: 0.95, "LogisticRegression": 0.9})[1]
    assert "simpler" not in unsure
    assert "difference between it and LogisticRegression, whose mean accuracy is 0." in unsure
    harder = sentences(spread=0.001, **{FOREST: 0.9, "LogisticRegression": 0.902})[1]
    assert "practically as good" in harder
    assert "simpler" not in harder


def test_the_third_compares_with_both_baselines():
    third = sentences(**{FOREST: 0.9, "LogisticRegression": 0.8})[2]
    assert third.startswith(
        "It is significantly better than the baseline, which ignores all features (accuracy "
    )
    assert ", and than the best linear model, LogisticRegression (0.7985)" in third
    third = sentences(spread=0.1, **{FOREST: 0.95, "LogisticRegression": 0.9})[2]
    assert ", but not reliably better than the best linear model, LogisticRegression (" in third
    assert "linear" not in sentences(LogisticRegression=0.9, Ridge=0.8)[2]


def test_a_model_that_only_ranks_rows_is_not_called_useless():
    third = sentences(Ridge=0.5, auc=0.28)[2]
    assert third.startswith("By accuracy it is not significantly better than the baseline, which")
    assert "it ranks rows better than chance (AUC 0.7" in third
    assert sentences(Ridge=0.5)[2].endswith("don't rely on it until you have more data.")


def test_serious_issues_are_the_headline():
    issues = [Issue("a", "note", "A."), Issue("b", "serious", "B."), Issue("c", "serious", "C.")]
    assert headline(issues) == ("B.", "C.")
