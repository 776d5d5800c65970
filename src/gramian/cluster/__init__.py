"""Clustering: k-means and its relatives, and trees of clusters."""

from gramian.cluster.density.dbscan import DBSCAN
from gramian.cluster.density.hdbscan import HDBSCAN
from gramian.cluster.hierarchy.agglomerative import AgglomerativeClustering
from gramian.cluster.hierarchy.dendrogram import Dendrogram
from gramian.cluster.hierarchy.linkage import linkage
from gramian.cluster.hierarchy.textbook import CLINK, SLINK
from gramian.cluster.initialization import kmeans_plusplus
from gramian.cluster.kmeans import KMeans
from gramian.cluster.kmedoids import KMedoids
from gramian.cluster.minibatch import MiniBatchKMeans
from gramian.cluster.objectives import best_partition, pairwise_objective

__all__ = [
    "CLINK",
    "DBSCAN",
    "HDBSCAN",
    "SLINK",
    "AgglomerativeClustering",
    "Dendrogram",
    "KMeans",
    "KMedoids",
    "MiniBatchKMeans",
    "best_partition",
    "kmeans_plusplus",
    "linkage",
    "pairwise_objective",
]
