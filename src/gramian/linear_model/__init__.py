"""Linear models: least squares, ridge, lasso, GLMs, robust regression, perceptrons, SGD."""

from gramian.base.rows.moments import Summary
from gramian.linear_model.glm.kernel_logistic_regression import KernelLogisticRegression
from gramian.linear_model.glm.logistic_cv import LogisticRegressionCV
from gramian.linear_model.glm.logistic_regression import LogisticRegression
from gramian.linear_model.glm.poisson_regressor import PoissonRegressor
from gramian.linear_model.glm.sigmoid_discriminant import SigmoidDiscriminant
from gramian.linear_model.glm.sparse_logistic import LogisticPath, logistic_path
from gramian.linear_model.lasso.elastic_net import ElasticNet
from gramian.linear_model.lasso.lars import Lars, LassoLars
from gramian.linear_model.lasso.lasso import Lasso
from gramian.linear_model.lasso.lasso_cv import ElasticNetCV, LassoCV
from gramian.linear_model.lasso.lasso_path import enet_path, lasso_path
from gramian.linear_model.least_squares.linear_regression import LinearRegression
from gramian.linear_model.least_squares.prediction_variance import prediction_variance
from gramian.linear_model.least_squares.projection import (
    RankReport,
    hat_matrix,
    leverages,
    rank_report,
)
from gramian.linear_model.perceptron.kernel_perceptron import KernelPerceptron
from gramian.linear_model.perceptron.linear_program_classifier import LinearProgramClassifier
from gramian.linear_model.perceptron.perceptron import Perceptron
from gramian.linear_model.perceptron.separability import Separability, separability
from gramian.linear_model.perceptron.voted_perceptron import VotedPerceptron
from gramian.linear_model.ridge.bayesian_ridge import BayesianRidge
from gramian.linear_model.ridge.ridge import Ridge
from gramian.linear_model.ridge.ridge_classifier import RidgeClassifier, RidgeClassifierCV
from gramian.linear_model.ridge.ridge_cv import RidgeCV
from gramian.linear_model.ridge.ridge_path import (
    RidgePath,
    ridge_path,
    shrinkage,
    truncated_least_squares,
)
from gramian.linear_model.robust.chebyshev_regression import ChebyshevRegression
from gramian.linear_model.robust.huber_regressor import HuberRegressor
from gramian.linear_model.robust.quantile_regressor import (
    LeastAbsoluteDeviations,
    QuantileRegressor,
)
from gramian.linear_model.sgd.sgd_classifier import SGDClassifier
from gramian.linear_model.sgd.sgd_regressor import SGDRegressor

__all__ = [
    "BayesianRidge",
    "ChebyshevRegression",
    "ElasticNet",
    "ElasticNetCV",
    "HuberRegressor",
    "KernelLogisticRegression",
    "KernelPerceptron",
    "Lars",
    "Lasso",
    "LassoCV",
    "LassoLars",
    "LeastAbsoluteDeviations",
    "LinearProgramClassifier",
    "LinearRegression",
    "LogisticPath",
    "LogisticRegression",
    "LogisticRegressionCV",
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
    "VotedPerceptron",
    "enet_path",
    "hat_matrix",
    "lasso_path",
    "leverages",
    "logistic_path",
    "prediction_variance",
    "rank_report",
    "ridge_path",
    "separability",
    "shrinkage",
    "truncated_least_squares",
]
