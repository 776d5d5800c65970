"""Ensembles: many learners that answer as one."""

from gramian.ensembles.adaboost import AdaBoostClassifier, vote_of
from gramian.ensembles.hist_classifier import HistGradientBoostingClassifier
from gramian.ensembles.hist_regressor import HistGradientBoostingRegressor
from gramian.ensembles.stump import DecisionStump

__all__ = [
    "AdaBoostClassifier",
    "DecisionStump",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "vote_of",
]
