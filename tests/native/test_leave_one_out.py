"""Ridge's leave-one-out pass against plain NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import _native


def problem(n, d, m, p, dtype):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, d)) + 2).astype(dtype)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    inverse = rng.random((d, p)) / (10 * d)
    fits = rng.normal(size=(d, m * p))
    return X, rng.normal(size=(n, m)), rng.random(n), rng.normal(size=d + m), Q, fits, inverse


def plain(X, Y, w, means, Q, fits, inverse, share):
    d, p = inverse.shape
    Z = (X.astype(float) - means[:d]) @ Q
    kept = 1 - w[:, None] * (share + Z**2 @ inverse)
    residual = (Y - means[d:])[:, :, None] - (Z @ fits).reshape(len(Y), -1, p)
    return residual / kept[:, None, :]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (67, 5, 2, 3), (200, 13, 1, 50), (5000, 40, 3, 7)])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_equals_the_obvious_numpy(shape, dtype, weighted):
    X, Y, w, means, Q, fits, inverse = problem(*shape, dtype)
    n, _, m, p = shape
    expected = plain(X, Y, w if weighted else np.ones(n), means, Q, fits, inverse, 0.01)
    squares, errors = np.zeros((m, p)), np.empty((n, m * p))
    model = (means, Q, fits, inverse, 0.01)
    _native.leave_one_out(X, Y, w if weighted else None, model, squares, errors)
    assert_allclose(errors.reshape(n, m, p), expected, rtol=1e-9, atol=1e-9)
    counted = expected**2 * (w if weighted else np.ones(n))[:, None, None]
    assert_allclose(squares, counted.sum(axis=0), rtol=1e-9)


def test_leave_one_out_has_the_same_bits_for_any_threads():
    X, Y, w, means, Q, fits, inverse = problem(9000, 20, 1, 5, np.float64)
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        squares = np.zeros((1, 5))
        _native.leave_one_out(X, Y, w, (means, Q, fits, inverse, 0.01), squares, None)
        made.append(squares)
    assert_array_equal(made[0], made[1])
    assert_array_equal(made[0], made[2])
