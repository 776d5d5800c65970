import numpy as np
from scipy.optimize import nnls

from gramian.decomposition.nonnegative_steps import improve, solve_rows

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


def test_a_turn_lowers_the_objective_and_the_projected_gradient():
    factor, cross, gram = W.copy(), X @ H.T, H @ H.T
    before = np.linalg.norm(X - factor @ H)
    first = improve(factor, cross, gram, (0.0, 0.0), done=0.5)
    assert np.linalg.norm(X - factor @ H) < before
    for _ in range(10):
        last = improve(factor, cross, gram, (0.0, 0.0), done=0.5)
    assert last < 0.01 * first
    np.testing.assert_allclose(factor, solve_rows(X, H, 0.0, 0.0), atol=1e-2)
