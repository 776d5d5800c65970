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
    with pytest.raises(ValueError, match="priors must contain 3 numbers"):
        KernelDensityClassifier(priors=[0.5, 0.5]).fit(*classes)


def _three_classes():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    return rng.normal(size=(60, 3)) + (y - 1)[:, None], y


@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
@pytest.mark.parametrize("factor", [1.0, 1e2, 1e6])
def test_log_posteriors_match_the_log_densities_however_far_the_query(kernel, factor):
    X, y = _three_classes()
    model = KernelDensityClassifier(kernel=kernel).fit(X, y)
    log_p = model.predict_log_proba(X * factor)
    joint = np.column_stack(
        [KernelDensity(kernel=kernel).fit(X[y == k]).score_samples(X * factor) for k in range(3)]
    )
    assert np.isfinite(log_p).all()
    # A difference of log densities has the rounding of the larger of the two.
    np.testing.assert_allclose(
        log_p - log_p.max(axis=1, keepdims=True),
        joint - joint.max(axis=1, keepdims=True),
        rtol=1e-9,
        atol=1e-12 * np.abs(joint).max() + 1e-9,
    )


def test_a_class_without_prior_probability_hides_no_other_class():
    X, y = [[0.0], [10.0], [14.0]], ["near", "next", "far"]
    model = KernelDensityClassifier(bandwidth=0.1, priors=[0.5, 0.0, 0.5]).fit(X, y)
    assert model.classes_.tolist() == ["far", "near", "next"]
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.0, 0.0, 1.0]])
    assert model.predict([[0.0]]).tolist() == ["next"]
    np.testing.assert_allclose(model.predict_log_proba([[0.0]])[0, [0, 2]], [-4800.0, 0.0])


def test_log_posteriors_of_a_kernel_that_reaches_no_row_are_the_priors():
    model = KernelDensityClassifier(kernel="tophat").fit([[0.0], [1.0], [5.0]], [0, 0, 1])
    np.testing.assert_allclose(np.exp(model.predict_log_proba([[50.0]])), [[2 / 3, 1 / 3]])
    assert model.predict_log_proba([[5.0]]).tolist() == [[-np.inf, 0.0]]


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
@pytest.mark.parametrize("least", [1e-310, 1e-300, 1e-280, 1e-200])
@pytest.mark.parametrize("priors", [None, [0.4, 0.6]])
def test_tiny_weights_far_away_keep_their_ratio(kernel, least, priors):
    X, y, w = [[0.0], [1000.0], [1000.0]], [0, 0, 1], [1.0, least, 3 * least]
    model = KernelDensityClassifier(kernel=kernel, bandwidth=5.0, priors=priors)
    model.fit(X, y, sample_weight=w)
    # with the given priors, only class 1 has a density that is not tiny
    expected = [[1, 0], [0.25, 0.75] if priors is None else [0, 1]]
    np.testing.assert_allclose(model.predict_proba([[0.0], [1000.0]]), expected, atol=1e-12)
