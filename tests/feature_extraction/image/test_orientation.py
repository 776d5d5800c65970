import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

from gramian.base.errors import DataError, ParameterError
from gramian.feature_extraction.image import image_gradients, orientation_histograms
from gramian.neighbors import KNeighborsClassifier

DIGITS = load_digits()


def test_a_ramp_votes_for_its_own_direction():
    rows, columns = np.mgrid[0:8, 0:8]
    for k in range(12):
        angle = np.pi * (k + 0.5) / 12
        ramp = np.cos(angle) * columns + np.sin(angle) * rows
        inner = orientation_histograms(np.pad(ramp, 8, mode="reflect", reflect_type="odd"))
        middle = inner.reshape(3, 3, 12)[1, 1]
        assert middle.argmax() == k
        assert_allclose(middle, np.eye(12)[k], atol=1e-9)


@pytest.mark.parametrize("interpolate", [False, True])
@pytest.mark.parametrize("signed", [False, True])
def test_all_votes_are_counted(interpolate, signed):
    found = orientation_histograms(
        DIGITS.images[:20], cell=4, interpolate=interpolate, signed=signed
    )
    assert found.shape == (20, 4 * 12)
    lengths = image_gradients(DIGITS.images[:20]).magnitude
    assert_allclose(found.sum(axis=1), lengths.sum(axis=(1, 2)) / 16)


def test_unsigned_bins_do_not_see_light_and_dark_exchanged():
    images = DIGITS.images[:20]
    settings = {"cell": 4, "interpolate": True}
    assert_allclose(
        orientation_histograms(16 - images, **settings), orientation_histograms(images, **settings)
    )
    signed = orientation_histograms(images, signed=True, **settings).reshape(20, 4, 12)
    turned = orientation_histograms(16 - images, signed=True, **settings).reshape(20, 4, 12)
    assert_allclose(np.roll(signed, 6, axis=2), turned, atol=1e-12)


def test_blocks_take_out_the_contrast():
    images = DIGITS.images[:20]
    settings = {"cell": 2, "block": 2, "epsilon": 1e-9}
    found = orientation_histograms(images, **settings)
    assert found.shape == (20, 9 * 4 * 12)
    assert_allclose(orientation_histograms(7 * images + 3, **settings), found, atol=1e-6)
    lengths = np.linalg.norm(found.reshape(20, 9, 48), axis=2)
    assert_allclose(lengths[lengths > 0], 1, atol=1e-9)


def test_digits_are_recognised_by_their_orientations():
    features = orientation_histograms(DIGITS.images, cell=2, block=2, signed=True)
    model = KNeighborsClassifier(1).fit(features[:1000], DIGITS.target[:1000])
    assert model.score(features[1000:], DIGITS.target[1000:]) > 0.94


def test_flat_images_have_no_orientation():
    assert (orientation_histograms(np.ones((2, 8, 8))) == 0).all()
    assert (orientation_histograms(np.ones((2, 8, 8)), block=1) == 0).all()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"cell": 9}, DataError, "fit into the images"),
        ({"cell": 4, "block": 3}, DataError, "fit into 2 x 2 cells"),
        ({"n_bins": 0}, ParameterError, "n_bins"),
        ({"cell": (2, 2, 2)}, ParameterError, "cell"),
        ({"cell": 2.5}, ParameterError, "cell"),
        ({"epsilon": -1.0}, ParameterError, "epsilon"),
    ],
)
def test_bad_settings_are_refused(settings, error, words):
    with pytest.raises(error, match=words):
        orientation_histograms(DIGITS.images[:2], **settings)
