"""Bounds for all hypotheses of a class at once."""

import math

import pytest

from gramian.textbook.learning_theory import (
    AgnosticBound,
    ExcessRiskBound,
    UniformBound,
    VapnikChervonenkisBound,
    cover_bound,
    cover_count,
)


def lines(d):
    return UniformBound(lambda n: cover_count(n, d))


@pytest.mark.parametrize(("d", "rows"), [(1, 495), (2, 821), (5, 1822)])
def test_t5_sample_sizes_with_covers_sum(d, rows):
    assert lines(d).sample_size(0.1, 0.1) == rows


@pytest.mark.parametrize(("d", "rows"), [(1, 550), (2, 550), (7, 550), (10_000, 342)])
def test_t5_rows_per_dimension_suffice(d, rows):
    bound = UniformBound(lambda n: cover_bound(n, d, log=True), log=True)
    assert bound.delta(rows * d, 0.1) <= 0.1


def test_t5_the_limit_for_many_dimensions_does_not_do_for_a_hundred():
    bound = UniformBound(lambda n: cover_bound(n, 100, log=True), log=True)
    assert bound.delta(342 * 100, 0.1) > 0.1


@pytest.mark.parametrize("kind", [UniformBound, ExcessRiskBound, VapnikChervonenkisBound])
@pytest.mark.parametrize("epsilon", [0.05, 0.3])
def test_sample_size_epsilon_and_delta_are_inverses(kind, epsilon):
    bound = kind(lambda n: cover_count(n, 3))
    n = bound.sample_size(epsilon, 0.05)
    assert bound.delta(n, epsilon) <= 0.05 < bound.delta(n - 1, epsilon)
    assert bound.epsilon(n, 0.05) <= epsilon < bound.epsilon(n - 1, 0.05)


def test_a_finite_class_is_the_agnostic_bound():
    for n in (100, 5000):
        assert ExcessRiskBound(1000).epsilon(n, 0.05) == pytest.approx(
            AgnosticBound(1000).epsilon(n, 0.05)
        )
    assert ExcessRiskBound(1000).sample_size(0.1, 0.05) == 2120


def test_the_uniform_formula():
    assert UniformBound(14).epsilon(400, 0.1) == pytest.approx(math.sqrt(math.log(280) / 800))
    assert UniformBound(14).delta(400, 0.1) == pytest.approx(28 * math.exp(-8))


def test_every_subset_needs_more_rows_than_there_are():
    with pytest.raises(ValueError, match="no sample size is large enough"):
        UniformBound(lambda n: n * math.log(2), log=True).sample_size(0.1, 0.1)


def test_growth_below_one_is_refused():
    with pytest.raises(ValueError, match=r"growth must be at least 1.*got 0 for n = 10"):
        UniformBound(0).epsilon(10, 0.1)


def test_powers_of_two_are_refused_before_they_fill_the_memory():
    with pytest.raises(ValueError, match="no sample size is large enough"):
        UniformBound(lambda n: 2**n).sample_size(0.1, 0.1)


@pytest.mark.parametrize("kind", [UniformBound, ExcessRiskBound, VapnikChervonenkisBound])
def test_extreme_arguments_give_numbers(kind):
    bound = kind(lambda n: cover_count(n, 2))
    n = bound.sample_size(1e-9, 0.05)
    assert bound.epsilon(n, 0.05) == pytest.approx(1e-9)
    assert bound.sample_size(0.1, 5e-324) > bound.sample_size(0.1, 1e-300)


@pytest.mark.parametrize("growth", ["a", None, lambda n: None])
def test_a_growth_that_is_no_number_is_refused(growth):
    with pytest.raises(ValueError, match="growth must be at least 1, or a function"):
        UniformBound(growth).epsilon(10, 0.1)
