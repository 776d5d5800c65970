import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency

from gramian.base.errors import DataError, ParameterError
from gramian.textbook.estimation import JointTable

CANCER = JointTable.from_conditional(
    [0.1, 0.9],
    [[0.2, 0.5, 0.3], [0.01, 0.1, 0.89]],
    {"cancer": [True, False], "job": ["miner", "farmer", "other"]},
)
tables = arrays(float, (3, 4), elements=st.floats(0.01, 1.0))


def of(table):
    return JointTable(table / table.sum(), {"x": [0, 1, 2], "y": [-1.0, 0.5, 2.0, 3.0]})


def test_worked_number_t1_posteriors():
    """P(farmer) = 0.14 and P(cancer | farmer) = 5/14."""
    assert CANCER.probability(job="farmer") == pytest.approx(0.14)
    assert CANCER.given(job="farmer").probability(cancer=True) == pytest.approx(5 / 14)
    assert_allclose(CANCER.marginal("job").table, [0.029, 0.14, 0.831])


@given(tables)
def test_sum_product_and_bayes_rule(table):
    joint = of(table)
    p = table / table.sum()
    assert_allclose(joint.marginal("y", "x").table, p.T)
    assert_allclose(joint.marginal("x").table, p.sum(axis=1))
    again = JointTable.from_conditional(p.sum(1), joint.conditional("y", "x"), joint.variables)
    assert_allclose(again.table, p)  # product rule
    posterior = joint.conditional("x", "y")
    assert_allclose(posterior, (p / p.sum(axis=0)).T)
    assert_allclose(joint.given(y=0.5).table, posterior[1])


@given(tables)
def test_total_expectation_and_total_variance(table):
    joint = of(table)
    means, variances = joint.expectation("y", given="x"), joint.variance("y", given="x")
    weights = joint.marginal("x").table
    assert weights @ means == pytest.approx(joint.expectation("y"))
    spread = weights @ (means - weights @ means) ** 2
    assert weights @ variances + spread == pytest.approx(joint.variance("y"))


@given(tables)
def test_variance_computed_two_ways(table):
    joint = of(table)
    f = lambda x, y: x * y + y**2  # noqa: E731
    twice = joint.expectation(lambda x, y: f(x, y) ** 2) - joint.expectation(f) ** 2
    assert joint.variance(f) == pytest.approx(twice, abs=1e-9)
    assert joint.covariance(f, f) == pytest.approx(twice, abs=1e-9)


def test_partial_expectation_uses_the_marginal_and_conditional_the_conditional():
    joint = JointTable([[0.5, 0.0], [0.1, 0.4]], {"x": [1, 2], "y": [10, 20]})
    partial = joint.expectation(lambda x, y: x * y, over="x")
    assert_allclose(partial, [10 * 1.5, 20 * 1.5])
    conditional = joint.expectation(lambda x, y: x * y, given="y")
    assert_allclose(conditional, [10 * (0.5 * 1 + 0.1 * 2) / 0.6, 20 * 2])


def test_probability_is_the_mean_of_the_indicator():
    joint = JointTable([[1, 2], [3, 4]], {"x": [0, 1], "y": [0, 1]})
    event = lambda x, y: x + y >= 1  # noqa: E731
    assert joint.probability(event) == pytest.approx(0.9)
    assert joint.probability(event) == pytest.approx(joint.expectation(event))


def test_independent_variables_are_uncorrelated_but_not_conversely():
    product = JointTable(np.outer([0.2, 0.8], [0.3, 0.3, 0.4]), {"x": [0, 1], "y": [1, 2, 3]})
    assert product.is_independent("x", "y")
    assert product.covariance("x", "y") == pytest.approx(0, abs=1e-15)
    ring = JointTable([[0, 1, 0], [1, 0, 1], [0, 1, 0]], {"x": [-1, 0, 1], "y": [-1, 0, 1]})
    assert ring.correlation("x", "y") == pytest.approx(0, abs=1e-15)
    assert not ring.is_independent("x", "y")
    diagonal = JointTable(np.eye(2), {"x": [0, 1], "y": [5, 9]})
    assert diagonal.correlation("x", "y") == pytest.approx(1.0)


