"""Estimation: likelihoods, posteriors by conjugacy or on grids, expectations, joint tables."""

from gramian.estimation.bayes_estimate import bayes_estimate
from gramian.estimation.bayes_rule import StatePosterior, bayes_rule
from gramian.estimation.conjugacy import posterior, update
from gramian.estimation.credible_interval import credible_interval
from gramian.estimation.density_outliers import DensityOutliers, density_outliers
from gramian.estimation.estimator_error import EstimatorError, estimator_error
from gramian.estimation.expectation import Expectation, expectation, jensen_gap
from gramian.estimation.grid_posterior import grid_posterior
from gramian.estimation.gridded import GridPosterior
from gramian.estimation.joint_table import IndependenceTest, JointTable
from gramian.estimation.noise_precision import NoisePrecision, noise_precision
from gramian.estimation.point_estimates import (
    PointEstimate,
    maximum_a_posteriori,
    maximum_likelihood,
    total_log_likelihood,
)
from gramian.estimation.predictive import predictive

__all__ = [
    "DensityOutliers",
    "EstimatorError",
    "Expectation",
    "GridPosterior",
    "IndependenceTest",
    "JointTable",
    "NoisePrecision",
    "PointEstimate",
    "StatePosterior",
    "bayes_estimate",
    "bayes_rule",
    "credible_interval",
    "density_outliers",
    "estimator_error",
    "expectation",
    "grid_posterior",
    "jensen_gap",
    "maximum_a_posteriori",
    "maximum_likelihood",
    "noise_precision",
    "posterior",
    "predictive",
    "total_log_likelihood",
    "update",
]
