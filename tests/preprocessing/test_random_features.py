"""Random features: distribution, nesting and interpolation."""

from hashlib import blake2b

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from scipy.stats import kstest

from gramian.base.randomness import stream
from gramian.linear_model import LinearRegression
from gramian.preprocessing import RandomFeatures

KINDS = {
    "relu": lambda a: np.maximum(a, 0),
    "tanh": np.tanh,
    "sigmoid": expit,
    "cosine": np.cos,
    "linear": lambda a: a,
}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_activations_of_random_directions(kind, rng):
    X = rng.normal(size=(20, 3))
    names = RandomFeatures(7, kind=kind, random_state=1).fit(X)
    assert_allclose(names.transform(X), KINDS[kind](X @ names.weights_.T + names.offsets_))


def test_weights_have_the_stated_distribution():
    names = RandomFeatures(4000, scale=3.0, random_state=2).fit(np.zeros((1, 4)))
    assert kstest(names.weights_.ravel() / (3.0 / np.sqrt(4)), "norm").pvalue > 0.01
    assert kstest(names.offsets_ / 3.0, "norm").pvalue > 0.01


def test_noise_is_normal_and_independent_of_the_rows(rng):
    X = rng.normal(size=(2000, 2))
    noise = RandomFeatures(3, kind="noise", scale=2.0, random_state=3).fit_transform(X)
    assert kstest(noise.ravel() / 2.0, "norm").pvalue > 0.01
    both = np.corrcoef(np.hstack([X, noise]).T)
    assert np.abs(both - np.diag(np.diag(both))).max() < 4 / np.sqrt(2000)


def test_a_row_keeps_its_noise_beside_other_rows():
    X = np.arange(12.0).reshape(6, 2)
    names = RandomFeatures(4, kind="noise", random_state=0).fit(X)
    assert_array_equal(names.transform(X)[[4, 1]], names.transform(X[[4, 1]]))
    assert_array_equal(names.transform([[0.0, 0.0]]), names.transform([[-0.0, 0.0]]))
    assert_array_equal(names.transform(X), names.transform(sp.csr_array(X)))
    assert len(np.unique(names.transform(X))) == 24


def test_the_noise_of_a_row_is_the_stream_that_its_digest_numbers(rng):
    X = rng.normal(size=(5, 3))
    names = RandomFeatures(6, kind="noise", random_state=9).fit_transform(X)
    for row, noise in zip(X, names, strict=True):
        number = int.from_bytes(blake2b(row.tobytes(), digest_size=8).digest(), "little")
        assert_array_equal(noise, stream(9, number).standard_normal(6))


@pytest.mark.parametrize("kind", ["relu", "noise"])
def test_a_larger_number_only_adds_columns(kind, rng):
    X = rng.normal(size=(10, 3))
    few = RandomFeatures(5, kind=kind, random_state=4).fit_transform(X)
    many = RandomFeatures(9, kind=kind, random_state=4).fit_transform(X)
    assert_allclose(few, many[:, :5], rtol=1e-12)


def test_the_inputs_come_first_where_they_are_included(rng):
    X = rng.normal(size=(4, 2))
    names = RandomFeatures(3, kind="noise", include_input=True, random_state=0).fit(X)
    assert_array_equal(names.transform(X)[:, :2], X)
    assert list(names.get_feature_names_out()) == ["x0", "x1", "noise0", "noise1", "noise2"]


def test_enough_random_features_interpolate_with_the_least_norm(rng):
    """RG-31: for n < D, w = Phi^+ y fits every point, and no shorter w does."""
    X = rng.normal(size=(30, 2))
    y = rng.normal(size=30)
    Phi = RandomFeatures(80, random_state=5).fit_transform(X)
    w = LinearRegression(fit_intercept=False).fit(Phi, y).coef_
    assert_allclose(Phi @ w, y, atol=1e-8)
    assert_allclose(w, np.linalg.pinv(Phi) @ y, atol=1e-8)


def test_the_norm_of_the_interpolant_peaks_at_the_threshold(rng):
    """RG-31: |Phi^+ y| is largest near D = n and falls on both sides."""
    X = rng.normal(size=(40, 5))
    y = X[:, 0] + rng.normal(size=40)
    norms = {}
    for D in (10, 40, 400):
        Phi = RandomFeatures(D, kind="tanh", random_state=6).fit_transform(X)
        norms[D] = np.linalg.norm(np.linalg.pinv(Phi) @ y)
    assert norms[40] > 3 * norms[10]
    assert norms[40] > 3 * norms[400]
