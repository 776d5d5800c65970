"""Directions for oblique splits: from a linear model, from the means, or at random."""

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import has_fit_parameter

from gramian.linear import LinearRegression, LogisticRegression, Ridge

Floats: TypeAlias = npt.NDArray[np.float64]
# From scaled rows (n, q), a target and weights to one direction (q,).
Fit: TypeAlias = Callable[[Floats, Floats, Floats], Floats]


def fit_of(split: Any) -> Fit:
    """Return how a direction is found: by a name, or by an estimator with ``coef_``."""
    if split == "centroid":
        return _between_means
    named = {
        "logistic": LogisticRegression(),
        "ridge": Ridge(),
        "least_squares": LinearRegression(),
    }
    model = named[split] if isinstance(split, str) else split

    def fit(X: Floats, target: Floats, weights: Floats) -> Floats:
        labels = target > 0 if split == "logistic" or _is_classifier(model) else target
        fitted = clone(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a rough direction will do
            if has_fit_parameter(fitted, "sample_weight"):
                fitted.fit(X, labels, sample_weight=weights)
            else:
                fitted.fit(X, labels)
        return np.ravel(np.asarray(fitted.coef_, dtype=np.float64))[: X.shape[1]]

    return fit


def _is_classifier(model: Any) -> bool:
    return getattr(model, "_estimator_type", None) == "classifier" or hasattr(
        model, "decision_function"
    )


def _between_means(X: Floats, target: Floats, weights: Floats) -> Floats:
    """From the mean of the rows with a target below its own mean to that of the others."""
    high = target > weights @ target / weights.sum()
    if high.all() or not high.any():
        return np.zeros(X.shape[1])
    up = np.average(X[high], axis=0, weights=weights[high])
    return np.asarray(up - np.average(X[~high], axis=0, weights=weights[~high]))


def random_directions(rng: np.random.Generator, count: int, d: int, limit: int | None) -> Floats:
    """Return `count` random unit directions; with a limit, each along so many columns."""
    w = rng.standard_normal((count, d))
    if limit is not None and limit < d:
        rank = np.argsort(rng.random((count, d)), axis=1)
        w[rank >= limit] = 0.0
    return np.asarray(w / np.linalg.norm(w, axis=1, keepdims=True))
