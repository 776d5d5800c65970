"""The likelihood-ratio test between two states."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from gramian.textbook.decisions import (
    DecisionProblem,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)


@given(seed=st.integers(0, 2**31), n=st.integers(1, 6))
def test_the_likelihood_ratio_test_is_the_bayes_rule(seed, n):
    rng = np.random.default_rng(seed)
    prior, costs = rng.dirichlet([1, 1]), [[0, rng.uniform(0.5, 2)], [rng.uniform(0.5, 2), 0]]
    problem = DecisionProblem(prior, rng.dirichlet(np.ones(4), size=2), costs)
    seen = rng.integers(4, size=n).tolist()
    ratio, theta = problem.log_likelihood_ratio(*seen), problem.likelihood_ratio_threshold()
    if abs(ratio - np.log(theta)) > 1e-9:
        assert (problem.decide(*seen) == 0) == (ratio > np.log(theta))


def test_log_ratios_of_normal_distributions_add_up():
    """Unit normals at 1 and 0: the log ratio of n observations is sum x - n / 2."""
    x = [0.3, 1.4, 0.2]
    found = likelihood_ratio_test(x, norm(1).logpdf, norm(0).logpdf, priors=[0.2, 0.8])
    assert found.log_ratio == pytest.approx(sum(x) - 1.5)
    assert found.log_threshold == pytest.approx(np.log(4))
    assert not found.chooses_first


def test_an_impossible_state_is_never_chosen():
    assert likelihood_ratio_threshold([0, 1]) == np.inf
    assert not likelihood_ratio_test(
        [0.0], norm(0).logpdf, norm(9).logpdf, priors=[0, 1]
    ).chooses_first
