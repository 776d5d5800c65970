"""Perceptrons, hyperplanes, and whether one separates two classes."""
