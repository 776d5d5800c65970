"""Objective functions: losses, penalties and the problems made of them.

A linear model's cost is ``functional_i L(y_i, x_i . w + b) + penalty(w)``: choose a loss, a
functional and a penalty, and pass them with the data to `LinearProblem`; or wrap any function in
`Function`. `gramian.solvers` minimises either.

One convention: squares have the factor 1/2, so that their derivatives have none. A squared error is
1/2 (z - y)^2 and a squared norm lambda/2 |w|^2, as in Bishop (2006) and in scikit-learn's
generalised linear models. Losses that scikit-learn defines otherwise keep its definition: the
squared hinge and the squared epsilon-insensitive loss have no factor.
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
from gramian.objectives.sigmoid_loss import SigmoidLoss

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
    "SigmoidLoss",
    "Softmax",
    "SquaredEpsilonInsensitive",
    "SquaredError",
    "SquaredHinge",
    "WeightedSum",
    "ZeroOne",
    "directional_derivative",
    "gradient_error",
    "numeric_gradient",
    "numeric_hessian",
]
