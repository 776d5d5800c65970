"""Bayes classifier with a density estimator for each class."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import gamma
from sklearn.datasets import load_iris
from sklearn.neighbors import KernelDensity

import gramian
from gramian import (
    GaussianMixture,
    GaussianNB,
    GenerativeClassifier,
    QuadraticDiscriminantAnalysis,
)
from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gaussian, MultivariateGaussian, MultivariateStudentT

X, Y = load_iris(return_X_y=True)


class Normal:
    """A one-dimensional distribution with one standard deviation for all."""

    event_ndim = 0

    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    @classmethod
    def fit(cls, x, sample_weight=None):
        mean = np.average(x, weights=sample_weight)
        return cls(mean, np.sqrt(np.average((x - mean) ** 2, weights=sample_weight)))

    def log_prob(self, x):
        return -0.5 * ((x - self.mean) / self.std) ** 2 - np.log(self.std * np.sqrt(2 * np.pi))


class Gamma:
    """A distribution without weights whose density is 0 below 0."""

    event_ndim = 0

    def __init__(self, shape, scale):
        self.law = gamma(shape, scale=scale)

    @classmethod
    def fit(cls, x):
        return cls(x.mean() ** 2 / x.var(), x.var() / x.mean())

    def log_prob(self, x):
        return self.law.logpdf(x)


def test_one_normal_per_class_is_quadratic_discriminant_analysis():
    model = GenerativeClassifier(GaussianMixture(1, reg_covar=0.0)).fit(X, Y)
    exact = QuadraticDiscriminantAnalysis().fit(X, Y)
    assert_allclose(model.predict_joint_log_proba(X), exact.predict_joint_log_proba(X), rtol=1e-8)


def test_a_distribution_of_numbers_makes_naive_bayes():
    w = np.arange(150) % 3 + 1.0
    model = GenerativeClassifier(Normal).fit(X, Y, w)
    naive = GaussianNB(var_smoothing=0.0).fit(X, Y, w)
    assert_allclose(model.predict_log_proba(X), naive.predict_log_proba(X), atol=1e-8)
    assert_array_equal(model.predict(X), naive.predict(X))


def test_a_kernel_density_per_class():
    model = GenerativeClassifier(KernelDensity(bandwidth=0.3)).fit(X, Y)
    assert np.mean(model.predict(X) == Y) > 0.95
    assert_allclose(np.exp(model.predict_log_proba(X)).sum(axis=1), 1)


def test_a_density_of_zero_rules_a_class_out():
    model = GenerativeClassifier(Gamma, priors=[0.5, 0.25, 0.25]).fit(X, Y)
    assert np.mean(model.predict(X) == Y) > 0.9
    assert_allclose(model.predict_proba(-X), 1 / 3)


def test_model_files_hold_densities_of_the_catalogue(tmp_path):
    model = GenerativeClassifier(GaussianMixture(2, random_state=0)).fit(X, Y)
    copy = gramian.load(gramian.save(model, tmp_path / "m.gram"))
    assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match="a density estimator with score_samples"):
        GenerativeClassifier(QuadraticDiscriminantAnalysis()).fit(X, Y)
    with pytest.raises(ParameterError, match="Gamma does not support sample_weight"):
        GenerativeClassifier(Gamma).fit(X, Y, np.ones(150))
    with pytest.raises(DataError, match="class 2 has no row of positive sample_weight"):
        GenerativeClassifier(GaussianMixture()).fit(X, Y, (Y < 2).astype(float))


@pytest.mark.parametrize(
    "density", [Gaussian, MultivariateGaussian, MultivariateStudentT], ids=lambda d: d.__name__
)
def test_a_model_file_holds_distributions(tmp_path, density):
    model = GenerativeClassifier(density).fit(X, Y)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert copy.density is density
    assert copy.densities_ == model.densities_
    assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_distributions_of_other_widths_are_refused():
    model = GenerativeClassifier(Gaussian).fit(X, Y)
    model.densities_[1] = model.densities_[1][:3]
    with pytest.raises(DataError, match="distributions of 4 columns"):
        model._check_loaded()
    model.densities_[1] = MultivariateGaussian([0.0], [[1.0]])
    with pytest.raises(DataError, match="distributions of 4 columns"):
        model._check_loaded()
