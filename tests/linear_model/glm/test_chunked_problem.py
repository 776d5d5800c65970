"""A problem of chunks is the problem of all rows."""

import numpy as np
import pytest

from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.objectives import L2, LinearProblem, Logistic, Softmax, WeightedSum


class Passed(list):
    in_memory = False

    def total(self, step, merge):
        return merge(step(self[:1]), step(self[1:]))


class InMemory(list):
    in_memory = True


@pytest.mark.parametrize("kind", [Passed, InMemory])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", [None, L2(0.6)], ids=repr)
@pytest.mark.parametrize("loss", [Logistic(), Softmax()], ids=repr)
def test_value_and_derivatives_match_all_rows(loss, penalty, intercept, kind, rng):
    several = isinstance(loss, Softmax)
    X, omega = rng.normal(size=(20, 3)), rng.random(20)
    y = np.arange(20) % 3 if several else rng.random(20)
    settings = {"intercept": intercept, "outputs": 3 if several else None}
    whole = LinearProblem(X, y, loss, penalty, WeightedSum(omega), **settings)
    cuts = [slice(0, 7), slice(7, 8), slice(8, 20)]

    made = []

    def chunk_problem(X, y, omega):
        made.append(len(X))
        return LinearProblem(X, y, loss, None, WeightedSum(omega), **settings)

    rows = kind([(X[cut], y[cut], omega[cut]) for cut in cuts])
    problem = ChunkedProblem(rows, chunk_problem, penalty, whole.shape, intercept=intercept)
    assert problem.size == whole.size
    x = rng.normal(size=whole.size)
    assert problem.value(x) == pytest.approx(whole.value(x))
    for found, expected in zip(problem.second_order(x), whole.second_order(x), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(problem.gradient(x), whole.gradient(x), atol=1e-12)
    assert len(made) == (3 if kind is InMemory else 9)  # once, or on each of three passes


def test_single_rows_cannot_be_accessed():
    problem = ChunkedProblem(Passed(), LinearProblem, None, (3,), intercept=True)
    assert problem.lacking()["rows"] == "the rows come in chunks"
    assert "hessian" not in problem.lacking()
