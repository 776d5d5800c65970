"""Features of grey images: gradients, orientation histograms, equalisation, descriptors."""

from gramian.feature_extraction.image.descriptors import join_descriptors
from gramian.feature_extraction.image.equalization import equalize_histogram
from gramian.feature_extraction.image.gradients import (
    Gradients,
    image_gradients,
    oriented_derivative,
)
from gramian.feature_extraction.image.orientation import orientation_histograms

__all__ = [
    "Gradients",
    "equalize_histogram",
    "image_gradients",
    "join_descriptors",
    "orientation_histograms",
    "oriented_derivative",
]
