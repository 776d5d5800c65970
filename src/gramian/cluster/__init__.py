"""Clustering: k-means and mini-batch k-means."""

from gramian.cluster.initialization import kmeans_plusplus
from gramian.cluster.kmeans import KMeans
from gramian.cluster.minibatch import MiniBatchKMeans
from gramian.cluster.objectives import best_partition, pairwise_objective

__all__ = [
    "KMeans",
    "MiniBatchKMeans",
    "best_partition",
    "kmeans_plusplus",
    "pairwise_objective",
]
