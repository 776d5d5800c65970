"""Symmetric matrices and their eigenpairs, and Krylov methods for a few eigenpairs."""

from gramian.linalg.block_krylov import KrylovPairs, block_krylov, leading_eigenpairs
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
    "block_krylov",
    "definiteness",
    "eigenpairs",
    "generalized_eigenpairs",
    "leading_eigenpairs",
    "matrix_from_eigenpairs",
    "rayleigh_quotient",
    "symmetric_power",
]
