"""Centring of rows, targets and kernel matrices before dual methods."""

from gramian.textbook.kernels.centring import CentredData, center_data, center_kernel

__all__ = ["CentredData", "center_data", "center_kernel"]
