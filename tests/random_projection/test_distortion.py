"""Distances before and after a map."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.spatial.distance import pdist

from gramian.random_projection import distortion


def test_ratios_cover_all_pairs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 5))
    Z = X @ rng.normal(size=(5, 2))
    found = distortion(X, Z, eps=0.5)
    expected = pdist(Z) / pdist(X)
    assert_allclose(found.ratios, expected, rtol=1e-6)
    assert_allclose([found.least, found.largest], [expected.min(), expected.max()], rtol=1e-6)
    assert found.within == np.mean(np.abs(expected**2 - 1) <= 0.5)


def test_equal_rows_are_left_out_and_many_rows_sampled():
    X = np.repeat(np.eye(3), 2, axis=0)
    assert len(distortion(X, X).ratios) == 12
    assert len(distortion(sp.csr_array(np.eye(50)), np.eye(50), most=10).ratios) == 45
    with pytest.raises(ValueError, match="pass distinct rows"):
        distortion(np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(ValueError, match="same number of rows"):
        distortion(np.eye(3), np.eye(2))


def test_rows_that_cannot_be_measured_are_refused():
    X = np.eye(3)
    with pytest.raises(ValueError, match=r"^distortion: Z: Input Z contains NaN"):
        distortion(X, X * np.nan)
    with pytest.raises(ValueError, match=r"^distortion: X must be at most 1e\+152 in size"):
        distortion(X * 1e200, X)
    with pytest.raises(ValueError, match=r"^distortion: eps must be a number >= 0"):
        distortion(X, X, eps=-0.1)
