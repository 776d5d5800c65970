"""Ensembles: many learners that answer as one."""

from gramian.ensembles.adaboost import AdaBoostClassifier
from gramian.ensembles.adaboost_regressor import AdaBoostRegressor
from gramian.ensembles.adaboost_votes import vote_of
from gramian.ensembles.averaging import (
    VarianceReport,
    average_variance,
    distinct_share,
    measured_variance,
)
from gramian.ensembles.bagging_classifier import BaggingClassifier
from gramian.ensembles.bagging_regressor import BaggingRegressor
from gramian.ensembles.cascade import CascadeClassifier
from gramian.ensembles.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from gramian.ensembles.gradient_classifier import GradientBoostingClassifier
from gramian.ensembles.gradient_regressor import GradientBoostingRegressor
from gramian.ensembles.hist_classifier import HistGradientBoostingClassifier
from gramian.ensembles.hist_regressor import HistGradientBoostingRegressor
from gramian.ensembles.member_errors import error_against_members
from gramian.ensembles.random_forest import RandomForestClassifier, RandomForestRegressor
from gramian.ensembles.stump import DecisionStump
from gramian.ensembles.voting import model_posterior
from gramian.ensembles.voting_classifier import VotingClassifier
from gramian.ensembles.voting_regressor import VotingRegressor

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "CascadeClassifier",
    "DecisionStump",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "VarianceReport",
    "VotingClassifier",
    "VotingRegressor",
    "average_variance",
    "distinct_share",
    "error_against_members",
    "measured_variance",
    "model_posterior",
    "vote_of",
]
