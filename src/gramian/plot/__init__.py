"""Plots of numeric results: every function draws on the given Axes and returns them.

No function here depends on an estimator, opens a window or changes matplotlib's style; matplotlib
is imported when a function is called.
"""

from gramian.plot.classification.decision_regions import draw_decision_regions
from gramian.plot.classification.ensembles import plot_error_against_members, plot_posterior_map
from gramian.plot.classification.labels import (
    plot_label_cooccurrence,
    plot_label_scores,
    plot_label_tree,
    plot_precision_at_k,
)
from gramian.plot.classification.margin_slab import plot_margin_slab
from gramian.plot.classification.posteriors import plot_posterior_contours, plot_posterior_curves
from gramian.plot.classification.score_contours import plot_score_contours
from gramian.plot.estimation.covariance_ellipses import (
    covariance_ellipse,
    plot_covariance_ellipses,
)
from gramian.plot.estimation.densities import plot_class_histograms
from gramian.plot.evaluation.critical_difference import plot_critical_difference
from gramian.plot.evaluation.error_against_k import plot_error_against_k
from gramian.plot.evaluation.intervals import plot_intervals
from gramian.plot.evaluation.roc import plot_roc
from gramian.plot.evaluation.validation_curve import plot_error_curve
from gramian.plot.geometry.components import plot_biplot, plot_loadings, plot_scree
from gramian.plot.geometry.dendrogram import plot_dendrogram, plot_medoids
from gramian.plot.geometry.graphs import (
    plot_fiedler_vector,
    plot_graph_cut,
    plot_segmentation,
    plot_spectral_embedding,
)
from gramian.plot.geometry.images import (
    plot_edge_map,
    plot_image_grid,
    plot_orientation_histograms,
)
from gramian.plot.geometry.voronoi import plot_voronoi_cells, voronoi_cells
from gramian.plot.networks.diagram import plot_architecture, plot_network
from gramian.plot.networks.image_rows import plot_image_rows
from gramian.plot.optimization.training import plot_training_curves
from gramian.plot.regression.coefficient_paths import plot_coefficient_paths
from gramian.plot.regression.densities import plot_densities
from gramian.plot.regression.fits import plot_extrapolation_errors, plot_fits
from gramian.plot.regression.regression_fit import plot_regression_line, plot_regression_plane
from gramian.plot.trees.cells import plot_cells, plot_step_surface
from gramian.plot.trees.leaf_probabilities import plot_leaf_probabilities
from gramian.plot.trees.pruning import plot_pruning_curve
from gramian.plot.trees.tree import draw_tree
from gramian.plot.trees.tree_layout import tree_layout

__all__ = [
    "covariance_ellipse",
    "draw_decision_regions",
    "draw_tree",
    "plot_architecture",
    "plot_biplot",
    "plot_cells",
    "plot_class_histograms",
    "plot_coefficient_paths",
    "plot_covariance_ellipses",
    "plot_critical_difference",
    "plot_dendrogram",
    "plot_densities",
    "plot_edge_map",
    "plot_error_against_k",
    "plot_error_against_members",
    "plot_error_curve",
    "plot_extrapolation_errors",
    "plot_fiedler_vector",
    "plot_fits",
    "plot_graph_cut",
    "plot_image_grid",
    "plot_image_rows",
    "plot_intervals",
    "plot_label_cooccurrence",
    "plot_label_scores",
    "plot_label_tree",
    "plot_leaf_probabilities",
    "plot_loadings",
    "plot_margin_slab",
    "plot_medoids",
    "plot_network",
    "plot_orientation_histograms",
    "plot_posterior_contours",
    "plot_posterior_curves",
    "plot_posterior_map",
    "plot_precision_at_k",
    "plot_pruning_curve",
    "plot_regression_line",
    "plot_regression_plane",
    "plot_roc",
    "plot_score_contours",
    "plot_scree",
    "plot_segmentation",
    "plot_spectral_embedding",
    "plot_step_surface",
    "plot_training_curves",
    "plot_voronoi_cells",
    "tree_layout",
    "voronoi_cells",
]
