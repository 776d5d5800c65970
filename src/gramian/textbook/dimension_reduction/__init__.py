"""Principal components by their derivations, and the geometry of high dimensions."""

from gramian.textbook.dimension_reduction.high_dimensions import (
    AngleFacts,
    Concentration,
    ShellFacts,
    distance_concentration,
    inner_volume,
    random_angles,
    thin_shell,
)
from gramian.textbook.dimension_reduction.pca import (
    Criteria,
    Deflation,
    deflation_pca,
    projection_criteria,
)

__all__ = [
    "AngleFacts",
    "Concentration",
    "Criteria",
    "Deflation",
    "ShellFacts",
    "deflation_pca",
    "distance_concentration",
    "inner_volume",
    "projection_criteria",
    "random_angles",
    "thin_shell",
]
