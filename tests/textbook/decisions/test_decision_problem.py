"""Decision problems whose laws are known."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.textbook.decisions import (
    DecisionProblem,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)
from tests.decision.conftest import cancer


def test_worked_number_t1():
    """Bayes risk 0.249: a miss costs 5, a false alarm 1."""
    problem = cancer()
    assert problem.rule() == {"miner": "cancer", "farmer": "cancer", "other": "no"}
    assert problem.bayes_risk() == pytest.approx(0.249)
    assert problem.evidence()[1] == pytest.approx(0.14)
    assert problem.posterior("farmer")[0] == pytest.approx(5 / 14)
    assert problem.likelihood_ratio_threshold() == pytest.approx(1.8)


def test_worked_number_t1_with_equal_costs():
    problem = cancer(costs=None)
    assert problem.rule() == {"miner": "cancer", "farmer": "no", "other": "no"}
    assert problem.bayes_risk() == pytest.approx(0.089)


def test_the_umbrella():
    """Three actions for two states: costs need not be square, nor actions states."""
    problem = DecisionProblem(
        priors=[0.3, 0.7],
        likelihoods=[[0.8, 0.2], [0.25, 0.75]],
        costs=[[0, 2], [6, 0], [2, 1]],
        states=["rain", "sun"],
        observations=["clouds", "blue"],
        actions=["umbrella", "nothing", "hat"],
    )
    P = 0.24 / (0.24 + 0.175)
    assert problem.posterior("clouds")[0] == pytest.approx(P)
    assert_allclose(problem.conditional_risks()[0], [2 * (1 - P), 6 * P, 2 * P + 1 - P])
    assert problem.decide("clouds") == "umbrella"
    assert problem.decide("blue") == "nothing"
    assert problem.decide("blue", "clouds") == "hat"
    assert_allclose(problem.discriminants(), -problem.conditional_risks())


@st.composite
def problems(draw):
    seed = draw(st.integers(0, 2**31))
    states, actions = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    rng = np.random.default_rng(seed)
    return DecisionProblem(
        rng.dirichlet(np.ones(states)),
        rng.dirichlet(np.ones(3), size=states),
        rng.uniform(size=(actions, states)),
    )


@given(problem=problems())
def test_no_rule_has_less_risk_than_the_bayes_rule(problem):
    actions = range(len(problem.conditional_risks()[0]))
    risks = [problem.risk(lambda x, r=rule: r[x]) for rule in product(actions, repeat=3)]
    assert problem.bayes_risk() == pytest.approx(min(risks))


@given(problem=problems())
def test_posteriors_average_to_the_priors(problem):
    assert_allclose(problem.evidence() @ problem.posteriors(), problem.priors, atol=1e-12)


def test_rejecting_is_an_action_too():
    problem = cancer(reject=0.3)
    assert problem.rule()["farmer"] is None
    assert problem.bayes_risk() < cancer().bayes_risk()
    assert problem.decide("other") == "no"


def test_an_observation_of_probability_zero_says_nothing():
    problem = DecisionProblem([0.3, 0.7], [[1.0, 0.0], [1.0, 0.0]])
    assert_allclose(problem.posteriors()[1], [0.3, 0.7])
    with pytest.raises(ValueError, match="impossible in every state"):
        problem.posterior(1)


@pytest.mark.parametrize(
    ("changed", "phrase"),
    [
        ({"priors": [0.2, 0.9]}, "every row of priors must contain probabilities"),
        ({"likelihoods": [[0.5, 0.5, 0.5], [0.2, 0.3, 0.5]]}, "every row of likelihoods"),
        ({"likelihoods": [[0.5, 0.5]]}, "row for each of the 2 states"),
        ({"costs": [[1, 2, 3]]}, r"costs must have shape \(actions, 2\)"),
        ({"states": ["one"]}, "states must be 2 different names"),
        ({"actions": ["a", "a"]}, "actions must be 2 different names"),
    ],
)
def test_what_does_not_fit_together_is_refused(changed, phrase):
    with pytest.raises(ValueError, match=phrase):
        cancer(**changed)


def test_questions_that_have_no_answer_are_refused():
    with pytest.raises(ValueError, match=r"must be one of .*; got 'sailor'"):
        cancer().posterior("sailor")
    with pytest.raises(ValueError, match="the rule has no action for 'farmer'"):
        cancer().risk({"miner": "no"})
    with pytest.raises(ValueError, match="chooses 'maybe' for 'miner'; the actions are"):
        cancer().risk(lambda x: "maybe")
    with pytest.raises(ValueError, match="needs two states"):
        DecisionProblem(np.ones(3) / 3, np.eye(3)).log_likelihood_ratio(0)
    with pytest.raises(ValueError, match="two states and two actions"):
        likelihood_ratio_threshold([0.5, 0.5], [[0, 1], [1, 0], [2, 2]])
    with pytest.raises(ValueError, match="one action is always best"):
        likelihood_ratio_threshold([0.5, 0.5], [[0, 0], [1, 1]])
    with pytest.raises(ValueError, match="impossible under both distributions"):
        likelihood_ratio_test([0.0], lambda x: x - np.inf, lambda x: x - np.inf)


def test_states_in_an_array_name_the_actions():
    problem = cancer(states=np.array(["cancer", "no"]))
    assert problem.rule() == {"miner": "cancer", "farmer": "cancer", "other": "no"}


@pytest.mark.parametrize("reject", [-1.0, np.inf, np.nan])
def test_the_cost_of_rejecting_is_checked_at_once(reject):
    with pytest.raises(ParameterError, match="DecisionProblem: reject must be the cost"):
        cancer(reject=reject)
