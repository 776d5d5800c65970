"""Nearest neighbours: searches, classification, regression, graphs, and textbook structures."""

from gramian.neighbors.bsp import BSPTree
from gramian.neighbors.choosing_k import error_against_k
from gramian.neighbors.choosing_structure import StructureChoice, choose_structure
from gramian.neighbors.classifier import KNeighborsClassifier
from gramian.neighbors.graph import kneighbors_graph, radius_neighbors_graph
from gramian.neighbors.heap import BinaryHeap
from gramian.neighbors.kdtree import KDTree
from gramian.neighbors.line import SortedLine
from gramian.neighbors.lsh import LSHNeighbors
from gramian.neighbors.nearest import NearestNeighbors
from gramian.neighbors.radius_classifier import RadiusNeighborsClassifier
from gramian.neighbors.radius_regressor import RadiusNeighborsRegressor
from gramian.neighbors.regressor import KNeighborsRegressor
from gramian.neighbors.slabs import VoronoiSlabs, voronoi_edges
from gramian.neighbors.textbook_kdtree import TextbookKDTree
from gramian.neighbors.voronoi import (
    cell_half_spaces,
    in_voronoi_cell,
    most_voronoi_vertices,
)

__all__ = [
    "BSPTree",
    "BinaryHeap",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "LSHNeighbors",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "SortedLine",
    "StructureChoice",
    "TextbookKDTree",
    "VoronoiSlabs",
    "cell_half_spaces",
    "choose_structure",
    "error_against_k",
    "in_voronoi_cell",
    "kneighbors_graph",
    "most_voronoi_vertices",
    "radius_neighbors_graph",
    "voronoi_edges",
]
