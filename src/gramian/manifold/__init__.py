"""Manifold learning: rows placed in few dimensions so that distances or neighbours are kept."""

from gramian.manifold.classical_mds import ClassicalMDS
from gramian.manifold.isomap import Isomap
from gramian.manifold.mds import MDS
from gramian.manifold.spectral_embedding import SpectralEmbedding

__all__ = ["MDS", "ClassicalMDS", "Isomap", "SpectralEmbedding"]
