"""Kernel ridge regression."""

from gramian.kernel_ridge.costs import RidgeCosts, primal_or_dual
from gramian.kernel_ridge.kernel_ridge import KernelRidge
from gramian.kernel_ridge.kernel_ridge_cv import KernelRidgeCV

__all__ = ["KernelRidge", "KernelRidgeCV", "RidgeCosts", "primal_or_dual"]
