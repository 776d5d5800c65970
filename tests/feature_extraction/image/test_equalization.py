import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

from gramian.base.errors import ParameterError
from gramian.feature_extraction.image import equalize_histogram

DIGITS = load_digits().images[:50]


def test_levels_of_digits_become_their_ranks():
    found = equalize_histogram(DIGITS)
    for image, result in zip(DIGITS, found, strict=True):
        below = (image[None, None] <= image[:, :, None, None]).mean(axis=(2, 3))
        least = (image == image.min()).mean()
        assert_allclose(result, (below - least) / (1 - least), atol=1e-12)


def test_an_increasing_change_of_brightness_is_undone():
    rng = np.random.default_rng(0)
    image = rng.integers(0, 30, size=(20, 20)) / 30
    assert_allclose(
        equalize_histogram(np.sqrt(image), n_levels=4096), equalize_histogram(image, n_levels=4096)
    )


def test_many_levels_spread_evenly():
    image = np.random.default_rng(0).gamma(1.0, size=(64, 64)).astype(np.float32)
    found = equalize_histogram(image, n_levels=2**16)
    assert found.dtype == np.float32
    assert found.min() == 0
    assert found.max() == 1
    assert_allclose(np.quantile(found, [0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.01)


def test_one_level_becomes_zero_and_few_levels_are_refused():
    assert (equalize_histogram(np.full((3, 3), 7.0)) == 0).all()
    with pytest.raises(ParameterError, match="n_levels"):
        equalize_histogram(DIGITS, n_levels=1)
