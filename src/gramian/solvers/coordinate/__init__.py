"""Coordinate descent, primal and dual."""
