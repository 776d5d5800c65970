"""What is asked of a fitted mixture: components, densities, samples, information criteria."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from gramian import GaussianMixture
from gramian.base.errors import DataError, ParameterError

KINDS = ["full", "tied", "diag", "spherical"]
IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_has_the_moments_of_the_mixture(kind):
    X, _ = IRIS
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    drawn, codes = model.sample(40_000)
    assert_allclose(np.bincount(codes) / 40_000, model.weights_, atol=0.01)
    again = GaussianMixture(2, covariance_type=kind, random_state=0).fit(drawn)
    assert_allclose(np.sort(again.means_, axis=0), np.sort(model.means_, axis=0), atol=0.08)


@pytest.mark.parametrize(("kind", "parameters"), [*zip(KINDS, [29, 19, 17, 11], strict=True)])
def test_the_criteria_match_the_textbook(kind, parameters):
    """Bishop 2006, (4.139) and (1.73), times -2; the parameters of K = 2 and d = 4."""
    X, _ = IRIS
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    log_likelihood = model.score_samples(X).sum()
    assert model.score(X) == pytest.approx(log_likelihood / len(X))
    assert model.bic(X) == pytest.approx(-2 * log_likelihood + parameters * np.log(len(X)))
    assert model.aic(X) == pytest.approx(-2 * log_likelihood + 2 * parameters)


@pytest.mark.parametrize("kind", KINDS)
def test_the_most_probable_component_is_predicted(kind):
    X, _ = IRIS
    model = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    p = model.predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    assert_array_equal(model.predict(X), p.argmax(axis=1))


def test_a_sample_needs_a_fitted_model_and_a_number():
    with pytest.raises(NotFittedError):
        GaussianMixture().sample()
    with pytest.raises(ParameterError, match="Invalid value for 'n_samples': 0"):
        GaussianMixture().fit(IRIS[0]).sample(0)


def test_a_loaded_model_whose_arrays_disagree_is_refused():
    model = GaussianMixture(2, random_state=0).fit(IRIS[0])
    model.means_ = model.means_[:, :3]
    with pytest.raises(DataError, match="arrays do not match the number of components"):
        model._check_loaded()
