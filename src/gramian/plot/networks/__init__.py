"""Figures of networks: diagrams, activations, approximations, rows of images."""
