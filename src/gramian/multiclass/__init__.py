"""Multiclass classification by binary classifiers."""

from gramian.multiclass.one_vs_one import OneVsOneClassifier
from gramian.multiclass.one_vs_rest import OneVsRestClassifier
from gramian.multiclass.pairwise_classifier import PairwiseClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "PairwiseClassifier"]
