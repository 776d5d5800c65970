"""Maps of distances: rows placed in few dimensions so that their distances are kept."""

from gramian.manifold.classical_mds import ClassicalMDS
from gramian.manifold.isomap import Isomap
from gramian.manifold.mds import MDS

__all__ = ["MDS", "ClassicalMDS", "Isomap"]
