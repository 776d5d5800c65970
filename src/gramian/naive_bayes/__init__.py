"""Naive Bayes: columns independent given the class."""

from gramian.naive_bayes.bernoulli_nb import BernoulliNB
from gramian.naive_bayes.categorical_nb import CategoricalNB
from gramian.naive_bayes.complement_nb import ComplementNB
from gramian.naive_bayes.gaussian_nb import GaussianNB
from gramian.naive_bayes.multinomial_nb import MultinomialNB
from gramian.naive_bayes.poisson_nb import PoissonNB

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianNB",
    "MultinomialNB",
    "PoissonNB",
]
