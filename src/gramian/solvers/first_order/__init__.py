"""Solvers that use gradients or subgradients only."""
