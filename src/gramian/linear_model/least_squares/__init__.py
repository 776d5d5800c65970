"""Least squares: linear regression, its factorizations and the projection behind it."""
