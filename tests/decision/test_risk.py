"""Conditional risk, the reject option, and input that is refused with advice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gramian.decision import conditional_risk, least_risk


def posteriors(rng, n, classes):
    return rng.dirichlet(np.ones(classes), size=n)


@given(seed=st.integers(0, 2**31), classes=st.integers(2, 5), actions=st.integers(1, 6))
def test_risk_is_the_sum_of_the_definition(seed, classes, actions):
    rng = np.random.default_rng(seed)
    P, C = posteriors(rng, 4, classes), rng.normal(size=(actions, classes))
    risk = conditional_risk(P, C)
    for n in range(4):
        for i in range(actions):
            expected = sum(C[i, k] * P[n, k] for k in range(classes))
            assert risk[n, i] == pytest.approx(expected, abs=1e-12)
    assert_allclose(conditional_risk(P, np.tile(C, (4, 1, 1))), risk, atol=1e-12)


@given(seed=st.integers(0, 2**31), classes=st.integers(2, 6))
def test_equal_costs_choose_the_likeliest_class(seed, classes):
    P = posteriors(np.random.default_rng(seed), 8, classes)
    assert_array_equal(least_risk(conditional_risk(P)), P.argmax(axis=1))
    assert_allclose(conditional_risk(P), conditional_risk(P, 1 - np.eye(classes)), atol=1e-12)


@given(seed=st.integers(0, 2**31))
def test_a_sum_added_to_a_column_of_costs_changes_no_decision(seed):
    """What every action costs alike in a state cannot matter there."""
    rng = np.random.default_rng(seed)
    P, C = posteriors(rng, 10, 3), rng.uniform(size=(4, 3))
    shifted = C + rng.uniform(size=3)
    assert_array_equal(least_risk(conditional_risk(P, C)), least_risk(conditional_risk(P, shifted)))


@given(p=st.floats(0, 1), miss=st.floats(0.1, 10), false_alarm=st.floats(0.1, 10))
def test_two_classes_meet_the_shifted_threshold(p, miss, false_alarm):
    """Choose +1 iff L(-1, 1) P(1 | x) > L(1, -1) P(-1 | x)."""
    gain, loss = miss * p, false_alarm * (1 - p)
    if abs(gain - loss) > 1e-9:
        chosen = least_risk(conditional_risk([[1 - p, p]], [[0, miss], [false_alarm, 0]]))
        assert chosen[0] == int(gain > loss)


@pytest.mark.parametrize(("reject", "action"), [(0.4, -1), (0.5, 0)])
def test_worked_number_t34(reject, action):
    """Posterior (0.55, 0.45): reject at cost 0.4, since 0.55 < 0.6; answer at cost 0.5."""
    assert least_risk(conditional_risk([[0.55, 0.45]]), reject)[0] == action


@given(seed=st.integers(0, 2**31), reject=st.floats(0, 1))
def test_the_reject_rule_of_chow(seed, reject):
    P = posteriors(np.random.default_rng(seed), 20, 3)
    rejected = least_risk(conditional_risk(P), reject) == -1
    clear = np.abs(P.max(axis=1) - (1 - reject)) > 1e-9
    assert_array_equal(rejected[clear], (P.max(axis=1) < 1 - reject)[clear])


@pytest.mark.parametrize(
    ("proba", "phrase"),
    [
        ([[0.5, 0.6]], r"row 0 is \[0.5 0.6\] with sum 1.1. Divide each row by its sum"),
        ([[0.5, 0.5], [1.2, -0.2]], "row 1"),
        ([[np.nan, 0.5]], "sum nan"),
        ([0.5, 0.5], r"got shape \(2,\)"),
    ],
)
def test_invalid_probabilities_raise(proba, phrase):
    with pytest.raises(ValueError, match=phrase):
        conditional_risk(proba)


@pytest.mark.parametrize(
    ("costs", "phrase"),
    [
        (
            np.ones((3, 2)),
            r"shape \(actions, 3\).*got shape \(3, 2\). The shape fits when transposed",
        ),
        (np.ones((4, 2, 3)), r"or \(5, actions, 3\) for costs of each row; got shape \(4, 2, 3\)"),
        ([[1, 2, 3], [4, 5]], "table of numbers"),
        ([[0, 1, np.inf]], "large finite cost"),
    ],
)
def test_costs_of_another_shape_are_refused(costs, phrase, rng):
    with pytest.raises(ValueError, match=phrase):
        conditional_risk(posteriors(rng, 5, 3), costs)


def test_a_negative_cost_of_rejecting_is_refused():
    with pytest.raises(ValueError, match="reject must be the cost of rejecting"):
        least_risk([[0.1, 0.2]], -1)
    with pytest.raises(ValueError, match="column for each action"):
        least_risk([0.1, 0.2])


def test_single_precision_probabilities_are_accepted(rng):
    P = posteriors(rng, 50, 7).astype(np.float32)
    assert conditional_risk(P).dtype == np.float64
