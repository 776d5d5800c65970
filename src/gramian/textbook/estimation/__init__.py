"""Estimation: likelihoods, posteriors by conjugacy or on grids, expectations, joint tables."""

from gramian.textbook.estimation.bayes_estimate import bayes_estimate
from gramian.textbook.estimation.bayes_rule import StatePosterior, bayes_rule
from gramian.textbook.estimation.conditional_mean import ConditionalMean, conditional_mean
from gramian.textbook.estimation.conjugacy import posterior, update
from gramian.textbook.estimation.credible_interval import credible_interval
from gramian.textbook.estimation.density_outliers import DensityOutliers, density_outliers
from gramian.textbook.estimation.estimator_error import EstimatorError, estimator_error
from gramian.textbook.estimation.expectation import Expectation, expectation, jensen_gap
from gramian.textbook.estimation.grid_posterior import grid_posterior
from gramian.textbook.estimation.gridded import GridPosterior
from gramian.textbook.estimation.joint_table import IndependenceTest, JointTable
from gramian.textbook.estimation.noise_precision import NoisePrecision, noise_precision
from gramian.textbook.estimation.point_estimates import (
    PointEstimate,
    maximum_a_posteriori,
    maximum_likelihood,
    total_log_likelihood,
)
from gramian.textbook.estimation.predictive import predictive
from gramian.textbook.estimation.region_density import (
    ProportionMoments,
    RegionDensity,
    proportion_moments,
    region_density,
)

__all__ = [
    "ConditionalMean",
    "DensityOutliers",
    "EstimatorError",
    "Expectation",
    "GridPosterior",
    "IndependenceTest",
    "JointTable",
    "NoisePrecision",
    "PointEstimate",
    "ProportionMoments",
    "RegionDensity",
    "StatePosterior",
    "bayes_estimate",
    "bayes_rule",
    "conditional_mean",
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
    "proportion_moments",
    "region_density",
    "total_log_likelihood",
    "update",
]
