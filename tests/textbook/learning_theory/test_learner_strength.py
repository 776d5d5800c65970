"""Weak and strong learners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification

from gramian import AdaBoostClassifier
from gramian.textbook.learning_theory import boosting_bound, boosting_rounds, learner_strength


def test_accuracies_are_compared_by_their_lower_confidence_limit():
    assert learner_strength(40, 100, edge=0.05).strength == "neither"  # 60% may be luck
    assert learner_strength(400, 1000, edge=0.05).strength == "weak"
    assert learner_strength(60, 1000, epsilon=0.1).strength == "strong"
    found = learner_strength(60, 1000)
    assert found.accuracy_lower_limit < found.accuracy == 0.94


def test_t38_a_quarter_gives_the_factor_0866025():
    assert boosting_bound([0.25])[0] == pytest.approx(0.866025, abs=5e-7)
    assert boosting_bound([0.0, 0.3]).tolist() == [0.0, 0.0]
    assert boosting_bound([0.5])[0] == 1


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 0.5))
def test_the_bound_holds_for_adaboost_after_every_round(seed, flipped):
    X, y = make_classification(200, 8, flip_y=flipped, random_state=seed)
    model = AdaBoostClassifier(n_estimators=40, random_state=0).fit(X, y)
    bounds = boosting_bound(model.estimator_errors_)
    errors = [np.mean(labels != y) for labels in model.staged_predict(X)]
    assert (np.array(errors) <= bounds + 1e-12).all()
    np.testing.assert_allclose(bounds, model.training_bound_)


@pytest.mark.parametrize("error", [0.1, 0.25, 0.45])
@pytest.mark.parametrize("n", [10, 1000])
def test_the_rounds_bring_the_bound_below_one_row(error, n):
    rounds = boosting_rounds(error, n)
    factor = boosting_bound([error])[0]
    assert factor**rounds < 1 / n <= factor ** (rounds - 1)


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        boosting_bound([0.2, np.nan])
    with pytest.raises(ValueError, match="error must be in"):
        boosting_rounds(0.5, 100)
    with pytest.raises(ValueError, match="edge"):
        learner_strength(1, 10, edge=0.7)


def test_rounds_of_a_learner_hardly_better_than_guessing():
    """-ln(2 sqrt(mu (1 - mu))) is 2 g^2 for a small edge g = 1/2 - mu."""
    edge = 1e-9
    assert boosting_rounds(0.5 - edge, 1000) == pytest.approx(
        np.log(1000) / (2 * edge**2), rel=1e-6
    )
    assert boosting_rounds(1e-300, 10) == 1
    assert boosting_rounds(0.25, 1) == 1
