"""Directions for oblique splits: from a linear model, from the means, or at random."""

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import has_fit_parameter

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.linear_model import LogisticRegression

# (scaled rows (n, q), target, weights) -> one direction (q,).
Fit: TypeAlias = Callable[[Floats, Floats, Floats], Floats]


def direction_fitter(owner: str, split: Any) -> Fit | None:
    """Return the function that fits a direction, from a name or estimator; None for "random"."""
    if split == "random":
        return None
    named: dict[str, Fit] = {
        "centroid": _mean_difference,
        "ridge": _ridge,
        "least_squares": _least_squares,
        "logistic": _model_fitter(owner, LogisticRegression()),
    }
    return named[split] if isinstance(split, str) else _model_fitter(owner, split)


def _model_fitter(owner: str, model: Any) -> Fit:
    weighted = has_fit_parameter(model, "sample_weight")
    of_classes = _is_classifier(model)
    fitted_once = False

    def fit(X: Floats, target: Floats, weights: Floats) -> Floats:
        nonlocal fitted_once
        fitted = clone(model)
        labels = target > 0 if of_classes else target
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # a rough direction suffices
                fitted.fit(X, labels, **({"sample_weight": weights} if weighted else {}))
        except (ValueError, np.linalg.LinAlgError):
            if not fitted_once:  # at the root, which has the most rows
                raise
            return np.zeros(X.shape[1])  # too few rows for this model
        fitted_once = True
        if not hasattr(fitted, "coef_"):
            raise ParameterError(
                f"{owner}: split must be an estimator with coef_ after fit, such as LinearSVC(); "
                f"got {model!r}."
            )
        return np.ravel(np.asarray(fitted.coef_, dtype=np.float64))[: X.shape[1]]

    return fit


def _is_classifier(model: Any) -> bool:
    return getattr(model, "_estimator_type", None) == "classifier" or hasattr(
        model, "decision_function"
    )


def _centred(X: Floats, target: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Centre rows and targets, and multiply them by the square roots of the weights."""
    proportion = weights / weights.sum()
    root = np.sqrt(weights)
    return (X - proportion @ X) * root[:, None], (target - proportion @ target) * root


def _ridge(X: Floats, target: Floats, weights: Floats) -> Floats:
    """Fit ridge regression by the smaller of the primal and the dual system."""
    A, b = _centred(X, target, weights)
    n, d = A.shape
    if n < d:
        return np.asarray(A.T @ np.linalg.solve(A @ A.T + np.eye(n), b))
    return np.asarray(np.linalg.solve(A.T @ A + np.eye(d), A.T @ b))


def _least_squares(X: Floats, target: Floats, weights: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(*_centred(X, target, weights), rcond=None)[0])


def _mean_difference(X: Floats, target: Floats, weights: Floats) -> Floats:
    """Return the direction from the mean of rows with low targets to the mean of the others."""
    high = target > weights @ target / weights.sum()
    if high.all() or not high.any():
        return np.zeros(X.shape[1])
    up = np.average(X[high], axis=0, weights=weights[high])
    return np.asarray(up - np.average(X[~high], axis=0, weights=weights[~high]))


def random_directions(rng: np.random.Generator, count: int, d: int, limit: int | None) -> Floats:
    """Return `count` random unit directions; with a limit, each on that many columns."""
    w = rng.standard_normal((count, d))
    if limit is not None and limit < d:
        rank = np.argsort(rng.random((count, d)), axis=1)
        w[rank >= limit] = 0.0
    return np.asarray(w / np.linalg.norm(w, axis=1, keepdims=True))
