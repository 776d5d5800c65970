"""Figures of numbers: every function draws on the Axes it is given and returns them.

Nothing here knows an estimator, shows a window or changes matplotlib's style; matplotlib is
imported when a function is called.
"""

from gramian.plot.errors import plot_error_against_k
from gramian.plot.kmeans import plot_kmeans_step, plot_kmeans_steps, plot_objectives
from gramian.plot.regions import plot_decision_regions
from gramian.plot.voronoi import plot_voronoi_cells, voronoi_cells

__all__ = [
    "plot_decision_regions",
    "plot_error_against_k",
    "plot_kmeans_step",
    "plot_kmeans_steps",
    "plot_objectives",
    "plot_voronoi_cells",
    "voronoi_cells",
]
