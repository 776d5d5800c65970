"""The banded form against the inverse by NumPy."""

import numpy as np
import pytest

from gramian.kernel_ridge.banded_form import banded_form
from gramian.kernels import RBF

rng = np.random.default_rng(0)


@pytest.mark.parametrize(("n", "width"), [(1, 1), (2, 1), (7, 3), (33, 32), (64, 32), (90, None)])
def test_solutions_and_the_diagonal_of_the_inverse(n, width):
    K = RBF(0.5)(rng.normal(size=(n, 3)))
    Y = rng.normal(size=(n, 2))
    form = banded_form(K, width)
    for alpha in (1e-3, 1.0, 50.0):
        inverse = np.linalg.inv(K + alpha * np.eye(n))
        solution, diagonal = form.solve(Y, alpha)
        np.testing.assert_allclose(solution, inverse @ Y, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(diagonal, np.diag(inverse), rtol=1e-10)


def test_q_is_orthogonal_and_gives_the_matrix_back():
    K = RBF(0.5)(rng.normal(size=(40, 3)))
    form = banded_form(K, 8)
    B = np.zeros((40, 40))
    for k, block in enumerate(form.diagonal):
        B[8 * k : 8 * k + 8, 8 * k : 8 * k + 8] = block
    for k, block in enumerate(form.below):
        B[8 * k + 8 : 8 * k + 16, 8 * k : 8 * k + 8] = block
        B[8 * k : 8 * k + 8, 8 * k + 8 : 8 * k + 16] = block.T
    np.testing.assert_allclose(form.Q @ form.Q.T, np.eye(40), atol=1e-13)
    np.testing.assert_allclose(form.Q @ B @ form.Q.T, K, atol=1e-13)


def test_a_matrix_of_zeros_needs_no_reflection():
    solution, diagonal = banded_form(np.zeros((20, 20)), 4).solve(np.ones((20, 1)), 2.0)
    np.testing.assert_allclose(solution, 0.5)
    np.testing.assert_allclose(diagonal, 0.5)


def test_a_matrix_that_is_not_positive_definite():
    with pytest.raises(np.linalg.LinAlgError):
        banded_form(-np.eye(5), 2).solve(np.ones((5, 1)), 0.5)
