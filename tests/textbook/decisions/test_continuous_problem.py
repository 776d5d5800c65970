import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gaussian, Mixture, MultivariateGaussian, Poisson
from gramian.textbook.decisions import ContinuousDecisionProblem, DecisionProblem

TWO = [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)]


def plane(*means, covariance=((1.0, 0.0), (0.0, 1.0))):
    return [MultivariateGaussian(mean, covariance) for mean in means]


def test_worked_number_t33():
    """Two unit normals at 0 and 2: boundary 1, error 0.158655; priors 0.9 and 0.1: 2.098612."""
    equal = ContinuousDecisionProblem([0.5, 0.5], TWO)
    assert equal.boundaries().points == pytest.approx([1.0])
    assert equal.boundaries().actions == [0, 1]
    assert equal.bayes_risk().value == pytest.approx(0.158655, abs=5e-7)
    assert equal.bayes_risk().value == pytest.approx(stats.norm.cdf(-1), rel=1e-12)
    rare = ContinuousDecisionProblem([0.9, 0.1], TWO)
    assert rare.boundaries().points == pytest.approx([2.098612], abs=5e-7)
    wide = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(0.0, 4.0)])
    assert wide.boundaries().points == pytest.approx([-1.359556, 1.359556], abs=5e-7)
    assert wide.boundaries().actions == [1, 0, 1]
    assert wide.bayes_risk().value == pytest.approx(0.338663, abs=5e-7)


def test_worked_number_t34_the_reject_rule():
    """Posteriors 0.55 and 0.45: rejected at cost 0.4, since 0.55 < 0.6, and not at 0.5."""
    at = np.array([1 - np.log(0.55 / 0.45) / 2])  # between the two normals
    careful = ContinuousDecisionProblem([0.5, 0.5], TWO, reject=0.4)
    np.testing.assert_allclose(careful.posteriors(at), [[0.55, 0.45]])
    assert careful.best_actions(at).tolist() == [-1]
    assert careful.decide(at) == [None]
    assert ContinuousDecisionProblem([0.5, 0.5], TWO, reject=0.5).decide(at) == [0]
    points = careful.boundaries()
    assert points.actions == [0, None, 1]
    edge = np.log(0.6 / 0.4) / 2  # posterior 1 - reject
    np.testing.assert_allclose(points.points, [1 - edge, 1 + edge])
    assert careful.bayes_risk().value < 0.158655


def test_roots_far_away_are_found():
    """Almost equal variances: the second root of the quadratic is at -401."""
    found = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(2.0, 1.01)])
    a, b, c = 1 / 1.01 - 1, -4 / 1.01, 4 / 1.01 + np.log(1.01)
    np.testing.assert_allclose(found.boundaries().points, np.sort(np.roots([a, b, c])), rtol=1e-9)


@pytest.mark.slow
@given(st.floats(0.05, 0.95), st.floats(0.2, 5.0), st.floats(0.3, 3.0))
def test_no_rule_has_less_risk_than_the_bayes_rule(prior, cost, threshold):
    problem = ContinuousDecisionProblem([prior, 1 - prior], TWO, [[0, cost], [1, 0]])
    least = problem.bayes_risk().value
    rule = lambda x: (x > threshold).astype(int)  # noqa: E731
    own = problem.risk(rule).value
    exact = prior * stats.norm.sf(threshold) + (1 - prior) * cost * stats.norm.cdf(threshold - 2)
    assert own == pytest.approx(exact, abs=1e-12)
    assert least <= own + 1e-12


def test_the_cost_adjusted_boundary_has_equal_risks():
    problem = ContinuousDecisionProblem([0.3, 0.7], TWO, [[0, 1], [5, 0]])
    (point,) = problem.boundaries().points
    risks = problem.conditional_risks([point])[0]
    assert risks[0] == pytest.approx(risks[1])
    # choose the first iff 5 P(1 | x) > P(2 | x)
    assert problem.posteriors([point])[0, 0] == pytest.approx(1 / 6)


