"""The elastic net: optimality conditions, and ridge as its limit."""

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian import ElasticNet, Ridge
from tests.linear_model.lasso.lasso_data import kkt_violation, problem


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 40),
    d=st.integers(1, 60),
    ratio=st.sampled_from([0.3, 1.0]),
    weighted=st.booleans(),
    sparse=st.booleans(),
    strength=st.floats(0.01, 0.9),
)
def test_the_conditions_of_karush_kuhn_and_tucker_hold(
    seed, n, d, ratio, weighted, sparse, strength
):
    X, y, rng = problem(seed, n, d, sparse=sparse)
    weights = rng.random(n) + 0.1 if weighted else None
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n + 1e-3
    model = ElasticNet(alpha, l1_ratio=ratio, tol=1e-12, max_iter=100_000)
    model.fit(sp.csr_array(X) if sparse else X, y, weights)
    violation, level = kkt_violation(model, X, y, weights, alpha, ratio)
    scale = 1 + np.abs(y).max()
    assert violation <= 1e-5 * scale
    assert level <= 1e-8 * scale


def test_without_an_l1_part_it_is_ridge():
    X, y, rng = problem(2, 50, 5)
    weights = rng.random(50)
    ridge = Ridge(0.3 * weights.sum()).fit(X, y, weights)
    net = ElasticNet(0.3, l1_ratio=0.0).fit(X, y, weights)
    np.testing.assert_allclose(net.coef_, ridge.coef_, rtol=1e-8)
