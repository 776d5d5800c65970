"""Linear models: least squares, ridge, lasso, robust and logistic regression and their kin."""

from gramian.linear.chebyshev_regression import ChebyshevRegression
from gramian.linear.elastic_net import ElasticNet
from gramian.linear.huber_regressor import HuberRegressor
from gramian.linear.hyperplane import Hyperplane, add_constant
from gramian.linear.lars import Lars, LassoLars
from gramian.linear.lasso import Lasso
from gramian.linear.lasso_cv import ElasticNetCV, LassoCV
from gramian.linear.lasso_path import enet_path, lasso_path
from gramian.linear.linear_regression import LinearRegression
from gramian.linear.logistic_cv import LogisticRegressionCV
from gramian.linear.logistic_regression import LogisticRegression
from gramian.linear.poisson_regressor import PoissonRegressor
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.quantile_regressor import LeastAbsoluteDeviations, QuantileRegressor
from gramian.linear.ridge import Ridge
from gramian.linear.ridge_classifier import RidgeClassifier, RidgeClassifierCV
from gramian.linear.ridge_cv import RidgeCV
from gramian.linear.ridge_path import RidgePath, ridge_path, shrinkage, truncated_least_squares
from gramian.linear.sigmoid_discriminant import SigmoidDiscriminant
from gramian.linear.sparse_logistic import LogisticPath, logistic_path
from gramian.linear.stagewise import LqFit, lq_regression, stagewise_path
from gramian.linear.summary import Summary

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
    "LinearRegression",
    "LogisticPath",
    "LogisticRegression",
    "LogisticRegressionCV",
    "LqFit",
    "PoissonRegressor",
    "QuantileRegressor",
    "RankReport",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "RidgePath",
    "SigmoidDiscriminant",
    "Summary",
    "add_constant",
    "enet_path",
    "hat_matrix",
    "lasso_path",
    "leverages",
    "logistic_path",
    "lq_regression",
    "rank_report",
    "ridge_path",
    "shrinkage",
    "stagewise_path",
    "truncated_least_squares",
]
