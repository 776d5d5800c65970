"""Checks of matrices."""

import numpy as np
import pytest

from gramian.linalg.checks import asymmetry, check_matrix, check_symmetric, rank_tolerance


def test_asymmetry_from_rounding_is_allowed():
    A = np.array([[1.0, 2.0], [2.0 + 1e-13, 3.0]])
    found = check_symmetric("f", A)
    assert (found == found.T).all()
    with pytest.raises(
        ValueError, match=r"f: A must be symmetric; got 2 at .* Give \(A \+ A.T\) / 2"
    ):
        check_symmetric("f", [[1.0, 2.0], [2.1, 3.0]])


@pytest.mark.parametrize("A", [[1.0, 2.0], [[np.nan]], [[np.inf]]])
def test_non_finite_matrices_raise(A):
    with pytest.raises(ValueError, match="f: B"):
        check_matrix("f", A, name="B")
    with pytest.raises(ValueError, match="must be square"):
        check_symmetric("f", [[1.0, 2.0]])


def test_the_tolerance_is_relative_to_the_largest():
    assert rank_tolerance(5.0, (3, 7), 0.1) == 0.5
    assert rank_tolerance(5.0, (3, 7), None) == 7 * np.finfo(float).eps * 5


@pytest.mark.parametrize("n", [1, 3, 256, 600])
def test_the_largest_asymmetry_is_found_in_any_tile(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    most, i, j = asymmetry(A)
    assert most == np.abs(A - A.T).max() == abs(A[i, j] - A[j, i])
    assert asymmetry(A + A.T) == (0.0, 0, 0)


def test_a_matrix_of_text_is_refused():
    with pytest.raises(ValueError, match=r"rank: A must contain numbers"):
        check_matrix("rank", [["a"]])


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match=r"rank: A must be real; Complex data not supported"):
        check_matrix("rank", [[1.0 + 2.0j]])
