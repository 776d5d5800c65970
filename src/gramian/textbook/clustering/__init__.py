"""Textbook linkage algorithms, and k-means solved by exhaustive search."""

from gramian.textbook.clustering.linkage import CLINK, SLINK
from gramian.textbook.clustering.objectives import best_partition, pairwise_objective

__all__ = ["CLINK", "SLINK", "best_partition", "pairwise_objective"]
