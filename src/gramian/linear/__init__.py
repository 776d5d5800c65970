"""Linear models: least squares and ridge."""

from gramian.linear.linear_regression import LinearRegression
from gramian.linear.projection import RankReport, hat_matrix, leverages, rank_report
from gramian.linear.summary import Summary

__all__ = [
    "LinearRegression",
    "RankReport",
    "Summary",
    "hat_matrix",
    "leverages",
    "rank_report",
]
