"""Hierarchical clustering: linkages and dendrograms."""
