"""Bayes decisions: probabilities and costs give the best action."""

from gramian.decision.bayes_decision import BayesDecision
from gramian.decision.continuous_problem import Boundaries, ContinuousDecisionProblem
from gramian.decision.decision_problem import DecisionProblem
from gramian.decision.discriminants import discriminant_difference, discriminants
from gramian.decision.level_set import level_set
from gramian.decision.likelihood_ratio import (
    RatioTest,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)
from gramian.decision.plot_decision_regions import plot_decision_regions
from gramian.decision.risk import conditional_risk, least_risk
from gramian.decision.risk_integrals import RiskEstimate
from gramian.decision.true_error import true_error

__all__ = [
    "BayesDecision",
    "Boundaries",
    "ContinuousDecisionProblem",
    "DecisionProblem",
    "RatioTest",
    "RiskEstimate",
    "conditional_risk",
    "discriminant_difference",
    "discriminants",
    "least_risk",
    "level_set",
    "likelihood_ratio_test",
    "likelihood_ratio_threshold",
    "plot_decision_regions",
    "true_error",
]
