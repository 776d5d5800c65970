"""Kernels: inner products in feature spaces that are never computed."""

from gramian.kernels.chi_squared import AdditiveChiSquared, ChiSquared
from gramian.kernels.distance_kernels import RBF, Laplacian
from gramian.kernels.feature_maps import polynomial_feature_map, rbf_feature_map
from gramian.kernels.inner_products import Cosine, Linear, Polynomial, Sigmoid
from gramian.kernels.kernel import Constant, Kernel, Product, Sum
from gramian.kernels.matrix import kernel_diagonal, kernel_matrix
from gramian.kernels.resolution import resolve_kernel
from gramian.kernels.user_kernels import FeatureKernel, FunctionKernel, Precomputed
from gramian.kernels.validity import KernelReport, check_kernel

__all__ = [
    "RBF",
    "AdditiveChiSquared",
    "ChiSquared",
    "Constant",
    "Cosine",
    "FeatureKernel",
    "FunctionKernel",
    "Kernel",
    "KernelReport",
    "Laplacian",
    "Linear",
    "Polynomial",
    "Precomputed",
    "Product",
    "Sigmoid",
    "Sum",
    "check_kernel",
    "kernel_diagonal",
    "kernel_matrix",
    "polynomial_feature_map",
    "rbf_feature_map",
    "resolve_kernel",
]
