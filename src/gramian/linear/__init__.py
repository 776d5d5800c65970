"""Linear models: least squares and ridge."""

from gramian.linear.linear_regression import LinearRegression
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.ridge import Ridge
from gramian.linear.ridge_classifier import RidgeClassifier, RidgeClassifierCV
from gramian.linear.ridge_cv import RidgeCV
from gramian.linear.ridge_path import RidgePath, ridge_path, shrinkage, truncated_least_squares
from gramian.linear.summary import Summary

__all__ = [
    "LinearRegression",
    "RankReport",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "RidgePath",
    "Summary",
    "hat_matrix",
    "leverages",
    "rank_report",
    "ridge_path",
    "shrinkage",
    "truncated_least_squares",
]
