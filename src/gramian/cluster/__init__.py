"""Clustering: k-means, medoids, hierarchical, density-based and spectral clustering."""

from gramian.cluster.balanced import BalancedKMeans
from gramian.cluster.bisecting import BisectingKMeans
from gramian.cluster.choosing_k import ClusterCounts, choose_n_clusters
from gramian.cluster.density.dbscan import DBSCAN
from gramian.cluster.density.hdbscan import HDBSCAN
from gramian.cluster.divisive import DivisiveClustering
from gramian.cluster.hierarchy.agglomerative import AgglomerativeClustering
from gramian.cluster.hierarchy.dendrogram import Dendrogram
from gramian.cluster.hierarchy.linkage import linkage
from gramian.cluster.initialization import kmeans_plusplus
from gramian.cluster.kmeans import KMeans
from gramian.cluster.kmedoids import KMedoids
from gramian.cluster.minibatch import MiniBatchKMeans
from gramian.cluster.spectral_clustering import SpectralClustering

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "AgglomerativeClustering",
    "BalancedKMeans",
    "BisectingKMeans",
    "ClusterCounts",
    "Dendrogram",
    "DivisiveClustering",
    "KMeans",
    "KMedoids",
    "MiniBatchKMeans",
    "SpectralClustering",
    "choose_n_clusters",
    "kmeans_plusplus",
    "linkage",
]
