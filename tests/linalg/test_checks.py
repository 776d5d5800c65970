"""Checks of matrices."""

import numpy as np
import pytest

from gramian.linalg.checks import check_matrix, check_symmetric, rank_tolerance


def test_what_rounding_tells_apart_is_symmetric():
    A = np.array([[1.0, 2.0], [2.0 + 1e-13, 3.0]])
    found = check_symmetric("f", A)
    assert (found == found.T).all()
    with pytest.raises(ValueError, match=r"f: A must be symmetric; give \(A \+ A.T\) / 2"):
        check_symmetric("f", [[1.0, 2.0], [2.1, 3.0]])


@pytest.mark.parametrize("A", [[1.0, 2.0], [[np.nan]], [[np.inf]]])
def test_what_is_no_finite_matrix_is_refused(A):
    with pytest.raises(ValueError, match="f: B"):
        check_matrix("f", A, name="B")
    with pytest.raises(ValueError, match="must be square"):
        check_symmetric("f", [[1.0, 2.0]])


def test_the_tolerance_is_relative_to_the_largest():
    assert rank_tolerance(5.0, (3, 7), 0.1) == 0.5
    assert rank_tolerance(5.0, (3, 7), None) == 7 * np.finfo(float).eps * 5
