"""Which solver a problem gets, from its shape."""

import numpy as np
import pytest
import scipy.sparse as sp
from threadpoolctl import threadpool_info

from gramian import LogisticRegression
from gramian.linear_model.glm.row_space import is_wide, row_space
from gramian.linear_model.glm.solver_choice import solver_for
from gramian.linear_model.glm.solver_costs import Costs
from gramian.objectives import L2, LinearProblem, Logistic, Softmax
from gramian.solvers import LBFGS


def shaped(n, d, classes=2, *, sparse=False):
    """A problem of this shape; the choice looks at nothing else, so zeros will do."""
    X = sp.csr_array((n, d)) if sparse else np.zeros((n, d), dtype=np.float32)
    if classes == 2:
        return LinearProblem(X, np.arange(n) % 2 * 1.0, Logistic(), L2(1.0))
    y = (np.arange(n) % classes).astype(np.int32)
    return LinearProblem(X, y, Softmax(), L2(1.0), outputs=classes)


def chosen(*shape, **kind):
    return solver_for(shaped(*shape, **kind), "auto", tol=1e-4, max_iter=100, seed=None)


@pytest.mark.parametrize(
    ("shape", "solver"),
    [
        ((200, 20), "Newton"),  # small
        ((5000, 20), "Newton"),
        ((150, 4, 3), "Newton"),
        ((100_000, 10), "SampledNewton"),  # tall
        ((500_000, 20), "SampledNewton"),
        ((20_000, 40), "SampledNewton"),
        ((20_000, 16, 26), "SampledNewton"),  # many classes, tall
        ((60_000, 100, 10), "SampledNewton"),
        ((1000, 100), "PreconditionedLBFGS"),  # neither
        ((20_000, 300), "PreconditionedLBFGS"),
        ((1000, 1000), "PreconditionedLBFGS"),  # square
        ((500, 20, 10), "PreconditionedLBFGS"),  # a Hessian of 210 unknowns for 500 rows
        ((3000, 30, 100), "PreconditionedLBFGS"),
        ((1000, 3000), "DualCoordinate"),  # wide
    ],
)
def test_the_shape_decides(shape, solver):
    assert type(chosen(*shape)).__name__ == solver


def test_sparse_rows_that_are_wide_take_the_dual():
    assert type(chosen(500, 300, sparse=True)).__name__ == "DualCoordinate"
    assert type(chosen(500, 100, sparse=True)).__name__ != "DualCoordinate"


def test_plain_steps_come_first_where_a_preconditioner_is_dear():
    """A Gram matrix of 1000 columns costs hundreds of passes, one of 100 columns four."""
    assert chosen(1000, 1000).plain > 0
    assert chosen(1000, 100).plain == 0
    assert chosen(1000, 1000, 10).plain > 0
    assert chosen(2000, 100, 10).plain == 0


def test_costs_rise_with_the_shape():
    small, tall, wide, many = (
        Costs.of(shaped(*s)) for s in [(100, 10), (1000, 10), (100, 50), (100, 10, 5)]
    )
    for more in (tall, wide, many):
        assert more.hessian(more.n) > small.hessian(small.n)
        assert more.step(more.n) > small.step(small.n)
    assert many.preconditioner(100) == small.preconditioner(100)  # one matrix for all classes


@pytest.mark.parametrize("shape", [(300, 300), (60, 400), (400, 80)])
@pytest.mark.parametrize("classes", [2, 4])
def test_every_route_finds_the_same_minimum(shape, classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) * np.exp(rng.normal(size=shape[1]))
    Z = X @ rng.normal(size=(shape[1], classes)) / 10
    y = (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)
    auto = LogisticRegression(tol=1e-7, max_iter=1000).fit(X, y)
    plain = LogisticRegression(tol=1e-7, max_iter=10_000, solver="lbfgs").fit(X, y)
    assert auto.objective_ == pytest.approx(plain.objective_, rel=1e-9)
    np.testing.assert_allclose(auto.coef_, plain.coef_, atol=1e-4)


# More columns than rows


@pytest.mark.parametrize("rank", [6, 4, 1, 0])
def test_rows_in_their_own_coordinates(rank, rng):
    """X w = Z u and |w| = |u|, also where rows depend on each other."""
    X = rng.normal(size=(6, rank)) @ rng.normal(size=(rank, 40))
    space = row_space(X)
    assert space.Z.shape[1] == max(rank, 1)
    np.testing.assert_allclose(space.Z @ space.Z.T, X @ X.T, atol=1e-9)
    if rank:
        u = rng.normal(size=space.Z.shape[1])
        w = space.weights(u)
        np.testing.assert_allclose(X @ w, space.Z @ u, atol=1e-9)
        assert np.linalg.norm(w) == pytest.approx(np.linalg.norm(u))


def test_the_rows_coordinates_are_for_few_rows():
    assert is_wide(100, 5000, sparse=False)
    assert is_wide(300, 1000, sparse=False)
    assert not is_wide(300, 1000, sparse=True)
    assert not is_wide(1500, 2000, sparse=False)  # the factorisation alone would cost more
    assert not is_wide(100, 200, sparse=False)


# Threads


def test_blas_has_one_thread_while_a_fit_alternates_with_it(monkeypatch):
    seen = []
    minimize = LBFGS._iterates

    def watched(self, problem, x):
        seen.append({lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"})
        return minimize(self, problem, x)

    monkeypatch.setattr(LBFGS, "_iterates", watched)
    before = [lib["num_threads"] for lib in threadpool_info()]
    X = np.random.default_rng(0).normal(size=(1000, 200))
    LogisticRegression().fit(X, (X[:, 0] > 0).astype(int))
    assert seen
    assert all(threads == {1} for threads in seen)
    assert [lib["num_threads"] for lib in threadpool_info()] == before
