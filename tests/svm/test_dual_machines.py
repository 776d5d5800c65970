"""Dual problems as the core solves them."""

import numpy as np
import pytest

import gramian
from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.svm.dual_machines import (
    Machines,
    Settings,
    Solved,
    Start,
    fill_to_total,
    scaled_start,
)


@pytest.mark.parametrize("n", [40, 120])  # one block, and rows
def test_parallel_and_serial_machines_agree(rng, n):
    """From four machines on, threads take one each."""
    K = rng.normal(size=(n, n))
    points = _native.SvmPoints(K @ K.T)
    sign = np.repeat([1.0, -1.0], n // 2)
    settings = Settings(1e-8, 10**6, True, 200)

    def solve(count):
        ids = np.tile(np.arange(n, dtype=np.int32), count)
        each = [np.tile(v, count) for v in (sign, np.ones(n), -sign, np.zeros(n))]
        solved, alpha = Machines(ids, n * np.arange(count + 1), *each).solve(points, settings)
        return solved.values, alpha.reshape(count, n)

    (one,), (alpha,) = solve(1)
    values, alphas = solve(5)
    np.testing.assert_array_equal(values, one)
    for other in alphas:
        np.testing.assert_array_equal(other, alpha)


@pytest.mark.parametrize("n", [1536, 2003])
def test_shrunk_kernel_rows_give_the_gradient(rng, n):
    """Rows are kept for the points that are not left out, and the gradient is summed from them."""
    X = rng.normal(size=(n, 4))
    y = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=n)
    sign = np.repeat([1.0, -1.0], n)
    offset = np.concatenate([0.05 - y, -0.05 - y])
    ids, before = np.arange(n, dtype=np.int32), gramian.get_num_threads()
    points = _native.SvmPoints(native_table(X), ("rbf", 0.3, 0.0, 0), 1e-8, True)
    found = []
    squares = (X**2).sum(axis=1)
    K = np.exp(-0.3 * np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0))
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        for cache_size in (200, 10):
            machines = Machines.one(ids, sign, np.ones(2 * n), offset, np.zeros(2 * n), halves=2)
            found.append(machines.solve(points, Settings(1e-5, 10**7, True, cache_size)))
    gramian.set_num_threads(before)
    for solved, alpha in found:
        b = alpha[:n] - alpha[n:]
        assert solved.violations[0] < 1e-5
        np.testing.assert_allclose(solved.gradients, K @ b, rtol=0, atol=2e-6)
        np.testing.assert_array_equal(alpha, found[0][1])


def test_the_first_values_are_filled_up():
    np.testing.assert_array_equal(fill_to_total(np.array([1.0, 3.0, 2.0]), 2.0), [1, 1, 0])
    np.testing.assert_array_equal(fill_to_total(np.array([1.0, 3.0]), 4.0), [1, 3])


def one_machine(K, upper, start=None):
    """Solve 1/2 b'Kb - sum alpha with the first half of the rows positive."""
    n = len(K)
    sign = np.repeat([1.0, -1.0], n // 2)
    start = start or Start(np.zeros(n))
    starts = np.array([0, n])
    machines = Machines(np.arange(n, dtype=np.int32), starts, sign, upper, -sign, *start)
    solved, alpha = machines.solve(_native.SvmPoints(K), Settings(1e-9, 10**6, True, 200))
    return solved, alpha, sign


def test_the_gradient_matches_the_solution(rng):
    A = rng.normal(size=(300, 5))
    K = A @ A.T + np.eye(300)
    solved, alpha, sign = one_machine(K, np.ones(300))
    np.testing.assert_allclose(solved.gradients, K @ (sign * alpha), rtol=1e-9, atol=1e-9)
    again, same, _ = one_machine(K, np.ones(300), Start(alpha, solved.gradients))
    assert again.steps[0] == 0
    np.testing.assert_array_equal(same, alpha)


def test_a_start_for_larger_bounds_is_the_best_multiple(rng):
    """All variables at bounds: again. None: the solution itself. Else the minimum on the ray."""
    A = rng.normal(size=(60, 3))
    K = A @ A.T + 0.1 * np.eye(60)
    multiples = []
    for C in (1e-4, 0.05, 1e6):
        solved, alpha, signs = one_machine(K, np.full(60, C))
        start = scaled_start(solved, alpha, signs, np.array([0, 60]), 10.0)
        multiples.append(t := start.alpha.max() / alpha.max())
        np.testing.assert_allclose(start.gradients, t * solved.gradients)
        b = signs * alpha
        tried = np.r_[t, np.linspace(1, 10, 181)]
        values = 0.5 * tried**2 * (b @ K @ b) - tried * alpha.sum()
        assert values[0] == pytest.approx(values.min(), rel=1e-6)
    assert multiples[0] == 10
    assert 1 < multiples[1] < 10
    assert abs(multiples[2] - 1) < 1e-5


def test_a_zero_kernel_uses_the_largest_start():
    zeros = np.zeros(2)
    solved = Solved(zeros, zeros, zeros, zeros, zeros.astype(np.int32), 0, zeros)
    start = scaled_start(solved, np.ones(2), np.array([1.0, -1.0]), np.array([0, 2]), 3.0)
    np.testing.assert_array_equal(start.alpha, [3.0, 3.0])
