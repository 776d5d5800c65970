"""The preconditioner along the scores and their complement."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.objectives import L2, LinearProblem, Logistic, Softmax
from gramian.solvers.second_order.preconditioners import Bound, bound_preconditioner
from gramian.solvers.second_order.split_preconditioner import split_preconditioner


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_split_preconditioner_is_the_hessian_where_it_is_formed(loss, intercept, sparse, rng):
    """With as many scores as columns (and one for their mean) nothing is left to approximate."""
    K = 4 if isinstance(loss, Softmax) else 1
    X = rng.normal(size=(200, 2 if K > 1 else 1)) + 0.5
    y = rng.integers(0, max(K, 2), 200)
    X = sp.csr_array(X) if sparse else X
    full = LinearProblem(X, y, loss, L2(0.002), intercept=intercept)
    x = rng.normal(size=full.size)
    g = full.gradient(x)
    step = split_preconditioner(full, x, Bound.of(full), 100)(g)
    np.testing.assert_allclose(full.hessian(x) @ step, g, atol=1e-6)


@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_split_preconditioner_is_nearly_the_hessian_for_normal_rows(loss):
    rng = np.random.default_rng(0)
    n, d, K = 40_000, 12, 3 if isinstance(loss, Softmax) else 1
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1
    W = 0.5 * rng.normal(size=(d + 1, K))
    y = rng.integers(0, max(K, 2), n)
    full = LinearProblem(X, y, loss, L2(2e-06))
    bound = Bound.of(full)
    split = split_preconditioner(full, W.reshape(-1), bound, 100)
    H = full.hessian(W.reshape(-1))

    def error(preconditioner):
        """The largest part by which a step differs from Newton's, in the norm of H."""
        worst = 0.0
        for _ in range(10):
            g = H @ rng.normal(size=full.size)
            newton = np.linalg.lstsq(H, g)[0]
            off = preconditioner(g) - newton
            worst = max(worst, float(np.sqrt(off @ H @ off / (newton @ H @ newton))))
        return worst

    assert error(split) < 0.1 < 0.3 < error(bound_preconditioner(full, bound))