def test_counts_of_data_and_the_test_of_independence():
    rng = np.random.default_rng(0)
    x = rng.integers(3, size=200)
    y = np.where(rng.random(200) < 0.7, x, 0)
    joint = JointTable.from_data({"x": x, "y": y})
    assert joint.total == 200
    found = joint.independence_test("x", "y")
    theirs = chi2_contingency(joint.table * 200, correction=False)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert found.degrees_of_freedom == 4
    weighted = JointTable.from_data({"x": [0, 1], "y": [0, 1]}, sample_weight=[3, 1])
    assert_allclose(weighted.table, [[0.75, 0], [0, 0.25]])


def test_three_variables():
    rng = np.random.default_rng(1)
    p = rng.random((2, 3, 2))
    joint = JointTable(p / p.sum(), {"a": [0, 1], "b": "xyz", "c": [True, False]})
    assert_allclose(joint.given(b="y").table, p[:, 1] / p[:, 1].sum())
    assert_allclose(joint.marginal("c", "a").table, p.sum(axis=1).T / p.sum())


def test_what_has_probability_zero_has_no_conditional_mean():
    joint = JointTable([[0.5, 0.5], [0.0, 0.0]], {"x": [0, 1], "y": [2, 4]})
    assert_allclose(joint.expectation("y", given="x"), [3, np.nan])
    with pytest.raises(DataError, match="probability 0"):
        joint.given(x=1)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: JointTable([0.5, 0.5], {"x": [1, 2, 3]}), r"shape \(3,\); got shape \(2,\)"),
        (lambda: JointTable([0.5, -0.5], {"x": [1, 2]}), ">= 0; got -0.5"),
        (lambda: JointTable([0.5, np.nan], {"x": [1, 2]}), "got nan"),
        (lambda: JointTable([[0.1, 0.2], [0.3, 0.5]], {"x": [1, 2], "y": [3, 4]}), "sum is 1.1"),
        (lambda: JointTable([0.0, 0.0], {"x": [1, 2]}), "not all be zero"),
        (lambda: JointTable([0.5, 0.5], {"x": [1, 1]}), "must differ"),
        (lambda: CANCER.given(job="baker"), "one of .*got 'baker'"),
        (lambda: CANCER.given(job="miner", cancer=True), "leave one"),
        (lambda: CANCER.marginal("age"), "the variables are"),
        (lambda: CANCER.expectation("job"), "must return numbers"),
        (lambda: CANCER.expectation(lambda a, b: np.ones(5)), "one number for each entry"),
        (lambda: CANCER.expectation("cancer", given="job", over="job"), "not both"),
        (lambda: CANCER.probability(), "either an event or values"),
        (lambda: CANCER.independence_test("cancer", "job"), "must contain counts"),
        (lambda: JointTable([[3, 2]], {"x": [0], "y": [0, 1]}).independence_test("x", "y"), "two"),
        (lambda: JointTable.from_data({"x": [], "y": []}), "at least one"),
        (lambda: JointTable.from_data({"x": [1], "y": [1]}, [1, 2]), "sample_weight"),
        (
            lambda: JointTable.from_conditional([0.5, 0.6], np.eye(2), {"x": [0, 1], "y": [0, 1]}),
            "prior must sum to one",
        ),
        (
            lambda: JointTable.from_conditional([1.0], np.eye(2), {"x": [0], "y": [0, 1]}),
            "a row for each entry",
        ),
    ],
)
def test_bad_input(call, match):
    with pytest.raises((DataError, ParameterError), match=match):
        call()


def test_tables_are_immutable():
    with pytest.raises(ValueError, match="read-only"):
        CANCER.table[0, 0] = 1


def test_weights_of_rows_need_not_be_whole():
    joint = JointTable.from_data({"x": [0, 0, 1], "y": [0, 1, 1]}, sample_weight=[0.5, 0.7, 1.3])
    assert joint.total == pytest.approx(2.5)
    assert joint.given(y=1).total == pytest.approx(2.0)
    np.testing.assert_allclose(joint.marginal("x").table, [0.48, 0.52])
