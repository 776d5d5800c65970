"""Decision problems whose laws are known."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import norm

from gramian.base.errors import ParameterError
from gramian.decision import (
    DecisionProblem,
    discriminant_difference,
    discriminants,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)

LAWS = {"priors": [0.1, 0.9], "likelihoods": [[0.2, 0.5, 0.3], [0.01, 0.1, 0.89]]}
NAMES = {"states": ["cancer", "no"], "observations": ["miner", "farmer", "other"]}


def cancer(**changed):
    return DecisionProblem(**{**LAWS, **NAMES, "costs": [[0, 1], [5, 0]], **changed})


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


def test_discriminants_of_every_form_name_the_same_state():
    """DT-13: -R, P(C|x), p(x|C)P(C) and its logarithm; two classes by the sign of g1 - g2."""
    problem = cancer(costs=None)
    best = problem.best_actions()
    joint = np.array(LAWS["likelihoods"]).T * LAWS["priors"]
    for form in ("risk", "posterior", "joint", "log"):
        g = problem.discriminants(form)
        assert g.argmax(axis=1).tolist() == best.tolist()
        difference = problem.discriminant_difference(form)
        assert_allclose(difference, g[:, 0] - g[:, 1])
        assert (difference < 0).tolist() == (best == 1).tolist()
    assert_allclose(problem.discriminants("joint"), joint)
    assert_allclose(problem.discriminants("log"), np.log(joint))
    assert_allclose(problem.discriminants("posterior"), problem.posteriors())
    ratios = [problem.log_likelihood_ratio(x) for x in NAMES["observations"]]
    assert_allclose(problem.discriminant_difference("log"), np.array(ratios) + np.log(1 / 9))


def test_discriminants_of_densities():
    x = np.linspace(-3, 5, 9)[:, None]
    p = norm.pdf(x, loc=[0.0, 2.0])
    g = discriminant_difference(p, [0.9, 0.1], form="log")
    assert_allclose(g, np.log(9) + 2 - 2 * x[:, 0])  # boundary at 1 + ln(9) / 2
    assert ((g > 0) == (x[:, 0] < 2.098612)).all()
    costly = discriminants(p, [0.9, 0.1], costs=[[0, 9], [1, 0]])
    assert_allclose(costly.argmax(axis=1), (x[:, 0] > 1).astype(int))
    assert discriminants([[0.0, 0.0]], [0.3, 0.7], form="posterior").tolist() == [[0.3, 0.7]]


def test_bad_discriminants_are_refused():
    with pytest.raises(ValueError, match="form must be"):
        discriminants([[1.0, 1.0]], [0.5, 0.5], form="sum")
    with pytest.raises(ValueError, match="costs belong to form='risk'"):
        discriminants([[1.0, 1.0]], [0.5, 0.5], costs=[[0, 1], [1, 0]], form="log")
    with pytest.raises(ValueError, match="does not know costs"):
        cancer().discriminants("log")
    with pytest.raises(ValueError, match="column for each of the 2 classes"):
        discriminants([[1.0, 1.0, 1.0]], [0.5, 0.5])
    with pytest.raises(ValueError, match="finite numbers >= 0"):
        discriminants([[-1.0, 1.0]], [0.5, 0.5])
    with pytest.raises(ValueError, match="two classes"):
        discriminant_difference([[1.0, 1.0, 1.0]], [0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match="needs two actions; there are 3"):
        cancer(costs=[[0, 1], [5, 0], [1, 1]]).discriminant_difference()


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


@given(seed=st.integers(0, 2**31), n=st.integers(1, 6))
def test_the_likelihood_ratio_test_is_the_bayes_rule(seed, n):
    rng = np.random.default_rng(seed)
    prior, costs = rng.dirichlet([1, 1]), [[0, rng.uniform(0.5, 2)], [rng.uniform(0.5, 2), 0]]
    problem = DecisionProblem(prior, rng.dirichlet(np.ones(4), size=2), costs)
    seen = rng.integers(4, size=n).tolist()
    ratio, theta = problem.log_likelihood_ratio(*seen), problem.likelihood_ratio_threshold()
    if abs(ratio - np.log(theta)) > 1e-9:
        assert (problem.decide(*seen) == 0) == (ratio > np.log(theta))


def test_log_ratios_of_normal_laws_add_up():
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


def test_refusing_is_an_action_too():
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
        ({"priors": [0.2, 0.9]}, "every row of priors must hold probabilities"),
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
    with pytest.raises(ValueError, match="'sailor' is no observation; they are"):
        cancer().posterior("sailor")
    with pytest.raises(ValueError, match="the rule has no action for 'farmer'"):
        cancer().risk({"miner": "no"})
    with pytest.raises(ValueError, match="has 'maybe' for 'miner'; the actions are"):
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
def test_the_cost_of_refusing_is_checked_at_once(reject):
    with pytest.raises(ParameterError, match="DecisionProblem: reject must be the cost"):
        cancer(reject=reject)
