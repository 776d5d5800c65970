import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import covariance_ellipse, plot_covariance_ellipses
from tests.plot.conftest import legend_texts

S = np.array([[2.0, 0.8], [0.8, 1.0]])


def test_points_of_an_ellipse_have_its_mahalanobis_distance():
    away = covariance_ellipse([1, -1], S, radius=2.5) - [1, -1]
    assert_allclose((away @ np.linalg.inv(S) * away).sum(axis=1), 2.5**2)
    assert_allclose(away[0], away[-1], atol=1e-12)


def test_a_singular_covariance_is_a_segment():
    away = covariance_ellipse([0, 0], [[1, 1], [1, 1]])
    assert_allclose(away[:, 0], away[:, 1], atol=1e-12)


def test_each_class_has_its_ellipses(ax):
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 6]
    y = np.repeat(["a", "b"], 30)
    means = [X[y == k].mean(axis=0) for k in "ab"]
    plot_covariance_ellipses(X, means, [np.eye(2), S], y, radii=[1, 2], ax=ax)
    assert len(ax.lines) == 6  # two ellipses and the mean of each
    assert legend_texts(ax) == ["a", "b"]
    away = ax.lines[4].get_xydata() - means[1]
    assert_allclose((away @ np.linalg.inv(S) * away).sum(axis=1), 4)


def test_bad_input():
    with pytest.raises(DataError, match="symmetric"):
        covariance_ellipse([0, 0], [[1, 2], [0, 1]])
    with pytest.raises(DataError, match="negative eigenvalue"):
        covariance_ellipse([0, 0], [[1, 2], [2, 1]])
    with pytest.raises(DataError, match="for each of the 1 classes"):
        plot_covariance_ellipses(np.eye(2), np.eye(2), S)
