"""ydf takes columns by name; this gives its learners `fit` and `predict` of arrays."""

from __future__ import annotations

import numpy as np


class YdfModel:
    """A model of one of ydf's learners, fitted to arrays."""

    def __init__(self, learner, X, y, number, **options):
        import ydf

        task = ydf.Task.REGRESSION if number else ydf.Task.CLASSIFICATION
        made = getattr(ydf, learner)(label="y", task=task, num_threads=2, **options)
        self.number = number
        self.model = made.train({**self.columns(X), "y": y}, verbose=0)

    def columns(self, X):
        return {f"x{j}": X[:, j] for j in range(X.shape[1])}

    def predict(self, X):
        predicted = self.model.predict(self.columns(X))
        return predicted if self.number else (predicted > 0.5).astype(np.int64)
