"""Projection on a random subspace."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import GaussianRandomProjection, OrthonormalRandomProjection
from gramian.random_projection import distortion


def test_directions_are_orthogonal_and_scaled():
    R = OrthonormalRandomProjection(3, random_state=0).fit(np.zeros((2, 12))).components_
    assert_allclose(R @ R.T, np.eye(3) * 4, atol=1e-12)


def test_all_directions_together_are_a_rotation():
    X = np.random.default_rng(0).normal(size=(10, 6))
    found = distortion(X, OrthonormalRandomProjection(6, random_state=0).fit_transform(X))
    assert_allclose(found.ratios, 1, rtol=1e-7)


def test_it_distorts_less_than_independent_normal_numbers():
    X = np.random.default_rng(1).normal(size=(60, 40))
    spread = {
        kind: np.mean(
            [
                np.std(distortion(X, kind(30, random_state=s).fit_transform(X)).ratios)
                for s in range(9)
            ]
        )
        for kind in (OrthonormalRandomProjection, GaussianRandomProjection)
    }
    assert spread[OrthonormalRandomProjection] < 0.8 * spread[GaussianRandomProjection]


def test_there_are_no_more_orthogonal_directions_than_columns():
    with (
        pytest.warns(UserWarning, match="will not be reduced"),
        pytest.raises(ValueError, match="for orthogonal directions; got 4"),
    ):
        OrthonormalRandomProjection(4).fit(np.zeros((2, 3)))
