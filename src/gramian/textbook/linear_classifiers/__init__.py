"""Hyperplanes, weight space, the perceptron's mistake bound and the support of a margin."""

from gramian.textbook.linear_classifiers.hyperplane import (
    Hyperplane,
    add_constant,
    constraint_of,
    feasible_weights,
)
from gramian.textbook.linear_classifiers.margin_report import (
    MistakeBound,
    SupportReport,
    mistake_bound,
    support_report,
)

__all__ = [
    "Hyperplane",
    "MistakeBound",
    "SupportReport",
    "add_constant",
    "constraint_of",
    "feasible_weights",
    "mistake_bound",
    "support_report",
]
