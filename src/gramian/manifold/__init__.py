"""Manifold learning: coordinates that keep what is near near."""

from gramian.manifold.spectral_embedding import SpectralEmbedding

__all__ = [
    "SpectralEmbedding",
]
