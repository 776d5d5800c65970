"""Figures of the plane: Voronoi cells, boxes, clusters."""
