"""Classifiers of several targets at once."""

from gramian.multioutput.classifier_chain import ClassifierChain

__all__ = ["ClassifierChain"]
