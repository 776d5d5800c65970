"""Density estimation: kernels, histograms, neighbours, and the choice of their widths."""
