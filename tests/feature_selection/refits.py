"""Scores of column selections from refits of every model, through the mean or the origin."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import KFold

SCORINGS = ["r2", "neg_mean_squared_error", "aic", "bic"]
every_setting = pytest.mark.parametrize(
    ("scoring", "intercept", "weighted"),
    [(s, i, w) for s in SCORINGS for i in (True, False) for w in (False, True)],
)


def far_from_zero(seed, n=40, d=5):
    """Columns whose means are far from zero, so that the intercept matters."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 5 * rng.normal(size=d)
    y = X @ (rng.normal(size=d) * (rng.random(d) < 0.6)) + rng.normal(size=n)
    return X, y, rng.integers(1, 4, size=n).astype(float)


def predictions(X, y, w, columns, intercept, new):
    if not columns:
        return np.full(len(new), np.average(y, weights=w) if intercept else 0.0)
    line = LinearRegression(fit_intercept=intercept).fit(X[:, columns], y, sample_weight=w)
    return line.predict(new[:, columns])


def refitted_score(X, y, w, columns, scoring, intercept):
    """The documented score, from a fit of its own for every fold."""
    columns = list(columns)
    if scoring in ("aic", "bic"):
        n = w.sum()
        rss = float(w @ (y - predictions(X, y, w, columns, intercept, X)) ** 2)
        k = len(columns) + 1 + intercept
        return -(n * np.log(rss / n) + k * (2 if scoring == "aic" else np.log(n)))
    scores = []
    for fit, validation in KFold(5).split(X):
        found = predictions(X[fit], y[fit], w[fit], columns, intercept, X[validation])
        if scoring == "r2":
            scores.append(r2_score(y[validation], found, sample_weight=w[validation]))
        else:
            scores.append(-mean_squared_error(y[validation], found, sample_weight=w[validation]))
    return float(np.mean(scores))
