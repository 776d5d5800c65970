"""Linear models: least squares, ridge, logistic regression and its kin."""

from gramian.linear.linear_regression import LinearRegression
from gramian.linear.logistic_regression import LogisticRegression
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.summary import Summary

__all__ = [
    "LinearRegression",
    "LogisticRegression",
    "RankReport",
    "Summary",
    "hat_matrix",
    "leverages",
    "rank_report",
]
