"""Confidence intervals of means and error rates."""
