"""Simulated frequencies beside what bounds promise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.evaluate import clopper_pearson_interval
from gramian.textbook.learning_theory import (
    AgnosticBound,
    ConsistentBound,
    ExcessRiskBound,
    HoeffdingBound,
    UniformBound,
    consistent_hypothesis,
    empirical_error,
    least_error_hypothesis,
    simulate_errors,
    simulate_pac,
)

GRID = np.arange(1, 40) / 40
THRESHOLDS = [lambda x, t=t: x > t for t in GRID]


def noiseless(n, generator):
    x = generator.random(n)
    return x, x > 0.5


def noisy(n, generator):
    x = generator.random(n)
    return x, (x > 0.5) ^ (generator.random(n) < 0.2)


def test_the_training_error_of_a_fixed_hypothesis_is_unbiased():
    found = simulate_errors(lambda x: x > 0.2, noiseless, 30, trials=2000)
    assert found.mean == pytest.approx(0.3, abs=4 * found.standard_error)
    assert found.errors.std() == pytest.approx(math.sqrt(0.3 * 0.7 / 30), rel=0.1)


@settings(deadline=None, max_examples=10)
@given(st.integers(5, 120), st.floats(0.05, 0.3), st.integers(0, 2**32 - 1))
def test_a_consistent_learner_keeps_its_bound(n, epsilon, seed):
    found = simulate_pac(
        lambda X, y: GRID[consistent_hypothesis(THRESHOLDS, X, y).position],
        noiseless,
        lambda t: abs(t - 0.5),
        n,
        epsilon,
        bound=ConsistentBound(len(GRID)),
        trials=60,
        random_state=seed,
    )
    assert found.interval.high >= found.promised
    assert found.promised == 1 - ConsistentBound(len(GRID)).delta(n, epsilon)
    assert found.success == np.mean(found.risks <= epsilon)


@settings(deadline=None, max_examples=10)
@given(st.integers(5, 200), st.floats(0.02, 0.3), st.integers(0, 2**32 - 1))
def test_error_rates_stay_within_hoeffdings_bound(n, epsilon, seed):
    found = simulate_errors(lambda x: x > 0.2, noiseless, n, random_state=seed)
    far = int((np.abs(found.errors - 0.3) > epsilon).sum())
    interval = clopper_pearson_interval(far, len(found.errors), confidence=0.9999)
    assert interval.low <= HoeffdingBound().delta(n, epsilon)


def test_the_least_training_error_keeps_its_bound():
    # risk of threshold t: 0.2 + 0.6 |t - 0.5|
    found = simulate_pac(
        lambda X, y: GRID[least_error_hypothesis(THRESHOLDS, X, y).position],
        noisy,
        lambda t: 0.2 + 0.6 * abs(t - 0.5),
        400,
        0.2,
        bound=AgnosticBound(len(GRID)),
        least_risk=0.2,
        trials=50,
    )
    assert 0.9 < found.promised <= found.interval.high
    assert (found.risks >= -1e-12).all()


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_the_excess_is_at_most_twice_the_largest_deviation(n, seed):
    """LT-08: R(h_S) - min R <= 2 sup |rate - R|, on every sample; the bound is on this supremum."""
    X, y = noisy(n, np.random.default_rng(seed))
    risks = 0.2 + 0.6 * np.abs(GRID - 0.5)
    rates = np.array([empirical_error(h, X, y) for h in THRESHOLDS])
    chosen = least_error_hypothesis(THRESHOLDS, X, y)
    deviation = np.abs(rates - risks).max()
    assert risks[chosen.position] - risks.min() <= 2 * deviation + 1e-12
    twice = 2 * UniformBound(len(GRID)).epsilon(n, 0.1)
    assert ExcessRiskBound(len(GRID)).epsilon(n, 0.1) == pytest.approx(min(1.0, twice))


def test_without_a_bound_nothing_is_promised_and_seeds_repeat():
    runs = [
        simulate_pac(lambda X, y: X.max(), noiseless, lambda top: 1 - top, 5, 0.2, trials=20)
        for _ in range(2)
    ]
    assert runs[0].promised is None
    assert (runs[0].risks == runs[1].risks).all()


def test_what_is_no_bound_is_refused():
    with pytest.raises(ValueError, match="bound must be None or a bound"):
        simulate_pac(None, None, None, n=5, epsilon=0.1, bound=3)
