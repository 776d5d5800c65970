"""The matrix objects of a course that NumPy and SciPy do not have."""

from gramian.linalg.block_krylov import KrylovPairs, block_krylov, leading_eigenpairs
from gramian.linalg.design_matrix import design_matrix
from gramian.linalg.orientation import orientation
from gramian.linalg.push_through import push_through
from gramian.linalg.quadratic_form import Minimum, QuadraticForm
from gramian.linalg.subspaces import (
    OrthonormalBasis,
    Subspaces,
    gram_schmidt,
    project,
    project_on_hyperplane,
    subspaces,
)
from gramian.linalg.symmetric import (
    Eigenpairs,
    definiteness,
    eigenpairs,
    generalized_eigenpairs,
    matrix_from_eigenpairs,
    rayleigh_quotient,
    symmetric_power,
)

__all__ = [
    "Eigenpairs",
    "KrylovPairs",
    "Minimum",
    "OrthonormalBasis",
    "QuadraticForm",
    "Subspaces",
    "block_krylov",
    "definiteness",
    "design_matrix",
    "eigenpairs",
    "generalized_eigenpairs",
    "gram_schmidt",
    "leading_eigenpairs",
    "matrix_from_eigenpairs",
    "orientation",
    "project",
    "project_on_hyperplane",
    "push_through",
    "rayleigh_quotient",
    "subspaces",
    "symmetric_power",
]
