"""Joint distributions of rows and labels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Categorical, Gaussian, GenerativeModel, MultivariateGaussian


def test_cancer_and_occupation():
    """T1: P(farmer) = 0.14 and P(cancer | farmer) = 5/14, by sum and Bayes' rule."""
    model = GenerativeModel(
        [0.1, 0.9],
        [Categorical([0.2, 0.5, 0.3]), Categorical([0.01, 0.1, 0.89])],
        ["cancer", "healthy"],
    )
    assert model.marginal().prob(1) == pytest.approx(0.14)
    assert_allclose(model.posterior(1), [5 / 14, 9 / 14])
    assert np.exp(model.log_joint(2)) == pytest.approx([0.03, 0.801])
    assert model.predict([0, 1, 2]).tolist() == ["cancer", "healthy", "healthy"]


def test_two_normals():
    """T33: unit normals at 0 and 2 meet at 1; with priors 0.9 and 0.1 at 2.098612."""
    halves = GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)])
    assert_allclose(halves.posterior(1.0), [0.5, 0.5])
    rare = GenerativeModel([0.9, 0.1], [Gaussian(0, 1), Gaussian(2, 1)])
    assert_allclose(rare.posterior(1 + np.log(9) / 2), [0.5, 0.5])
    wide = GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(0, 4)])
    assert_allclose(wide.posterior([-1.359556, 1.359556]), 0.5, atol=1e-6)


def test_drawn_pairs_have_the_joint_distribution():
    model = GenerativeModel([0.3, 0.7], [Gaussian(0, 1), Gaussian(5, 1)], ["a", "b"])
    X, y = model.sample(20000, random_state=0)
    assert (y == "a").mean() == pytest.approx(0.3, abs=0.015)
    assert X[y == "b"].mean() == pytest.approx(5, abs=0.05)
    x, label = model.sample(random_state=0)
    assert np.ndim(x) == 0
    assert label in {"a", "b"}


def test_fit_gives_class_proportions_and_class_fits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.repeat(["x", "y", "z"], [5, 10, 15])
    model = GenerativeModel.fit(X, y, MultivariateGaussian)
    assert_allclose(model.priors, [1 / 6, 1 / 3, 1 / 2])
    assert model.distributions[1] == MultivariateGaussian.fit(X[5:15])
    weighted = GenerativeModel.fit(X, y, MultivariateGaussian, np.where(y == "x", 0.0, 2.0))
    assert weighted.classes.tolist() == ["y", "z"]


def test_equality_and_invalid_arguments():
    model = GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)])
    assert model == GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)], [0, 1])
    assert hash(model) == hash(GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)]))
    assert model != 3
    assert "Gaussian(mean=2.0" in repr(model)
    with pytest.raises(ParameterError, match="2 different labels"):
        GenerativeModel([0.5, 0.5], [Gaussian(), Gaussian()], ["a", "a"])
    with pytest.raises(DataError, match="one label per event"):
        GenerativeModel.fit([1.0, 2.0], [0], Gaussian)


def test_errors_name_the_priors():
    with pytest.raises(ParameterError, match=r"GenerativeModel: priors must be >= 0 and sum to 1"):
        GenerativeModel([0.5, 0.6], [Gaussian(), Gaussian(2, 1)])
    with pytest.raises(ParameterError, match=r"one entry per distribution; got 1 .* 2"):
        GenerativeModel([1.0], [Gaussian(), Gaussian(2, 1)])
    with pytest.raises(ParameterError, match=r"n must be an integer >= 0"):
        GenerativeModel([0.5, 0.5], [Gaussian(), Gaussian(2, 1)]).sample(-1)
