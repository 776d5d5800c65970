"""Bayes decisions: probabilities and costs give the best action."""

from gramian.decision.bayes_decision import BayesDecision
from gramian.decision.plot_decision_regions import plot_decision_regions
from gramian.decision.risk import conditional_risk, least_risk

__all__ = ["BayesDecision", "conditional_risk", "least_risk", "plot_decision_regions"]
