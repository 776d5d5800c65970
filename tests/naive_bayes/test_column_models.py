"""Distributions of one column in each class."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import gaussian_kde, norm

from gramian import MixedNB
from gramian.base.errors import DataError
from gramian.naive_bayes import column_models as models
from gramian.naive_bayes.column_models import Column, log_density

RNG = np.random.default_rng(0)
CODES = np.arange(300) % 3
X = RNG.normal(CODES, 1.0 + CODES)
W = np.ones(300)


def column(values, weights=W, codes=CODES):
    return Column("column 0 of X", values, codes, weights, 3)


def test_a_normal_column():
    model = models.gaussian(column(X), 0.0)
    mean, std = [[f(X[k == CODES]) for k in range(3)] for f in (np.mean, np.std)]
    assert_allclose(log_density(model, X, 3), norm.logpdf(X[:, None], mean, std))


def test_a_kernel_column_is_scipys():
    model = models.kernel(column(X), "scott")
    for k in range(3):
        present = X[k == CODES]
        # SciPy's factor multiplies the deviation with n - 1 in the denominator.
        peer = gaussian_kde(
            present, bw_method=len(present) ** -0.2 * present.std() / present.std(ddof=1)
        )
        assert_allclose(log_density(model, X[:20], 3)[:, k], peer.logpdf(X[:20]), rtol=1e-9)


def test_far_from_all_data_the_log_density_of_kernels_is_finite():
    model = models.kernel(column(X), 0.1)
    assert np.isfinite(log_density(model, [1e6], 3)).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_histogram_integrates_to_one(alpha):
    model = models.histogram(column(X), alpha, 12)
    width = np.diff(model["edges"])[0]
    assert_allclose(model["densities"].sum(axis=1) * width, 1)
    outside = log_density(model, [1e3], 3)
    assert (np.isneginf(outside) if alpha == 0 else np.isfinite(outside)).all()
    with np.errstate(divide="ignore"):
        inside = np.log(model["densities"][:, 3])
    assert_allclose(log_density(model, [model["edges"][3]], 3)[0], inside)


def test_missing_values_and_unknown_categories_have_no_effect():
    model = models.categorical(column(CODES.astype(float)), 1.0, 3)
    assert_allclose(log_density(model, [np.nan, 7.0], 3), 0.0)
    assert log_density(model, [0.0], 3)[0].argmax() == 0


def test_a_class_without_values_falls_back_on_all():
    values = np.where(CODES == 1, np.nan, X)
    normal = models.gaussian(column(values), 0.0)
    assert normal["means"][1] == pytest.approx(np.nanmean(values))
    kernels = models.kernel(column(values), "scott")
    assert np.isfinite(log_density(kernels, [0.0], 3)).all()
    rates = models.poisson(column(np.where(CODES == 1, np.nan, 2.0)), 0.0)
    assert rates["rates"].tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("make", "bad", "what"),
    [
        (lambda c: models.bernoulli(c, 1.0), 2.0, "0 and 1 only"),
        (lambda c: models.poisson(c, 1.0), 0.5, "integers"),
        (lambda c: models.poisson(c, 1.0), -1.0, "integers"),
        (lambda c: models.categorical(c, 1.0, 2), 0.5, "categories"),
    ],
)
def test_values_outside_the_support_are_refused(make, bad, what):
    values = np.ones(300)
    values[5] = bad
    with pytest.raises(DataError, match=f"column 0 of X must contain .*{what}.*got {bad:g}"):
        make(column(values))


def test_a_weight_of_two_is_two_values_for_kernels():
    """Scott's rule included, whose number of values is the sum of the weights."""
    weights = np.where(np.arange(300) < 90, 2.0, 1.0)
    times = weights.astype(int)
    twice = column(np.repeat(X, times), np.ones(390), np.repeat(CODES, times))
    models_of = [models.kernel(c, "scott") for c in (column(X, weights), twice)]
    found, expected = (log_density(model, X[:50], 3) for model in models_of)
    assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize(("kind", "bad"), [("bernoulli", 2.0), ("poisson", -1.0), ("poisson", 0.5)])
def test_new_values_outside_the_support_are_refused(kind, bad):
    rows = np.column_stack([X, CODES % 2])
    model = MixedNB(["gaussian", kind]).fit(rows, CODES)
    assert model.predict_proba([[0.0, np.nan]]).shape == (1, 3)
    with pytest.raises(DataError, match=f"column 1 of X must contain .*got {bad:g}"):
        model.predict([[0.0, bad]])


@pytest.mark.parametrize("value", [2.0**70, -1e300, 0.0, 1e-310])
def test_a_histogram_of_a_constant_column_has_a_width_at_any_size(value):
    model = models.histogram(column(np.full(300, value)), 1.0, 10)
    assert (np.diff(model["edges"]) > 0).all()
    assert np.isfinite(log_density(model, np.array([value]), 3)).all()
