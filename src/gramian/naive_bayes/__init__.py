"""Naive Bayes classifiers, which assume that columns are independent given the class."""

from gramian.naive_bayes.bernoulli_nb import BernoulliNB
from gramian.naive_bayes.categorical_nb import CategoricalNB
from gramian.naive_bayes.complement_nb import ComplementNB
from gramian.naive_bayes.correlated_features import CorrelationReport, correlated_features
from gramian.naive_bayes.gaussian_nb import GaussianNB
from gramian.naive_bayes.mixed_nb import MixedNB
from gramian.naive_bayes.multinomial_nb import MultinomialNB
from gramian.naive_bayes.poisson_nb import PoissonNB

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "CorrelationReport",
    "GaussianNB",
    "MixedNB",
    "MultinomialNB",
    "PoissonNB",
    "correlated_features",
]
