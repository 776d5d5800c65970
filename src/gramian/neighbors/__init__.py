"""Nearest neighbours, densities, smoothers: searches, estimators, and textbook structures."""

from gramian.neighbors.choosing_k import error_against_k
from gramian.neighbors.density.choosing_width import (
    WidthChoice,
    choose_bandwidth,
    choose_bins,
    choose_neighbors,
)
from gramian.neighbors.density.counting import empirical_cdf, increment_density, naive_density
from gramian.neighbors.density.histogram_density import HistogramDensity
from gramian.neighbors.density.k_neighbors_density import KNeighborsDensity
from gramian.neighbors.density.kernel_density import KernelDensity
from gramian.neighbors.density.kernel_density_classifier import KernelDensityClassifier
from gramian.neighbors.density.region_density import (
    ProportionMoments,
    RegionDensity,
    proportion_moments,
    region_density,
)
from gramian.neighbors.k_neighbors_classifier import KNeighborsClassifier
from gramian.neighbors.k_neighbors_regressor import KNeighborsRegressor
from gramian.neighbors.lsh_neighbors import LSHNeighbors
from gramian.neighbors.nearest_centroid import NearestCentroid
from gramian.neighbors.nearest_neighbors import NearestNeighbors
from gramian.neighbors.neighbors_graph import kneighbors_graph, radius_neighbors_graph
from gramian.neighbors.radius_neighbors_classifier import RadiusNeighborsClassifier
from gramian.neighbors.radius_neighbors_regressor import RadiusNeighborsRegressor
from gramian.neighbors.smoothing.kernel_regressor import KernelRegressor
from gramian.neighbors.smoothing.smoothing_spline import SmoothingSpline
from gramian.neighbors.structures.kdtree import KDTree

__all__ = [
    "HistogramDensity",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsDensity",
    "KNeighborsRegressor",
    "KernelDensity",
    "KernelDensityClassifier",
    "KernelRegressor",
    "LSHNeighbors",
    "NearestCentroid",
    "NearestNeighbors",
    "ProportionMoments",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RegionDensity",
    "SmoothingSpline",
    "WidthChoice",
    "choose_bandwidth",
    "choose_bins",
    "choose_neighbors",
    "empirical_cdf",
    "error_against_k",
    "increment_density",
    "kneighbors_graph",
    "naive_density",
    "proportion_moments",
    "radius_neighbors_graph",
    "region_density",
]
