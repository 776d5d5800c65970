"""Machines as the core solves them."""

import numpy as np

from gramian import _native
from gramian.svm.dual_machines import Machines, Settings, fill_up


def test_machines_side_by_side_are_those_one_after_the_other(rng):
    """From four machines on, threads take one each."""
    K = rng.normal(size=(40, 40))
    points = _native.SvmPoints(K @ K.T)
    sign = np.repeat([1.0, -1.0], 20)
    settings = Settings(1e-8, 10**6, True, 200)

    def solve(count):
        ids = [np.arange(40, dtype=np.int32)] * count
        each = [[v] * count for v in (sign, np.ones(40), -sign, np.zeros(40))]
        solved, alpha = Machines(ids, *each).solve(points, settings)
        return solved.values, alpha

    (one,), (alpha,) = solve(1)
    values, alphas = solve(5)
    np.testing.assert_array_equal(values, one)
    for other in alphas:
        np.testing.assert_array_equal(other, alpha)


def test_the_first_values_are_filled_up():
    np.testing.assert_array_equal(fill_up(np.array([1.0, 3.0, 2.0]), 2.0), [1, 1, 0])
    np.testing.assert_array_equal(fill_up(np.array([1.0, 3.0]), 4.0), [1, 3])
