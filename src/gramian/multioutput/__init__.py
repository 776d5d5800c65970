"""Classification with several outputs."""

from gramian.multilabel.classifier_chain import ClassifierChain

__all__ = ["ClassifierChain"]
