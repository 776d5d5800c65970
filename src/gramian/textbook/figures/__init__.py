"""Figures for the course; what one uses at work is in `gramian.plot`."""

from gramian.textbook.figures.activations import plot_activations, plot_approximations
from gramian.textbook.figures.bounds import plot_bounds
from gramian.textbook.figures.boxes import plot_boxes
from gramian.textbook.figures.dichotomies import plot_dichotomies, plot_growth
from gramian.textbook.figures.error_counts import plot_error_counts
from gramian.textbook.figures.likelihood import plot_likelihood_curve, plot_posterior_sequence
from gramian.textbook.figures.newton import plot_newton_steps
from gramian.textbook.figures.polygon import plot_program
from gramian.textbook.figures.quadratic_forms import plot_quadratic_form
from gramian.textbook.figures.voronoi_sets import nearest_sets, plot_voronoi_sets
from gramian.textbook.figures.weight_space import plot_weight_space

__all__ = [
    "nearest_sets",
    "plot_activations",
    "plot_approximations",
    "plot_bounds",
    "plot_boxes",
    "plot_dichotomies",
    "plot_error_counts",
    "plot_growth",
    "plot_likelihood_curve",
    "plot_newton_steps",
    "plot_posterior_sequence",
    "plot_program",
    "plot_quadratic_form",
    "plot_voronoi_sets",
    "plot_weight_space",
]
