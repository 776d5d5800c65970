"""Random projections, and the geometry of high dimensions."""

from gramian.random_projection.dimension import (
    johnson_lindenstrauss_dimension,
    johnson_lindenstrauss_min_dim,
)
from gramian.random_projection.distortion import Distortion, distortion
from gramian.random_projection.gaussian_random_projection import GaussianRandomProjection
from gramian.random_projection.orthonormal_random_projection import OrthonormalRandomProjection
from gramian.random_projection.random_directions import (
    random_directions,
    random_in_ball,
    random_subspace,
)
from gramian.random_projection.sparse_random_projection import SparseRandomProjection

__all__ = [
    "Distortion",
    "GaussianRandomProjection",
    "OrthonormalRandomProjection",
    "SparseRandomProjection",
    "distortion",
    "johnson_lindenstrauss_dimension",
    "johnson_lindenstrauss_min_dim",
    "random_directions",
    "random_in_ball",
    "random_subspace",
]
