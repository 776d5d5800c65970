import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

from gramian.base.errors import DataError, ParameterError
from gramian.feature_extraction.image import join_descriptors, orientation_histograms
from gramian.neighbors import KNeighborsClassifier

DIGITS = load_digits()


def test_each_part_has_length_one_times_the_root_of_its_weight():
    rng = np.random.default_rng(0)
    A, B = 1000 * rng.normal(size=(6, 3)), rng.normal(size=(6, 2, 2))
    joined = join_descriptors(A, B, weights=[1.0, 4.0])
    assert joined.shape == (6, 7)
    assert_allclose(np.linalg.norm(joined[:, :3], axis=1), 1)
    assert_allclose(np.linalg.norm(joined[:, 3:], axis=1), 2)
    assert_allclose(join_descriptors(A, B, scale="none")[:, 3:], B.reshape(6, 4))


def test_pixels_and_orientations_together_retrieve_digits():
    parts = DIGITS.data, orientation_histograms(DIGITS.images, cell=4, signed=True)
    joined = join_descriptors(*parts)
    model = KNeighborsClassifier(1).fit(joined[:1000], DIGITS.target[:1000])
    assert model.score(joined[1000:], DIGITS.target[1000:]) > 0.95


def test_a_zero_row_and_float32_stay():
    found = join_descriptors(np.zeros((2, 3), dtype=np.float32), np.ones((2, 1), dtype=np.float32))
    assert found.dtype == np.float32
    assert (found[:, :3] == 0).all()


def test_bad_parts_are_refused():
    for parts, words in [((), "arrays"), (([1.0],), "arrays"), (([[1.0]], [[1.0], [2.0]]), "same")]:
        with pytest.raises(DataError, match=words):
            join_descriptors(*parts)
    with pytest.raises(DataError, match="NaN"):
        join_descriptors([[np.nan]])
    with pytest.raises(ParameterError, match="weights"):
        join_descriptors([[1.0]], weights=[1.0, 2.0])
    with pytest.raises(ParameterError, match="scale"):
        join_descriptors([[1.0]], scale="l1")


@pytest.mark.parametrize("size", [1e-200, 1e300])
def test_numbers_of_any_size_have_a_length(size):
    assert_allclose(join_descriptors([[3 * size, 4 * size]]), [[0.6, 0.8]])


def test_no_images_are_refused():
    with pytest.raises(DataError, match="at least one row and one column"):
        join_descriptors(np.ones((0, 8, 8)))
