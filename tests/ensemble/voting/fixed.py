"""A classifier with fixed probabilities, for tests of ensembles."""

import numpy as np


class FixedClassifier:
    """Predicts the same class probabilities for every row."""

    def __init__(self, p=0.5):
        self.p = p

    def get_params(self, deep=True):
        return {"p": self.p}

    def set_params(self, **params):
        self.p = params.get("p", self.p)
        return self

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile([1 - self.p, self.p], (len(X), 1))

    def predict(self, X):
        return self.classes_[np.full(len(X), int(self.p > 0.5))]


def fixed_members(*p):
    """Named members, one for each probability of the second class."""
    return [(f"m{i}", FixedClassifier(q)) for i, q in enumerate(p)]
