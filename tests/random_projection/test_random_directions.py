"""Random directions, subspaces and points of a ball."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.random_projection import random_directions, random_in_ball, random_subspace


def test_directions_have_length_one_and_no_preference():
    found = random_directions(4000, 3, random_state=0)
    assert_allclose(np.linalg.norm(found, axis=1), 1)
    # A coordinate of a uniform point of the sphere of R^3 is uniform (Archimedes).
    for column in found.T:
        assert stats.kstest(column, stats.uniform(-1, 2).cdf).pvalue > 1e-4


def test_a_subspace_is_orthonormal_and_uniform():
    basis = random_subspace(3, 7, random_state=1)
    assert_allclose(basis @ basis.T, np.eye(3), atol=1e-12)
    first = np.array([random_subspace(2, 3, random_state=s)[0] for s in range(2000)])
    for column in first.T:
        assert stats.kstest(column, stats.uniform(-1, 2).cdf).pvalue > 1e-4
    with pytest.raises(ValueError, match="k must be at most d"):
        random_subspace(4, 3)


def test_points_fill_the_ball():
    d = 5
    lengths = np.linalg.norm(random_in_ball(4000, d, radius=2.0, random_state=0), axis=1)
    assert lengths.max() <= 2
    assert stats.kstest((lengths / 2) ** d, stats.uniform.cdf).pvalue > 1e-4


def test_seeds_repeat_and_counts_are_checked():
    assert_allclose(random_in_ball(3, 4, random_state=5), random_in_ball(3, 4, random_state=5))
    for n in (0, 1.5, [2]):
        with pytest.raises(ValueError, match="n must be an integer >= 1"):
            random_directions(n, 3)
    with pytest.raises(ValueError, match="radius must be finite"):
        random_in_ball(2, 3, radius=-1.0)
