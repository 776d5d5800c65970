import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.decisions import DecisionProblem
from gramian.textbook.estimation import bayes_rule


@pytest.mark.slow
@given(
    arrays(float, 3, elements=st.floats(0.01, 1)),
    arrays(float, (5, 3), elements=st.floats(0.01, 9)),
)
def test_one_at_a_time_equals_all_at_once(prior, likelihoods):
    prior = prior / prior.sum()
    found = bayes_rule(prior, likelihoods)
    joint = prior * likelihoods.prod(axis=0)
    assert_allclose(found.posterior, joint / joint.sum(), rtol=1e-9)
    assert found.log_evidence == pytest.approx(np.log(joint.sum()))
    state = prior
    for row, after, evidence in zip(likelihoods, found.sequence, found.evidence, strict=True):
        assert evidence == pytest.approx(state @ row)  # total probability
        state = bayes_rule(state, row).posterior
        assert_allclose(state, after, rtol=1e-9)


def test_it_agrees_with_the_decision_problem():
    likelihoods = np.array([[0.2, 0.5, 0.3], [0.01, 0.1, 0.89]])
    problem = DecisionProblem([0.1, 0.9], likelihoods)
    found = bayes_rule([0.1, 0.9], likelihoods[:, [1, 1, 2]].T)
    assert_allclose(found.posterior, problem.posterior(1, 1, 2))


def test_thousands_of_observations_do_not_underflow():
    found = bayes_rule([0.5, 0.5], np.full((5000, 2), [1e-3, 2e-3]))
    assert_allclose(found.posterior, [0, 1], atol=1e-300)
    assert np.isfinite(found.log_evidence)
    logs = bayes_rule([0.5, 0.5], np.log(np.full((5000, 2), [1e-3, 2e-3])), log=True)
    assert logs.log_evidence == pytest.approx(found.log_evidence)


def test_without_observations_the_posterior_is_the_prior():
    found = bayes_rule([0.3, 0.7], np.empty((0, 2)))
    assert_allclose(found.posterior, [0.3, 0.7])
    assert found.log_evidence == 0


@pytest.mark.parametrize(
    ("prior", "likelihoods", "match"),
    [
        ([0.5, 0.6], [1, 1], "sum to one"),
        ([0.5, 0.5], [1, 1, 1], "2 states"),
        ([0.5, 0.5], [[1, 1], [1, -1]], "row 1, column 1"),
        ([0.5, 0.5], [[1, 0], [0, 1]], "row 1 .* impossible"),
    ],
)
def test_bad_input(prior, likelihoods, match):
    with pytest.raises(DataError, match=match):
        bayes_rule(prior, likelihoods)
