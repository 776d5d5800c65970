"""PAC bounds of finite classes."""

import math

import numpy as np
import pytest

from gramian.textbook.learning_theory import AgnosticBound, ConsistentBound


def test_t46_sample_sizes_of_a_thousand_hypotheses():
    assert math.log(1000 / 0.05) / 0.1 == pytest.approx(99.03, abs=0.005)
    assert ConsistentBound(1000).sample_size(0.1, 0.05) == 100
    assert AgnosticBound(1000).sample_size(0.1, 0.05) == 2120


@pytest.mark.parametrize(
    "bound", [ConsistentBound(50), ConsistentBound(50, True), AgnosticBound(50)]
)
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.4])
@pytest.mark.parametrize("delta", [0.001, 0.1])
def test_sample_size_epsilon_and_delta_are_inverses(bound, epsilon, delta):
    n = bound.sample_size(epsilon, delta)
    assert bound.delta(n, epsilon) <= delta * (1 + 1e-9) < bound.delta(n - 1, epsilon)
    assert bound.epsilon(n, delta) <= epsilon * (1 + 1e-9) < bound.epsilon(n - 1, delta)


def test_the_exact_failure_probability_is_below_the_simple_one():
    exact, simple = ConsistentBound(1000, exact=True), ConsistentBound(1000)
    assert exact.delta(100, 0.1) == pytest.approx(1000 * 0.9**100)
    assert exact.delta(100, 0.1) < simple.delta(100, 0.1) == pytest.approx(1000 * math.exp(-10))
    assert exact.sample_size(0.1, 0.05) <= simple.sample_size(0.1, 0.05)


@pytest.mark.parametrize("bound", [ConsistentBound(2**2000), AgnosticBound(2**2000)])
def test_a_class_may_be_larger_than_a_float(bound):
    """All functions of eleven bits: 2^2048, and the like."""
    n = bound.sample_size(0.1, 0.05)
    assert bound.delta(n, 0.1) <= 0.05 < bound.delta(n - 1, 0.1)
    assert bound.epsilon(n, 0.05) <= 0.1 < bound.epsilon(n - 1, 0.05)


@pytest.mark.parametrize("bound", [ConsistentBound(10**6), AgnosticBound(10**6)])
def test_few_rows_promise_nothing(bound):
    assert bound.delta(1, 0.1) == 1
    assert bound.epsilon(1, 0.1) == 1


@pytest.mark.parametrize("kind", [ConsistentBound, AgnosticBound])
@pytest.mark.parametrize("hypotheses", [0, -3, math.inf, math.nan])
def test_an_infinite_class_is_sent_to_growth_functions(kind, hypotheses):
    with pytest.raises(ValueError, match="growth function"):
        kind(hypotheses)


@pytest.mark.parametrize("kind", [ConsistentBound, AgnosticBound])
def test_impossible_arguments_are_refused(kind):
    with pytest.raises(ValueError, match="epsilon"):
        kind(10).sample_size(0.0, 0.1)
    with pytest.raises(ValueError, match="delta"):
        kind(10).epsilon(10, 1.5)
    with pytest.raises(ValueError, match="n must be"):
        kind(10).delta(0, 0.1)


def test_numpys_integers_do_not_overflow():
    most = np.int64(2**62)
    assert AgnosticBound(most).sample_size(0.1, 0.05) == AgnosticBound(2**62).sample_size(0.1, 0.05)


@pytest.mark.parametrize("kind", [ConsistentBound, AgnosticBound])
def test_extreme_arguments_give_numbers(kind):
    bound = kind(1000)
    assert bound.delta(10**18, 0.1) == 0
    assert 0 < bound.epsilon(10**18, 0.05) < 1e-8
    assert bound.sample_size(0.1, 5e-324) > bound.sample_size(0.1, 1e-300)


@pytest.mark.parametrize("kind", [ConsistentBound, AgnosticBound])
@pytest.mark.parametrize("value", ["a", None, [1]])
def test_what_is_no_number_is_refused(kind, value):
    with pytest.raises(ValueError, match="hypotheses must be a number"):
        kind(value)
    with pytest.raises(ValueError, match="epsilon must be between 0 and 1"):
        kind(10).sample_size(value, 0.1)
