"""The number of monomials."""

import numpy as np
import pytest
from sklearn.preprocessing import PolynomialFeatures

from gramian.textbook.features import count_monomials


def test_monomials_are_counted_as_in_worked_number_t10():
    """d = 100, p = 4: C(104, 4) = 4,598,126; degree 2 of 784 pixels: 307,720, not 307,328."""
    assert count_monomials(100, 4) == 4_598_126
    assert count_monomials(784, 2, exactly=True) == 307_720 == 784 * 785 // 2


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("p", [0, 1, 2, 3])
def test_the_count_is_what_polynomial_features_make(d, p):
    made = PolynomialFeatures(p).fit(np.zeros((1, d)))
    assert count_monomials(d, p) == made.n_output_features_
    alone = made.n_output_features_ - (count_monomials(d, p - 1) if p else 0)
    assert count_monomials(d, p, exactly=True) == alone


def test_the_count_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="got 0 and 2"):
        count_monomials(0, 2)
