"""Manifold learning: embeddings in few dimensions that preserve distances or neighbours."""

from gramian.manifold.classical_mds import ClassicalMDS
from gramian.manifold.isomap import Isomap
from gramian.manifold.mds import MDS
from gramian.manifold.spectral_embedding import SpectralEmbedding

__all__ = ["MDS", "ClassicalMDS", "Isomap", "SpectralEmbedding"]
