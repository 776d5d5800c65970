"""Penalties to try, and the gradient of the objective of ridge."""

import numpy as np

ALPHAS = np.logspace(-3, 3, 7)


def gradient(model, X, y, w, alpha, P, *, penalised_bias=False):
    """Half the gradient of the objective at the fitted model."""
    r = w * (y - X @ model.coef_ - model.intercept_)
    pull = alpha * model.intercept_ if penalised_bias else 0.0
    return np.append(X.T @ r - alpha * P @ model.coef_, r.sum() - pull)
