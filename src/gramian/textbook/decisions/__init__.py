"""Decision problems given by their distributions: risks, regions and boundaries."""

from gramian.textbook.decisions.continuous_problem import Boundaries, ContinuousDecisionProblem
from gramian.textbook.decisions.decision_problem import DecisionProblem
from gramian.textbook.decisions.discriminants import discriminant_difference, discriminants
from gramian.textbook.decisions.level_set import level_set
from gramian.textbook.decisions.likelihood_ratio import (
    RatioTest,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)
from gramian.textbook.decisions.loss_matrix import LossMatrix
from gramian.textbook.decisions.risk_integrals import RiskEstimate
from gramian.textbook.decisions.true_error import true_error

__all__ = [
    "Boundaries",
    "ContinuousDecisionProblem",
    "DecisionProblem",
    "LossMatrix",
    "RatioTest",
    "RiskEstimate",
    "discriminant_difference",
    "discriminants",
    "level_set",
    "likelihood_ratio_test",
    "likelihood_ratio_threshold",
    "true_error",
]
