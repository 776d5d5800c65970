"""First divisions of the rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import GaussianMixture
from gramian.base.errors import DataError, ParameterError
from gramian.mixture.initialization import check_labels_known, components_of, first_labels

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(50, 2)), RNG.normal(size=(50, 2)) + 9])
HALVES = np.arange(100) // 50


@pytest.mark.parametrize("init", ["kmeans", "k-means++", "random", "random_from_data"])
def test_rows_of_known_label_keep_it_and_seeds_repeat(init):
    known = np.where(np.arange(100) % 10 == 0, HALVES, -1)
    labels = first_labels(X, None, 2, init, 7, known)
    assert_array_equal(labels[known >= 0], known[known >= 0])
    assert_array_equal(labels, first_labels(X, None, 2, init, 7, known))
    if init != "random":
        assert_array_equal(labels, HALVES)  # the centres are the means of the labelled rows


@pytest.mark.parametrize("init", ["kmeans", "k-means++"])
def test_components_without_labels_start_far_from_those_with_labels(init):
    """Two of four groups have labels; the others, not these, are found for the rest."""
    rng = np.random.default_rng(0)
    corners = np.array([[0.0, 0.0], [0.0, 30.0], [30.0, 0.0], [30.0, 30.0]])
    group = np.repeat(np.arange(4), 50)
    rows = corners[group] + rng.normal(size=(200, 2))
    known = np.where((np.arange(200) % 10 == 0) & (group < 2), group, -1)
    for seed in range(20):
        labels = first_labels(rows, np.ones(200), 4, init, seed, known)
        assert_array_equal(labels[group == 0], 0)
        assert_array_equal(labels[group == 1], 1)
        assert {*labels[group == 2], *labels[group == 3]} == {2, 3}


def test_rows_that_are_all_alike_are_still_divided():
    known = np.where(np.arange(10) == 0, 0, -1)
    assert first_labels(np.ones((10, 2)), None, 2, "kmeans", 0, known).shape == (10,)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("spherical", [1.0, -1.0]),
        ("diag", [[1.0, 0.0], [1.0, 1.0]]),
        ("tied", [[1.0, 2.0], [2.0, 1.0]]),
        ("full", [np.eye(2), [[1.0, 0.5], [0.0, 1.0]]]),
    ],
)
def test_invalid_precisions_are_refused(kind, value):
    model = GaussianMixture(2, covariance_type=kind, precisions_init=value)
    with pytest.raises(ParameterError, match="precisions_init must be positive numbers, or symm"):
        model.fit(X)


def test_the_first_components_are_the_moments_of_the_parts():
    for kind in ("full", "diag"):
        made = components_of(kind, X, HALVES, 2, None, 0.0)
        assert_allclose(made.means, [X[:50].mean(axis=0), X[50:].mean(axis=0)])
        S = np.cov(X[:50].T, bias=True)
        assert_allclose(made.covariances[0], S if kind == "full" else np.diag(S))


def test_labels_that_fit_no_component_are_shown():
    with pytest.raises(DataError, match="or -1 if unknown; got labels from 0 to 7"):
        check_labels_known([0, 7], 2, 3)
    with pytest.raises(DataError, match=r"got int64 of shape \(1,\)"):
        check_labels_known(np.array([0], dtype=np.int64), 2, 3)
