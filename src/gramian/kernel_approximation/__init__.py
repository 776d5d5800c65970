"""Features that approximate kernels."""

from gramian.kernel_approximation.nystroem import Nystroem
from gramian.kernel_approximation.polynomial_count_sketch import PolynomialCountSketch
from gramian.kernel_approximation.rbf_sampler import RBFSampler

__all__ = ["Nystroem", "PolynomialCountSketch", "RBFSampler"]
