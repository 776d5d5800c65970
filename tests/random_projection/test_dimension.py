"""The lemma of Johnson and Lindenstrauss."""

import numpy as np
import pytest
from sklearn.random_projection import johnson_lindenstrauss_min_dim as peer

from gramian.random_projection import (
    johnson_lindenstrauss_dimension,
    johnson_lindenstrauss_min_dim,
)


def test_t17_a_million_points_to_ten_thousand_dimensions():
    assert johnson_lindenstrauss_dimension(0.12, 1e-12) == 8343
    assert johnson_lindenstrauss_dimension(0.1, 1e-12) == 11_842


def test_scikit_learns_form_is_the_one_for_all_pairs():
    sizes = [10, 1000, 10**6]
    assert johnson_lindenstrauss_min_dim(sizes, eps=0.2).tolist() == peer(sizes, eps=0.2).tolist()
    assert johnson_lindenstrauss_min_dim(1000, eps=[0.1, 0.5]).tolist() == [5920, 331]
    for n in sizes:
        course = johnson_lindenstrauss_dimension(0.2, 1 / n**2)
        assert 0 <= course - johnson_lindenstrauss_min_dim(n, eps=0.2) <= 1  # rounded up or down


@pytest.mark.parametrize("eps", [0.0, 1.0, -1.0, np.nan])
def test_changes_outside_zero_and_one_are_refused(eps):
    with pytest.raises(ValueError, match="eps"):
        johnson_lindenstrauss_dimension(eps, 0.1)
    with pytest.raises(ValueError, match="eps"):
        johnson_lindenstrauss_min_dim(10, eps=eps)
    with pytest.raises(ValueError, match="n_samples"):
        johnson_lindenstrauss_min_dim(0)
