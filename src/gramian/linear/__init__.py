"""Linear models: least squares, ridge, lasso, robust, logistic regression and margins."""

from gramian.linear.chebyshev_regression import ChebyshevRegression
from gramian.linear.elastic_net import ElasticNet
from gramian.linear.huber_regressor import HuberRegressor
from gramian.linear.hyperplane import Hyperplane, add_constant, constraint_of, feasible_weights
from gramian.linear.lars import Lars, LassoLars
from gramian.linear.lasso import Lasso
from gramian.linear.lasso_cv import ElasticNetCV, LassoCV
from gramian.linear.lasso_path import enet_path, lasso_path
from gramian.linear.linear_program_classifier import LinearProgramClassifier
from gramian.linear.linear_regression import LinearRegression
from gramian.linear.linear_svc import LinearSVC
from gramian.linear.linear_svr import LinearSVR
from gramian.linear.logistic_cv import LogisticRegressionCV
from gramian.linear.logistic_regression import LogisticRegression
from gramian.linear.margin_report import (
    MistakeBound,
    SupportReport,
    mistake_bound,
    support_report,
)
from gramian.linear.nearest_centroid import NearestCentroid
from gramian.linear.pairwise import PairwiseClassifier
from gramian.linear.perceptron import Perceptron
from gramian.linear.poisson_regressor import PoissonRegressor
from gramian.linear.prediction_variance import prediction_variance
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.quantile_regressor import LeastAbsoluteDeviations, QuantileRegressor
from gramian.linear.ridge import Ridge
from gramian.linear.ridge_classifier import RidgeClassifier, RidgeClassifierCV
from gramian.linear.ridge_cv import RidgeCV
from gramian.linear.ridge_path import RidgePath, ridge_path, shrinkage, truncated_least_squares
from gramian.linear.separating_plane import Separability, separability
from gramian.linear.sgd_classifier import SGDClassifier
from gramian.linear.sgd_regressor import SGDRegressor
from gramian.linear.sigmoid_discriminant import SigmoidDiscriminant
from gramian.linear.sparse_logistic import LogisticPath, logistic_path
from gramian.linear.stagewise import LqFit, lq_regression, stagewise_path
from gramian.linear.summary import Summary
from gramian.linear.voted_perceptron import VotedPerceptron

__all__ = [
    "ChebyshevRegression",
    "ElasticNet",
    "ElasticNetCV",
    "HuberRegressor",
    "Hyperplane",
    "Lars",
    "Lasso",
    "LassoCV",
    "LassoLars",
    "LeastAbsoluteDeviations",
    "LinearProgramClassifier",
    "LinearRegression",
    "LinearSVC",
    "LinearSVR",
    "LogisticPath",
    "LogisticRegression",
    "LogisticRegressionCV",
    "LqFit",
    "MistakeBound",
    "NearestCentroid",
    "PairwiseClassifier",
    "Perceptron",
    "PoissonRegressor",
    "QuantileRegressor",
    "RankReport",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "RidgePath",
    "SGDClassifier",
    "SGDRegressor",
    "Separability",
    "SigmoidDiscriminant",
    "Summary",
    "SupportReport",
    "VotedPerceptron",
    "add_constant",
    "constraint_of",
    "enet_path",
    "feasible_weights",
    "hat_matrix",
    "lasso_path",
    "leverages",
    "logistic_path",
    "lq_regression",
    "mistake_bound",
    "prediction_variance",
    "rank_report",
    "ridge_path",
    "separability",
    "shrinkage",
    "stagewise_path",
    "support_report",
    "truncated_least_squares",
]
