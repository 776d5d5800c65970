"""Mixtures from chunks: with missing values, from a given start, and from a sample."""

import numpy as np
import pytest

from gramian import GaussianMixture
from gramian.base.errors import DataError
from gramian.mixture import mixture_chunks


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    return rng.normal(size=(400, 3)) + 8.0 * rng.integers(0, 2, size=(400, 1))


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_missing_values_count_as_in_memory(X, kind):
    X[::7, 1] = np.nan
    model = GaussianMixture(2, covariance_type=kind, random_state=0)
    whole = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    model.fit_chunks([X[:150], X[150:]])
    np.testing.assert_allclose(model.means_, whole.means_, rtol=1e-8)
    np.testing.assert_allclose(model.covariances_, whole.covariances_, rtol=1e-6)


def test_the_start_comes_from_a_sample_of_many_rows(X, monkeypatch):
    monkeypatch.setattr(mixture_chunks, "SAMPLE_ROWS", 50)
    model = GaussianMixture(2, random_state=0).fit_chunks([X[:150], X[150:]])
    whole = GaussianMixture(2, random_state=0, tol=1e-6).fit(X)
    assert model.score(X) == pytest.approx(whole.score(X), abs=1e-2)


def test_more_components_than_rows_are_refused(X):
    with pytest.raises(DataError, match="n_components=9"):
        GaussianMixture(9).fit_chunks([X[:4], X[4:8]])
