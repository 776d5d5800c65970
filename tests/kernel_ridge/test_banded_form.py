"""The banded form against the inverse by NumPy."""

import numpy as np
import pytest

from gramian.base.runtime.threads import threads_for
from gramian.kernel_ridge.banded_form import banded_form
from gramian.kernels import RBF

rng = np.random.default_rng(0)


@pytest.mark.parametrize(("n", "width"), [(1, 1), (2, 1), (7, 3), (33, 32), (64, 32), (300, 64)])
def test_solutions_and_the_diagonal_of_the_inverse(n, width):
    K = RBF(0.5)(rng.normal(size=(n, 3)))
    Y = rng.normal(size=(n, 2))
    form = banded_form(K, width)
    alphas = (1e-3, 1.0, 50.0)
    factors = [form.factor(alpha) for alpha in alphas]
    for alpha, factor, diagonal in zip(
        alphas, factors, form.inverse_diagonals(factors), strict=True
    ):
        inverse = np.linalg.inv(K + alpha * np.eye(n))
        solution = form.rotated_back(factor.solve(form.rotated(Y)))
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
    form = banded_form(np.zeros((20, 20)), 4)
    factor = form.factor(2.0)
    np.testing.assert_allclose(form.rotated_back(factor.solve(form.rotated(np.ones((20, 1))))), 0.5)
    np.testing.assert_allclose(form.inverse_diagonals([factor]), 0.5)


def test_repeated_rows():
    """A kernel matrix of low rank: most columns have nothing left to reflect."""
    K = RBF(0.5)(np.repeat(rng.normal(size=(5, 2)), 12, axis=0))
    form = banded_form(K, 8)
    inverse = np.linalg.inv(K + 0.1 * np.eye(60))
    np.testing.assert_allclose(form.Q @ form.Q.T, np.eye(60), atol=1e-13)
    np.testing.assert_allclose(
        form.inverse_diagonals([form.factor(0.1)])[0], np.diag(inverse), rtol=1e-10
    )


def test_only_a_matrix_that_may_be_overwritten_is():
    K = RBF(0.5)(rng.normal(size=(40, 3)))
    before = K.copy()
    kept = banded_form(K, 8)
    np.testing.assert_array_equal(K, before)
    replaced = banded_form(K, 8, overwrite=True)
    assert np.shares_memory(replaced.Q, K)
    np.testing.assert_allclose(replaced.Q, kept.Q, atol=1e-12)


def test_the_diagonal_does_not_depend_on_the_number_of_threads():
    form = banded_form(RBF(0.5)(rng.normal(size=(300, 3))))
    factors = [form.factor(alpha) for alpha in (0.1, 1.0)]
    found = []
    for threads in (1, 3):
        with threads_for(threads):
            found.append(form.inverse_diagonals(factors))
    np.testing.assert_array_equal(*found)


def test_a_matrix_that_is_not_positive_definite():
    with pytest.raises(np.linalg.LinAlgError):
        banded_form(-np.eye(5), 2).factor(0.5)
