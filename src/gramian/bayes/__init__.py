"""Decisions by Bayes: probabilities and costs give the best action."""

from gramian.bayes.decision import BayesDecision
from gramian.bayes.discriminants import discriminant_difference, discriminants
from gramian.bayes.likelihood_ratio import (
    RatioTest,
    likelihood_ratio_test,
    likelihood_ratio_threshold,
)
from gramian.bayes.problem import DecisionProblem
from gramian.bayes.risk import conditional_risk, least_risk

__all__ = [
    "BayesDecision",
    "DecisionProblem",
    "RatioTest",
    "conditional_risk",
    "discriminant_difference",
    "discriminants",
    "least_risk",
    "likelihood_ratio_test",
    "likelihood_ratio_threshold",
]
