"""Centring of rows, targets and kernel matrices before dual methods."""

from gramian.textbook.kernels.centring import Centred, center_data, center_kernel

__all__ = ["Centred", "center_data", "center_kernel"]