def test_tables_and_densities_agree():
    classes = [Poisson(2.0), Poisson(6.0)]
    problem = ContinuousDecisionProblem([0.4, 0.6], classes)
    counts = np.arange(60)
    table = DecisionProblem([0.4, 0.6], [one.prob(counts) for one in classes])
    assert problem.bayes_risk().value == pytest.approx(table.bayes_risk(), abs=1e-12)
    assert problem.bayes_risk().method == "sum"
    rule = lambda x: np.where(x > 3, 1, 0)  # noqa: E731
    assert problem.risk(rule).value == pytest.approx(
        table.risk({int(x): int(x > 3) for x in counts}), abs=1e-12
    )


def test_the_plane_by_quadrature_and_space_by_sampling():
    flat = ContinuousDecisionProblem([0.5, 0.5], plane([0, 0], [2, 0]))
    found = flat.bayes_risk()
    assert found.method == "quadrature"
    assert found.value == pytest.approx(stats.norm.cdf(-1), abs=1e-6)
    cov = [[1.0, 0.6], [0.6, 2.0]]
    turned = ContinuousDecisionProblem([0.5, 0.5], plane([0, 0], [1, 2], covariance=cov))
    delta = np.sqrt(np.array([1, 2]) @ np.linalg.solve(cov, [1, 2]))
    found = turned.bayes_risk()
    assert found.value == pytest.approx(stats.norm.cdf(-delta / 2), abs=5e-4)
    assert abs(found.value - stats.norm.cdf(-delta / 2)) < 10 * found.error
    space = [MultivariateGaussian(np.r_[m, 0, 0, 0], np.eye(4)) for m in (0, 2)]
    deep = ContinuousDecisionProblem([0.5, 0.5], space)
    found = deep.bayes_risk(random_state=0)
    assert found.method == "sampling"
    assert found.low - found.error < stats.norm.cdf(-1) < found.high + found.error
    assert deep.bayes_risk(random_state=0).value == found.value


@pytest.mark.slow
@pytest.mark.parametrize(("s", "c"), [(0.1, 10), (0.01, 10), (1e-3, 1000)])
def test_narrow_densities_far_apart_are_sampled(s, c):
    """Two equal classes: half of the decisions are wrong, whatever the panels see of them."""
    parts = plane([0, 0], [c, 0], covariance=np.eye(2) * s * s)
    problem = ContinuousDecisionProblem([0.5, 0.5], [Mixture([0.5, 0.5], parts)] * 2)
    found = problem.bayes_risk(random_state=0)
    assert found.method == "sampling"
    assert found.value == pytest.approx(0.5, abs=1e-12)
    asked = problem.bayes_risk(method="quadrature")
    assert asked.method == "quadrature"
    assert 0 <= asked.low <= 0.5 <= asked.high <= 1


def test_a_thin_ridge_is_sampled():
    cov = [[1.0, 0.99999], [0.99999, 1.0]]
    problem = ContinuousDecisionProblem([0.5, 0.5], plane([0, 0], [2, 2], covariance=cov))
    found = problem.bayes_risk(random_state=0)
    assert found.method == "sampling"
    delta = np.sqrt(np.array([2, 2]) @ np.linalg.solve(cov, [2, 2]))
    assert abs(found.value - stats.norm.cdf(-delta / 2)) < 4 * found.error
    assert problem.bayes_risk(method="quadrature").value <= 1


def test_the_method_can_be_asked_for():
    flat = ContinuousDecisionProblem([0.5, 0.5], plane([0, 0], [2, 0]))
    drawn = flat.bayes_risk(method="sampling", random_state=0)
    assert drawn.method == "sampling"
    assert abs(drawn.value - stats.norm.cdf(-1)) < 4 * drawn.error
    line = ContinuousDecisionProblem([0.5, 0.5], TWO).bayes_risk(method="sampling", random_state=0)
    assert abs(line.value - stats.norm.cdf(-1)) < 4 * line.error
    assert line.method == "sampling"


