"""Figures of optimisation: paths, Newton's parabolas, training curves, programs."""
