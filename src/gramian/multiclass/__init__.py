"""Classifiers of several classes from classifiers of two."""

from gramian.multiclass.pairwise_classifier import PairwiseClassifier

__all__ = ["PairwiseClassifier"]
