"""Data sets of textbooks: noisy sines, spirals, spheres, faces."""

from gramian.textbook.data_sets.additive_noise import AdditiveNoise
from gramian.textbook.data_sets.generators import (
    Sample,
    circles,
    faces,
    heights,
    nested_spheres,
    sine,
    spirals,
    two_gaussians,
    xor,
)

__all__ = [
    "AdditiveNoise",
    "Sample",
    "circles",
    "faces",
    "heights",
    "nested_spheres",
    "sine",
    "spirals",
    "two_gaussians",
    "xor",
]
