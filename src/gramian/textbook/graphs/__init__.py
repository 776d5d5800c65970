"""Cheeger's inequality, optimal cuts by exhaustive search, and components by zero eigenvalues."""

from gramian.textbook.graphs.cheeger import CheegerBounds, cheeger_bounds
from gramian.textbook.graphs.exhaustive import BestCut, best_cut
from gramian.textbook.graphs.zero_eigenvalues import ZeroEigenvalues, zero_eigenvalues

__all__ = [
    "BestCut",
    "CheegerBounds",
    "ZeroEigenvalues",
    "best_cut",
    "cheeger_bounds",
    "zero_eigenvalues",
]
