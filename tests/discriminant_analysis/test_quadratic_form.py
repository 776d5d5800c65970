"""Where two discriminants of one variable are equal."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.discriminant_analysis.quadratic_form import QuadraticForm, equal_points


def form(*rows):
    a, b, c = np.array(rows, dtype=float).T
    return QuadraticForm(a[:, None, None], b[:, None], c)


def test_two_points_one_or_none():
    assert_allclose(equal_points(form([0, 0, 0], [1, -3, 2]), 0, 1), [1, 2])
    assert_allclose(equal_points(form([2, 0, 0], [2, 4, -8]), 0, 1), [2])
    assert_allclose(equal_points(form([0, 0, 0], [1, 0, 0]), 0, 1), [0])
    assert equal_points(form([0, 0, 0], [1, 0, 1]), 0, 1).size == 0
    assert equal_points(form([1, 2, 0], [1, 2, 5]), 0, 1).size == 0


def test_a_root_near_zero_keeps_its_digits():
    small = equal_points(form([0, 0, 0], [1, -1e9, 1]), 0, 1)[0]
    assert_allclose(small, 1e-9, rtol=1e-12)
