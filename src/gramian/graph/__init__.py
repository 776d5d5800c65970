"""Spectral graph methods: Laplacians, cuts, Fiedler vectors, graphs of points and images."""

from gramian.graph.cuts import cut_weight, isoperimetric_ratio, part_masses, sparsity
from gramian.graph.eigenpairs import LaplacianEigenpairs, laplacian_eigenpairs
from gramian.graph.fiedler import FiedlerPair, bisect, fiedler_pair
from gramian.graph.graph import Graph
from gramian.graph.image_graph import image_graph
from gramian.graph.similarity import gaussian_graph, knn_graph, radius_graph
from gramian.graph.sweep import SweepCut, recursive_partition, sweep_cut

__all__ = [
    "FiedlerPair",
    "Graph",
    "LaplacianEigenpairs",
    "SweepCut",
    "bisect",
    "cut_weight",
    "fiedler_pair",
    "gaussian_graph",
    "image_graph",
    "isoperimetric_ratio",
    "knn_graph",
    "laplacian_eigenpairs",
    "part_masses",
    "radius_graph",
    "recursive_partition",
    "sparsity",
    "sweep_cut",
]
