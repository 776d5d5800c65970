"""Classifiers of several targets at once."""

from gramian.multilabel.classifier_chain import ClassifierChain

__all__ = ["ClassifierChain"]
