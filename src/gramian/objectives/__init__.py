"""Objective functions: losses, penalties and the problems made of them.

A linear model's cost is ``functional_i L(y_i, x_i . w + b) + penalty(w)``: choose a loss, a
functional and a penalty, and pass them with the data to `LinearProblem`; or wrap any function in
`Function`. `gramian.solvers` minimises either.
"""

from gramian.objectives.derivatives import (
    directional_derivative,
    gradient_error,
    numeric_gradient,
    numeric_hessian,
)
from gramian.objectives.entropy import BinaryCrossEntropy, CrossEntropy, Logistic, Softmax
from gramian.objectives.function import Function
from gramian.objectives.functionals import Functional, Max, Mean, WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.log_link import Gamma, Poisson
from gramian.objectives.loss import Loss
from gramian.objectives.lq_penalties import Lq, LqBall
from gramian.objectives.margin import (
    Exponential,
    Hinge,
    LogitMargin,
    ModifiedHuber,
    PerceptronLoss,
    SquaredHinge,
    ZeroOne,
)
from gramian.objectives.penalties import L1, L2, ElasticNet, Penalty
from gramian.objectives.problem import Problem
from gramian.objectives.regression import (
    AbsoluteError,
    EpsilonInsensitive,
    Huber,
    Quantile,
    SquaredEpsilonInsensitive,
    SquaredError,
)
from gramian.objectives.through import ThroughSigmoid

# Every loss that can be made without arguments.
LOSSES: tuple[type[Loss], ...] = (
    AbsoluteError,
    BinaryCrossEntropy,
    CrossEntropy,
    EpsilonInsensitive,
    Exponential,
    Gamma,
    Hinge,
    Huber,
    Logistic,
    LogitMargin,
    ModifiedHuber,
    PerceptronLoss,
    Poisson,
    Quantile,
    Softmax,
    SquaredEpsilonInsensitive,
    SquaredError,
    SquaredHinge,
    ZeroOne,
)

__all__ = [
    "L1",
    "L2",
    "LOSSES",
    "AbsoluteError",
    "BinaryCrossEntropy",
    "CrossEntropy",
    "ElasticNet",
    "EpsilonInsensitive",
    "Exponential",
    "Function",
    "Functional",
    "Gamma",
    "Hinge",
    "Huber",
    "LinearProblem",
    "Logistic",
    "LogitMargin",
    "Loss",
    "Lq",
    "LqBall",
    "Max",
    "Mean",
    "ModifiedHuber",
    "Penalty",
    "PerceptronLoss",
    "Poisson",
    "Problem",
    "Quantile",
    "Softmax",
    "SquaredEpsilonInsensitive",
    "SquaredError",
    "SquaredHinge",
    "ThroughSigmoid",
    "WeightedSum",
    "ZeroOne",
    "directional_derivative",
    "gradient_error",
    "numeric_gradient",
    "numeric_hessian",
]
