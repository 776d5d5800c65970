"""Ensembles: bagging, forests, AdaBoost, gradient boosting, voting and cascades."""

from gramian.ensemble.adaboost.adaboost_classifier import AdaBoostClassifier
from gramian.ensemble.adaboost.adaboost_regressor import AdaBoostRegressor
from gramian.ensemble.adaboost.decision_stump import DecisionStump
from gramian.ensemble.adaboost.votes import vote_weight
from gramian.ensemble.bagging.bagging_classifier import BaggingClassifier
from gramian.ensemble.bagging.bagging_regressor import BaggingRegressor
from gramian.ensemble.common.member_errors import error_against_members
from gramian.ensemble.forests.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from gramian.ensemble.forests.random_forest import RandomForestClassifier, RandomForestRegressor
from gramian.ensemble.gradient_boosting.gradient_classifier import GradientBoostingClassifier
from gramian.ensemble.gradient_boosting.gradient_regressor import GradientBoostingRegressor
from gramian.ensemble.hist_boosting.hist_classifier import HistGradientBoostingClassifier
from gramian.ensemble.hist_boosting.hist_regressor import HistGradientBoostingRegressor
from gramian.ensemble.voting.cascade_classifier import CascadeClassifier
from gramian.ensemble.voting.voting_base import model_posterior
from gramian.ensemble.voting.voting_classifier import VotingClassifier
from gramian.ensemble.voting.voting_regressor import VotingRegressor

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
    "VotingClassifier",
    "VotingRegressor",
    "error_against_members",
    "model_posterior",
    "vote_weight",
]
