"""Figures of regressions: fits, residuals, paths of coefficients, penalties."""
