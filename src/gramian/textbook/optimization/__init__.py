"""Optimisation: line searches, programs, duals, convexity, conditioning."""

from gramian.textbook.optimization.condition import Condition, condition
from gramian.textbook.optimization.convexity import (
    ConvexityReport,
    check_convexity,
    in_polytope,
    polygon_vertices,
)
from gramian.textbook.optimization.duality import Lagrangian, equality_multipliers
from gramian.textbook.optimization.golden_section import GoldenSection
from gramian.textbook.optimization.newton_raphson import NewtonRaphson
from gramian.textbook.optimization.programs import Program, linear_program, quadratic_program
from gramian.textbook.optimization.projected_gradient import (
    ProjectedGradient,
    onto_box,
    onto_box_and_plane,
    onto_positive,
)
from gramian.textbook.optimization.restarts import Restarts, restarts
from gramian.textbook.optimization.smo import DualSolution, smo

__all__ = [
    "Condition",
    "ConvexityReport",
    "DualSolution",
    "GoldenSection",
    "Lagrangian",
    "NewtonRaphson",
    "Program",
    "ProjectedGradient",
    "Restarts",
    "check_convexity",
    "condition",
    "equality_multipliers",
    "in_polytope",
    "linear_program",
    "onto_box",
    "onto_box_and_plane",
    "onto_positive",
    "polygon_vertices",
    "quadratic_program",
    "restarts",
    "smo",
]
