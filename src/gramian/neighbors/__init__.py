"""Nearest neighbours: searches, classification, regression and graphs."""

from gramian.neighbors.choosing_k import error_against_k
from gramian.neighbors.classifier import KNeighborsClassifier
from gramian.neighbors.graph import kneighbors_graph, radius_neighbors_graph
from gramian.neighbors.kdtree import KDTree
from gramian.neighbors.lsh import LSHNeighbors
from gramian.neighbors.nearest import NearestNeighbors
from gramian.neighbors.radius_classifier import RadiusNeighborsClassifier
from gramian.neighbors.radius_regressor import RadiusNeighborsRegressor
from gramian.neighbors.regressor import KNeighborsRegressor

__all__ = [
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "LSHNeighbors",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "error_against_k",
    "kneighbors_graph",
    "radius_neighbors_graph",
]
