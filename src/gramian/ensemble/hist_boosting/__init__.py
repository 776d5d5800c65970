"""Gradient boosting over histograms."""
