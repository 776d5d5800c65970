"""Features of images."""

from gramian.feature_extraction import image

__all__ = [
    "image",
]
