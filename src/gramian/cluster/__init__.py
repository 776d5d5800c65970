"""Clustering: k-means, mini-batch k-means and spectral clustering."""

from gramian.cluster.initialization import kmeans_plusplus
from gramian.cluster.kmeans import KMeans
from gramian.cluster.minibatch import MiniBatchKMeans
from gramian.cluster.objectives import best_partition, pairwise_objective
from gramian.cluster.spectral_clustering import SpectralClustering

__all__ = [
    "KMeans",
    "MiniBatchKMeans",
    "SpectralClustering",
    "best_partition",
    "kmeans_plusplus",
    "pairwise_objective",
]
