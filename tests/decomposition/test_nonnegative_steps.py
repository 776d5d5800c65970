import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.decomposition._nmf import _beta_divergence

from gramian.decomposition.nonnegative_steps import (
    divergence,
    multiply,
    solve_rows,
    sweep,
    violations,
)

rng = np.random.default_rng(0)
X, W, H = rng.random((30, 12)), rng.random((30, 4)), rng.random((4, 12))


def test_rows_are_solved_as_nonnegative_least_squares():
    found = solve_rows(X, H, 0.0, 0.0)
    expected = np.array([nnls(H.T, x)[0] for x in X])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_penalties_shrink_the_weights():
    l1, l2 = 0.3, 0.5
    found = solve_rows(X, H, l1, l2)
    gradient = (found @ H - X) @ H.T + l1 + l2 * found
    np.testing.assert_allclose(gradient[found > 0], 0, atol=1e-6)
    assert (gradient[found == 0] >= -1e-6).all()


def test_no_sweep_raises_the_objective():
    Wt = np.ascontiguousarray(W.T)
    before = divergence(X, Wt.T, H, 2)
    for _ in range(5):
        sweep(Wt, H @ X.T, H @ H.T, 0.0, 0.0)
        after = divergence(X, Wt.T, H, 2)
        assert after <= before + 1e-12
        before = after
    first = violations(Wt, H @ X.T, H @ H.T, 0.0, 0.0).sum()
    for _ in range(100):
        sweep(Wt, H @ X.T, H @ H.T, 0.0, 0.0)
    assert violations(Wt, H @ X.T, H @ H.T, 0.0, 0.0).sum() < 0.02 * first


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 3])
def test_no_multiplication_raises_the_divergence(beta):
    new = multiply(X, W, H, beta, 0.0, 0.0)
    assert divergence(X, new, H, beta) < divergence(X, W, H, beta)
    assert divergence(X, W, H, beta) == pytest.approx(_beta_divergence(X, W, H, beta))
