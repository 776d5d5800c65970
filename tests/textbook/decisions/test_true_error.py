import numpy as np
import pytest
from scipy import stats

from gramian import DecisionTreeClassifier, LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gaussian, GenerativeModel, Mixture, MultivariateGaussian
from gramian.textbook.decisions import ContinuousDecisionProblem, DecisionProblem, true_error

SOURCE = ContinuousDecisionProblem(
    [0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)], states=["no", "yes"]
)


def draw(n, rng):
    y = rng.integers(2, size=n)
    return (rng.normal(size=n) + 2 * y)[:, None], np.array(["no", "yes"])[y]


def test_a_threshold_has_the_error_of_the_two_tails():
    rule = lambda x: np.where(x > 1.5, "yes", "no")  # noqa: E731
    exact = (stats.norm.sf(1.5) + stats.norm.cdf(-0.5)) / 2
    assert true_error(rule, SOURCE).value == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("learner", [LogisticRegression(), DecisionTreeClassifier(max_depth=4)])
def test_exact_and_sampled_errors_agree(learner):
    X, y = draw(300, np.random.default_rng(0))
    model = learner.fit(X, y)
    exact, sampled = true_error(model, SOURCE), true_error(model, draw, random_state=1)
    assert exact.method == "intervals"
    assert sampled.method == "sampling"
    assert abs(exact.value - sampled.value) < 4 * sampled.error
    assert exact.value >= SOURCE.bayes_risk().value - 1e-12


def test_a_generative_model_is_integrated():
    model = GenerativeModel(
        [0.3, 0.7], [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)], classes=["no", "yes"]
    )
    rule = lambda x: np.where(x > 1, "yes", "no")  # noqa: E731
    found = true_error(rule, model)
    assert found.value == pytest.approx(stats.norm.cdf(-1), rel=1e-12)
    assert found.method == "intervals"


def test_tables_are_summed():
    table = DecisionProblem([0.4, 0.6], [[0.9, 0.1], [0.2, 0.8]], states=[0, 1])
    error = true_error(lambda x: x[:, 0], table)  # says the observation's number
    assert error.value == pytest.approx(0.4 * 0.1 + 0.6 * 0.2)
    assert error.error == 0


def test_vectors():
    source = ContinuousDecisionProblem(
        [0.5, 0.5],
        [MultivariateGaussian([0, 0], np.eye(2)), MultivariateGaussian([2, 0], np.eye(2))],
    )
    found = true_error(lambda x: (x[:, 0] > 1).astype(int), source)
    assert found.value == pytest.approx(stats.norm.cdf(-1), abs=1e-6)


def test_narrow_vectors_are_sampled():
    parts = [MultivariateGaussian([c, 0], np.eye(2) * 1e-4) for c in (0, 10)]
    source = ContinuousDecisionProblem([0.5, 0.5], [Mixture([0.5, 0.5], parts)] * 2)
    found = true_error(lambda x: (x[:, 0] > 5).astype(int), source, random_state=0)
    assert found.method == "sampling"
    assert found.value == pytest.approx(0.5, abs=1e-12)


def test_bad_input():
    with pytest.raises(ParameterError, match="source must be"):
        true_error(lambda x: x, 3)
    with pytest.raises(ParameterError, match="n_samples"):
        true_error(lambda x: x, draw, n_samples=0)
    with pytest.raises(ParameterError, match="needs a source with densities"):
        true_error(lambda x: x, draw, method="quadrature")
    with pytest.raises(ParameterError, match="classifier must be"):
        true_error(3, draw)
    with pytest.raises(DataError, match="3 rows and 2 labels"):
        true_error(lambda x: x, lambda n, rng: (np.ones(3), np.ones(2)))
