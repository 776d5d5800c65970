"""What a problem inherits: derivatives from the pieces it has, and a checked start."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import DataError
from gramian.objectives import Problem

A = np.array([[4.0, 1.0], [1.0, 3.0]])


class Bowl(Problem):
    """1/2 x'Ax with the three required methods only."""

    size = 2
    n_rows = 0

    def lacking(self):
        return {}

    def value(self, x):
        return float(x @ A @ x / 2)

    def value_and_gradient(self, x):
        return self.value(x), A @ x

    def second_order(self, x):
        return *self.value_and_gradient(x), A


def test_derivatives_follow_from_the_required_methods():
    x, v = np.array([1.0, -2.0]), np.array([0.5, 1.0])
    bowl = Bowl()
    assert_array_equal(bowl.gradient(x), A @ x)
    assert_array_equal(bowl.hessian(x), A)
    assert_allclose(bowl.hessian_product(x, v), A @ v)
    assert bowl.lipschitz(x) == pytest.approx(np.linalg.norm(A, 2))
    assert bowl.hessian_diagonal(x) is None


def test_a_start_is_copied_and_zeros_by_default():
    array = np.array([1.0, 2.0])
    first = Bowl().start(array)
    first[0] = 9.0
    assert array.tolist() == [1.0, 2.0]
    assert Bowl().start().tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ([1.0], "Bowl: start must have 2 numbers; got 1"),
        ([1.0, np.inf], "Bowl: start must be finite numbers"),
    ],
)
def test_a_start_that_does_not_fit(start, words):
    with pytest.raises(DataError, match=words):
        Bowl().start(start)


def test_a_problem_without_rows_has_no_gradient_of_rows():
    with pytest.raises(NotImplementedError, match="Bowl is not a sum over rows"):
        Bowl().rows_gradient(np.zeros(2), np.array([0]))
