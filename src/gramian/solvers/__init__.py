"""Solvers: algorithms that minimise a problem.

`minimize` takes a problem of `gramian.objectives`, or any function, and a solver by name or as an
object; `choose_solver` recommends one. Solvers are small: each file contains the loop of the
textbook, which yields iterates; stopping, recording and checks are in `Solver`. To add one, write
`_iterates`, declare what it requires, and add a line to `gramian.solvers.solver_names`.
"""

from gramian.solvers.coordinate.coordinate_descent import (
    CoordinateDescent,
    clipped_step,
    soft_threshold,
)
from gramian.solvers.coordinate.dual_coordinate import DualCoordinate
from gramian.solvers.first_order.conjugate_gradient import ConjugateGradient
from gramian.solvers.first_order.gradient_descent import GradientDescent
from gramian.solvers.first_order.proximal_gradient import ProximalGradient
from gramian.solvers.first_order.subgradient import Subgradient
from gramian.solvers.line_search import Backtracking, Line, LineSearch, Secant, Wolfe
from gramian.solvers.minimizing import minimize
from gramian.solvers.problem_kinds import SolverChoice, choose_solver
from gramian.solvers.programs.interior_point import QuadraticProgram
from gramian.solvers.programs.linear_program import LinearProgram
from gramian.solvers.second_order.bfgs import BFGS
from gramian.solvers.second_order.irls import IRLS, working_response
from gramian.solvers.second_order.lbfgs import LBFGS
from gramian.solvers.second_order.linear_systems import conjugate_gradients, solve_system
from gramian.solvers.second_order.newton import Newton, stationary_kind
from gramian.solvers.solver import Iterate, Result, Solver, Trace
from gramian.solvers.stochastic.adagrad import AdaGrad
from gramian.solvers.stochastic.adam import Adam
from gramian.solvers.stochastic.amsgrad import AMSGrad
from gramian.solvers.stochastic.momentum import Momentum
from gramian.solvers.stochastic.rmsprop import RMSprop
from gramian.solvers.stochastic.schedules import InverseRoot, InverseTime, Staircase
from gramian.solvers.stochastic.step_size import Tuning, tune_step
from gramian.solvers.stochastic.stochastic_gradient import StochasticGradient

__all__ = [
    "BFGS",
    "IRLS",
    "LBFGS",
    "AMSGrad",
    "AdaGrad",
    "Adam",
    "Backtracking",
    "ConjugateGradient",
    "CoordinateDescent",
    "DualCoordinate",
    "GradientDescent",
    "InverseRoot",
    "InverseTime",
    "Iterate",
    "Line",
    "LineSearch",
    "LinearProgram",
    "Momentum",
    "Newton",
    "ProximalGradient",
    "QuadraticProgram",
    "RMSprop",
    "Result",
    "Secant",
    "Solver",
    "SolverChoice",
    "Staircase",
    "StochasticGradient",
    "Subgradient",
    "Trace",
    "Tuning",
    "Wolfe",
    "choose_solver",
    "clipped_step",
    "conjugate_gradients",
    "minimize",
    "soft_threshold",
    "solve_system",
    "stationary_kind",
    "tune_step",
    "working_response",
]
