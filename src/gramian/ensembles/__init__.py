"""Ensembles: many learners that answer as one."""

from gramian.ensembles.hist_classifier import HistGradientBoostingClassifier
from gramian.ensembles.hist_regressor import HistGradientBoostingRegressor

__all__ = ["HistGradientBoostingClassifier", "HistGradientBoostingRegressor"]
