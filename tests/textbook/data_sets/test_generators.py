"""Textbook data sets have the properties their books use them for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.utils import compute_sample_weight, resample, shuffle

from gramian import KNeighborsClassifier
from gramian.linear_model import separability
from gramian.textbook.data_sets import (
    circles,
    faces,
    heights,
    nested_spheres,
    sine,
    spirals,
    two_gaussians,
    xor,
)


def test_two_gaussians_have_the_bayes_error_of_their_distance():
    X, y = two_gaussians(20_000, distance=2.0)
    error = np.mean((X[:, 0] > 0) != y)
    assert error == pytest.approx(stats.norm.cdf(-1), abs=0.01)  # T33: 0.158655


def test_xor_is_separable_only_with_the_product():
    X, y = xor(40, noise=0.05)
    assert not separability(X, y).separable
    assert separability(np.c_[X, X[:, 0] * X[:, 1]], y).separable


def test_spirals_wind_and_neighbours_follow_them():
    X, y = spirals(800, noise=0.01)
    assert not separability(X[y < 2], y[y < 2]).separable
    model = KNeighborsClassifier(3).fit(X[:600], y[:600])
    assert model.score(X[600:], y[600:]) > 0.95


def test_circles_differ_by_their_radius_only():
    X, y = circles(100, noise=0.0)
    assert_allclose(np.linalg.norm(X, axis=1), np.where(y == 1, 1.0, 0.5))


def test_the_sine_has_the_noise_asked_for():
    X, y = sine(5000, noise=0.3)
    assert np.std(y - np.sin(2 * np.pi * X[:, 0])) == pytest.approx(0.3, rel=0.05)


def test_heights_overlap():
    X, y = heights(4000)
    assert X[y == "woman"].mean() == pytest.approx(163, abs=0.6)
    assert X[y == "man"].std() == pytest.approx(7, abs=0.3)
    assert X[y == "woman"].max() > X[y == "man"].min()


def test_t18_nested_spheres_are_divided_at_the_median():
    X, y = nested_spheres(4000)
    assert np.mean(y == 1) == pytest.approx(0.5, abs=0.03)
    inside = (X**2).sum(axis=1) <= stats.chi2(10).median()
    assert ((y == -1) == inside).all()
    assert stats.chi2(10).median() == pytest.approx(9.34, abs=0.005)


def test_faces_distinguish_people():
    X, y = faces(8, 6)
    assert X.min() >= 0
    assert X.max() <= 1
    first = np.arange(len(y)) % 6 < 3
    assert KNeighborsClassifier(1).fit(X[first], y[first]).score(X[~first], y[~first]) > 0.9
    with pytest.raises(ValueError, match="faces: people must be an integer >= 1"):
        faces(0)


@pytest.mark.parametrize(
    "make", [two_gaussians, xor, spirals, circles, sine, heights, nested_spheres]
)
def test_seeds_repeat_and_empty_sets_are_refused(make):
    assert_allclose(make(10, random_state=3).X, make(10, random_state=3).X)
    assert not np.array_equal(make(10, random_state=3).X, make(10, random_state=4).X)
    with pytest.raises(ValueError, match="n must be an integer >= 1"):
        make(0)


def test_classes_are_balanced_by_weights_or_by_drawing_again():
    y = np.array([0] * 9 + [1] * 3)
    weights = compute_sample_weight("balanced", y)
    assert_allclose([weights[y == k].sum() for k in (0, 1)], [6, 6])
    few = resample(np.flatnonzero(y == 1), n_samples=9, random_state=0)
    assert (y[few] == 1).all()
    assert len(few) == 9


def test_a_seeded_shuffle_is_the_same_permutation_of_rows_and_labels():
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10)
    rows, labels = shuffle(X, y, random_state=7)
    assert_allclose(rows, X[labels])
    assert sorted(labels) == list(range(10))
    assert (shuffle(y, random_state=7) == labels).all()


@pytest.mark.parametrize("draw", [circles, faces, heights, nested_spheres, sine, spirals, xor])
def test_a_set_needs_a_whole_number_of_rows(draw):
    for bad in (0, 2.5):
        with pytest.raises(ValueError, match=rf"^{draw.__name__}: \w+ must be an integer >= 1"):
            draw(bad)


@pytest.mark.parametrize("draw", [circles, faces, sine, spirals, xor])
def test_noise_is_not_negative(draw):
    with pytest.raises(ValueError, match=r"noise must be a finite number >= 0; got -1"):
        draw(noise=-1)
    with pytest.raises(ValueError, match=r"two_gaussians: sigma must be a finite number >= 0"):
        two_gaussians(sigma=-1)
