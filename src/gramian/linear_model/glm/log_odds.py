"""Probabilities of classifiers whose log-odds are linear in x."""

import numpy as np
from scipy.special import expit, softmax

from gramian.base.kinds import LogProbabilities
from gramian.base.types import Matrix, Table
from gramian.linear_model.common.linear_scores import LinearScores


class LogOdds(LogProbabilities, LinearScores):
    """Mixin for probabilities from linear scores."""

    model_family = "discriminative"

    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each class, in the order of `classes_`."""
        z = self.decision_function(X)
        if z.ndim == 1:
            return np.column_stack([expit(-z), expit(z)])
        return np.asarray(softmax(z, axis=1))
