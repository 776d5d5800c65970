"""The matrix objects of a course that NumPy and SciPy do not have."""

from gramian.linalg.block_krylov import KrylovPairs, block_krylov, leading_eigenpairs
from gramian.linalg.design_matrix import design_matrix
from gramian.linalg.identities import (
    ProductRules,
    Sides,
    SpectralRules,
    determinant_lemma,
    product_rules,
    spectral_rules,
    trace_cycle,
    woodbury,
)
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
    "ProductRules",
    "QuadraticForm",
    "Sides",
    "SpectralRules",
    "Subspaces",
    "block_krylov",
    "definiteness",
    "design_matrix",
    "determinant_lemma",
    "eigenpairs",
    "generalized_eigenpairs",
    "gram_schmidt",
    "leading_eigenpairs",
    "matrix_from_eigenpairs",
    "orientation",
    "product_rules",
    "project",
    "project_on_hyperplane",
    "push_through",
    "rayleigh_quotient",
    "spectral_rules",
    "subspaces",
    "symmetric_power",
    "trace_cycle",
    "woodbury",
]
