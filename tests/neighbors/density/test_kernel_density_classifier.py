"""The Bayes classifier with kernel densities."""

import numpy as np
import pytest

from gramian import KernelDensity, KernelDensityClassifier
from gramian.neighbors.density.kernels import KERNELS


@pytest.fixture
def classes(rng):
    y = rng.integers(0, 3, 200)
    return rng.normal(size=(200, 2)) + 1.5 * y[:, None], np.array(["a", "b", "c"])[y]


@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3]])
@pytest.mark.parametrize("kernel", KERNELS)
def test_posteriors_follow_from_the_densities_of_the_classes(classes, kernel, priors):
    X, y = classes
    model = KernelDensityClassifier(bandwidth=2.0, kernel=kernel, priors=priors).fit(X, y)
    density = [
        KernelDensity(bandwidth=2.0, kernel=kernel).fit(X[y == c]).score_samples(X) for c in "abc"
    ]
    shares = [np.mean(y == c) for c in "abc"] if priors is None else priors
    joint = np.exp(np.transpose(density)) * shares
    np.testing.assert_allclose(
        model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-10
    )
    assert model.score(X, y) > 0.5


def test_far_away_the_nearest_row_decides_or_the_priors(classes):
    X, y = classes
    far = [[1e5, 1e5], [-1e5, -1e5]]
    nearest = KernelDensityClassifier(bandwidth=0.1).fit(X, y).predict_proba(far)
    assert nearest.max(axis=1) == pytest.approx([1.0, 1.0])
    ends = KernelDensityClassifier(kernel="linear", priors=[0.2, 0.5, 0.3]).fit(X, y)
    np.testing.assert_allclose(ends.predict_proba(far), [[0.2, 0.5, 0.3]] * 2)


def test_priors_that_do_not_fit(classes):
    with pytest.raises(ValueError, match="priors must be 3 numbers"):
        KernelDensityClassifier(priors=[0.5, 0.5]).fit(*classes)
