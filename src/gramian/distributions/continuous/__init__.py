"""Distributions of real numbers."""