def test_contours_of_three_classes():
    problem = ContinuousDecisionProblem([1 / 3] * 3, plane([0, 0], [4, 0], [0, 4]), states="abc")
    curves = problem.boundary_contours([(-3, 7), (-3, 7)], resolution=150)
    assert set(curves) == {"a", "b", "c"}
    risks = problem.conditional_risks(np.concatenate(curves["a"]))
    least = np.sort(risks, axis=1)
    assert np.abs(least[:, 0] - least[:, 1]).max() < 0.05  # two actions are equally good
    straight = curves["a"][0]
    upper = straight[straight[:, 1] < 0]  # against b: x = 2
    np.testing.assert_allclose(upper[:, 0], 2, atol=0.02)


def test_actions_need_not_be_states():
    problem = ContinuousDecisionProblem(
        [0.5, 0.5],
        TWO,
        [[0, 10], [2, 2], [6, 0]],
        states=["well", "ill"],
        actions=["send home", "test", "treat"],
    )
    assert problem.decide([-2.0, 0.7, 4.0]) == ["send home", "test", "treat"]
    assert problem.boundaries().actions == ["send home", "test", "treat"]


def test_scipy_densities_and_column_observations():
    ours = ContinuousDecisionProblem([0.2, 0.8], TWO)
    theirs = ContinuousDecisionProblem([0.2, 0.8], [stats.norm(0, 1), stats.norm(2, 1)])
    x = np.linspace(-3, 5, 9)
    np.testing.assert_allclose(ours.posteriors(x[:, None]), theirs.posteriors(x))
    assert ours.bayes_risk().value == pytest.approx(theirs.bayes_risk().value)


def test_where_no_state_is_possible_the_posterior_is_the_prior():
    problem = ContinuousDecisionProblem([0.2, 0.8], [stats.uniform(0, 1), stats.uniform(2, 1)])
    np.testing.assert_allclose(problem.posteriors([9.0]), [[0.2, 0.8]])
    assert problem.bayes_risk().value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: ContinuousDecisionProblem([0.5, 0.6], TWO), "sum to one"),
        (lambda: ContinuousDecisionProblem([1.0], TWO), "a density for each of the 1"),
        (
            lambda: ContinuousDecisionProblem([0.5, 0.5], [TWO[0], plane([0, 0])[0]]),
            "the same dimension",
        ),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], ["a", "b"]), "a distribution must be"),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO, states=["a", "a"]), "different names"),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO, reject=-1), "reject"),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).risk(3), "rule must be"),
        (
            lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).risk(lambda x: x * 0 + 7),
            "returned 7.0",
        ),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).risk(lambda x: 0), "one action for"),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).posteriors(np.eye(2)[None]), "shape"),
        (lambda: ContinuousDecisionProblem([1.0], plane([0, 0])).boundaries(), "2 coordinates"),
        (
            lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).boundary_contours([(0, 1)] * 2),
            "must have two coordinates",
        ),
        (
            lambda: ContinuousDecisionProblem(
                [1.0], [MultivariateGaussian(np.zeros(3), np.eye(3))]
            ).bayes_risk(n_samples=1),
            "n_samples",
        ),
        (lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).bayes_risk(method="sum"), "method"),
        (
            lambda: ContinuousDecisionProblem([0.5, 0.5], TWO).bayes_risk(method="quadrature"),
            "two dimensions",
        ),
    ],
)
def test_bad_input(call, match):
    with pytest.raises((DataError, ParameterError), match=match):
        call()


def test_priors_that_do_not_sum_to_one():
    with pytest.raises(DataError, match=r"with sum 1.1. Divide each row by its sum.$"):
        ContinuousDecisionProblem([0.5, 0.6], [Gaussian(0, 1), Gaussian(2, 1)])


def test_the_interval_of_a_risk_is_not_below_the_least_risk():
    apart = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0, 1), Gaussian(1e6, 1)]).bayes_risk()
    assert apart.low == apart.value == 0
