"""All distances at once: SciPy's BLAS for the bulk, differences where digits would be lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian import _native

numbers = st.floats(-1e3, 1e3) | st.integers(-3, 3).map(float)


def distances(X, C):
    out = np.empty((len(X), len(C)), dtype=X.dtype)
    _native.distance_matrix(X, np.ascontiguousarray(C, dtype=np.float64), out)
    return out


def obvious(X, C):
    differences = X.astype(np.longdouble)[:, None] - C.astype(np.longdouble)[None]
    return np.sqrt((differences**2).sum(axis=2)).astype(np.float64)


@given(
    X=arrays(np.float64, st.tuples(st.integers(1, 20), st.just(3)), elements=numbers),
    C=arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=numbers),
)
def test_it_equals_the_obvious_numpy(X, C):
    np.testing.assert_allclose(distances(X, C), obvious(X, C), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 300, 3), (1023, 7, 2), (2500, 40, 60)])
def test_any_shape(shape):
    n, d, k = shape
    rng = np.random.default_rng(0)
    X, C = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    np.testing.assert_allclose(distances(X, C), obvious(X, C), rtol=1e-12)
    narrow = X.astype(np.float32)
    np.testing.assert_allclose(distances(narrow, C), obvious(narrow, C), rtol=1e-6)


def test_small_distances_between_far_points_keep_their_digits():
    rng = np.random.default_rng(0)
    C = 1e6 + rng.normal(size=(4, 10))
    C[1] += 1e7
    X = C[[0, 1, 2, 3]] + 1e-4 * rng.normal(size=(4, 10))
    np.testing.assert_allclose(distances(X, C), obvious(X, C), rtol=1e-11)


def test_a_point_on_a_center_is_at_distance_zero():
    C = np.random.default_rng(0).normal(size=(6, 50)) * 1e5
    assert np.diag(distances(C.copy(), C)).tolist() == [0.0] * 6


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="centers as wide as X"):
        _native.distance_matrix(np.ones((2, 3)), np.ones((2, 4)), np.empty((2, 2)))
