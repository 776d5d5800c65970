import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.decomposition import rotate_loadings

rng = np.random.default_rng(0)
L = rng.normal(size=(8, 3))


def criterion(loadings, method):
    quartic = (loadings**4).sum()
    return quartic - (method == "varimax") * ((loadings**2).sum(axis=0) ** 2).sum() / len(loadings)


@pytest.mark.parametrize("method", ["varimax", "quartimax"])
def test_no_rotation_is_simpler(method):
    best, R = rotate_loadings(L, method)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(L @ R, best)
    for _ in range(50):
        small = np.linalg.qr(np.eye(3) + 0.1 * rng.normal(size=(3, 3)))[0]
        assert criterion(best @ small, method) <= criterion(best, method) + 1e-7


def test_simple_structure_is_found_again():
    simple = np.zeros((6, 2))
    simple[:3, 0], simple[3:, 1] = 0.9, 0.7
    turn = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    found = np.abs(rotate_loadings(simple @ turn).loadings)
    np.testing.assert_allclose(np.sort(found, axis=1), np.sort(simple, axis=1), atol=1e-6)


def test_one_factor_stays_and_methods_are_checked():
    np.testing.assert_array_equal(rotate_loadings(L[:, :1]).loadings, L[:, :1])
    with pytest.raises(ParameterError, match="got 'oblimin'"):
        rotate_loadings(L, "oblimin")


@pytest.mark.parametrize("size", [1e-150, 1e150])
@pytest.mark.parametrize("method", ["varimax", "quartimax"])
def test_the_rotation_does_not_depend_on_the_unit(size, method):
    L = np.random.default_rng(1).normal(size=(6, 3))
    expected = rotate_loadings(L, method)
    found = rotate_loadings(L * size, method)
    np.testing.assert_allclose(found.rotation, expected.rotation, atol=1e-9)
    np.testing.assert_allclose(found.loadings / size, expected.loadings, atol=1e-9)
