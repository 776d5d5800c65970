"""Data and helpers that several tests of this folder use."""

import numpy as np

from gramian.objectives import Function
from gramian.solvers import Iterate, Line


def line(f, slope, curvature=None):
    """The line from 0 to the right of a function of one number."""
    problem = Function(
        lambda x: f(x[0]), lambda x: [slope(x[0])], curvature and (lambda x: [[curvature(x[0])]])
    )
    return Line(problem, Iterate(np.zeros(1), f(0.0), np.array([slope(0.0)])), np.ones(1))
