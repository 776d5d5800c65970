"""First divisions of the rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.mixture.initialization import components_of, first_labels

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


def test_the_first_components_are_the_moments_of_the_parts():
    for kind in ("full", "diag"):
        made = components_of(kind, X, HALVES, 2, None, 0.0)
        assert_allclose(made.means, [X[:50].mean(axis=0), X[50:].mean(axis=0)])
        S = np.cov(X[:50].T, bias=True)
        assert_allclose(made.covariances[0], S if kind == "full" else np.diag(S))
