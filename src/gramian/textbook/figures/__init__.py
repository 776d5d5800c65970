"""Figures that illustrate methods; figures of models and results are in `gramian.plot`."""

from gramian.textbook.figures.activations import plot_activations, plot_approximations
from gramian.textbook.figures.bounds import plot_bounds
from gramian.textbook.figures.boxes import plot_boxes
from gramian.textbook.figures.classification.centroids import plot_centroids
from gramian.textbook.figures.classification.ensembles import (
    plot_average_variance,
    plot_votes,
    plot_weighted_points,
)
from gramian.textbook.figures.classification.lift import plot_lift
from gramian.textbook.figures.classification.scaled_densities import plot_scaled_densities
from gramian.textbook.figures.classification.weight_space import plot_weight_space
from gramian.textbook.figures.dichotomies import plot_dichotomies, plot_growth
from gramian.textbook.figures.error_counts import plot_error_counts
from gramian.textbook.figures.impurity import (
    plot_impurity_curves,
    plot_impurity_simplex,
    plot_information_gain,
)
from gramian.textbook.figures.kmeans import plot_kmeans_step, plot_kmeans_steps, plot_objectives
from gramian.textbook.figures.likelihood import plot_likelihood_curve, plot_posterior_sequence
from gramian.textbook.figures.newton import plot_newton_steps
from gramian.textbook.figures.polygon import plot_program
from gramian.textbook.figures.quadratic_forms import plot_quadratic_form
from gramian.textbook.figures.regression.bias_variance import (
    plot_bias_variance_curve,
    plot_bias_variance_fits,
)
from gramian.textbook.figures.regression.losses import plot_losses
from gramian.textbook.figures.regression.lq import lq_circle, plot_lq_balls, plot_lq_geometry
from gramian.textbook.figures.regression.ridge_geometry import plot_ridge_geometry
from gramian.textbook.figures.rejection_region import plot_rejection_region
from gramian.textbook.figures.trajectory import plot_trajectory
from gramian.textbook.figures.voronoi_sets import nearest_sets, plot_voronoi_sets

__all__ = [
    "lq_circle",
    "nearest_sets",
    "plot_activations",
    "plot_approximations",
    "plot_average_variance",
    "plot_bias_variance_curve",
    "plot_bias_variance_fits",
    "plot_bounds",
    "plot_boxes",
    "plot_centroids",
    "plot_dichotomies",
    "plot_error_counts",
    "plot_growth",
    "plot_impurity_curves",
    "plot_impurity_simplex",
    "plot_information_gain",
    "plot_kmeans_step",
    "plot_kmeans_steps",
    "plot_lift",
    "plot_likelihood_curve",
    "plot_losses",
    "plot_lq_balls",
    "plot_lq_geometry",
    "plot_newton_steps",
    "plot_objectives",
    "plot_posterior_sequence",
    "plot_program",
    "plot_quadratic_form",
    "plot_rejection_region",
    "plot_ridge_geometry",
    "plot_scaled_densities",
    "plot_trajectory",
    "plot_voronoi_sets",
    "plot_votes",
    "plot_weight_space",
    "plot_weighted_points",
]
