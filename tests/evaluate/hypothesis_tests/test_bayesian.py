"""Posteriors: baycomp's numbers, and the tests they agree with."""

import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.evaluate import corrected_t_test, correlated_t_posterior, signed_rank_posterior
from tests.evaluate.hypothesis_tests.test_ranks import DEMSAR

FIRST = np.array([0.80, 0.84, 0.79, 0.85, 0.82, 0.83, 0.81, 0.86, 0.78, 0.84])
SECOND = np.array([0.79, 0.81, 0.80, 0.82, 0.80, 0.80, 0.80, 0.83, 0.78, 0.80])


def test_correlated_t_is_baycomps():
    """baycomp 1.0.3, two_on_single(rope=0.01, runs=2): the correlation is 2 / 10."""
    found = correlated_t_posterior(FIRST, SECOND, test_over_train=0.25, rope=0.01)
    assert (found.better, found.same, found.worse) == pytest.approx(
        (0.817426898933003, 0.17592876971513505, 0.006644331351861932)
    )


def test_without_a_rope_the_tails_match_the_corrected_t_test():
    """baycomp 1.0.3, two_on_single(rope=0, runs=1), and the p-value of one side."""
    found = correlated_t_posterior(FIRST, SECOND, test_over_train=1 / 9, rope=0)
    assert (found.better, found.worse) == pytest.approx((0.9854505874725249, 0.014549412527475103))
    test = corrected_t_test(FIRST, SECOND, test_over_train=1 / 9, alternative="greater")
    assert test.p_value == pytest.approx(found.worse)
    both = corrected_t_test(FIRST, SECOND, test_over_train=1 / 9)
    assert both.interval == pytest.approx(found.interval)


def test_signed_rank_is_baycomps():
    """baycomp 1.0.3, SignedRankTest.probs(rope=0.01, prior=0.5, nsamples=400000)."""
    for columns, theirs in (((0, 1), (0.0, 0.3293775, 0.6706225)),
                            ((1, 2), (0.4839075, 0.5088975, 0.007195))):  # fmt: skip
        first, second = DEMSAR.round(3)[:, columns].T
        found = signed_rank_posterior(first, second, n_draws=100_000)
        assert (found.better, found.same, found.worse) == pytest.approx(theirs, abs=0.006)


@pytest.mark.parametrize(
    "posterior",
    [lambda d, rope: correlated_t_posterior(d, test_over_train=0.25, rope=rope),
     lambda d, rope: signed_rank_posterior(d, rope=rope, n_draws=2000)],
)  # fmt: skip
def test_identical_models_are_the_same_and_constant_gains_are_better(posterior):
    assert posterior(np.zeros(8), 0.01).same == 1
    assert posterior(np.zeros(8), 0.0).same == 1
    assert posterior(np.full(8, 0.5), 0.01).better == pytest.approx(1, abs=0.01)
    assert posterior(np.full(8, -0.5), 0.01).worse == pytest.approx(1, abs=0.01)


def test_the_draws_repeat_with_the_seed():
    assert signed_rank_posterior(FIRST, SECOND) == signed_rank_posterior(FIRST, SECOND)


def test_it_prints_as_a_sentence():
    text = str(signed_rank_posterior(FIRST, SECOND, n_draws=1000))
    assert text.startswith("Bayesian signed rank: the first is better with probability 0.9")


def test_bad_input_says_what_must_hold():
    with pytest.raises(ParameterError, match="rope must be a finite number >= 0; got -1"):
        correlated_t_posterior(FIRST, SECOND, test_over_train=0.25, rope=-1)
