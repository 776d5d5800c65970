"""Linear models: least squares, ridge, logistic regression and its kin."""

from gramian.linear.hyperplane import Hyperplane, add_constant
from gramian.linear.linear_regression import LinearRegression
from gramian.linear.logistic_cv import LogisticRegressionCV
from gramian.linear.logistic_regression import LogisticRegression
from gramian.linear.poisson_regressor import PoissonRegressor
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.sigmoid_discriminant import SigmoidDiscriminant
from gramian.linear.summary import Summary

__all__ = [
    "Hyperplane",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PoissonRegressor",
    "RankReport",
    "SigmoidDiscriminant",
    "Summary",
    "add_constant",
    "hat_matrix",
    "leverages",
    "rank_report",
]
