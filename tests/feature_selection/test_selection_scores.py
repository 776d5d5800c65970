"""Scores of column selections against refits of every model, through the mean or the origin."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import KFold

from gramian import BestSubsetSelector, StepwiseSelector

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
    for fit, judge in KFold(5).split(X):
        found = predictions(X[fit], y[fit], w[fit], columns, intercept, X[judge])
        if scoring == "r2":
            scores.append(r2_score(y[judge], found, sample_weight=w[judge]))
        else:
            scores.append(-mean_squared_error(y[judge], found, sample_weight=w[judge]))
    return float(np.mean(scores))


@every_setting
def test_best_subset_scores_are_those_of_refits(scoring, intercept, weighted):
    for seed in range(3):
        X, y, w = far_from_zero(seed)
        w = w if weighted else np.ones(len(y))
        model = BestSubsetSelector(scoring=scoring, fit_intercept=intercept)
        model.fit(X, y, sample_weight=w if weighted else None)
        for support, rss, score in zip(model.supports_, model.rss_, model.scores_, strict=True):
            columns = np.flatnonzero(support).tolist()
            fitted = predictions(X, y, w, columns, intercept, X)
            assert rss == pytest.approx(float(w @ (y - fitted) ** 2), rel=1e-8)
            expected = refitted_score(X, y, w, columns, scoring, intercept)
            assert score == pytest.approx(expected, rel=1e-8, abs=1e-8)
        if scoring in ("aic", "bic"):  # the best of all 2^d subsets
            subsets = [c for size in range(6) for c in combinations(range(5), size)]
            best = max(refitted_score(X, y, w, c, scoring, intercept) for c in subsets)
            assert model.scores_.max() == pytest.approx(best, rel=1e-8, abs=1e-8)


@every_setting
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_stepwise_takes_the_best_step_of_refits(scoring, intercept, weighted, direction):
    for seed in range(2):
        X, y, w = far_from_zero(seed)
        w = w if weighted else np.ones(len(y))
        model = StepwiseSelector(scoring=scoring, fit_intercept=intercept, direction=direction)
        model.fit(X, y, sample_weight=w if weighted else None)
        inside = set() if direction == "forward" else set(range(5))
        assert len(model.path_) == 5
        for step, score in enumerate(model.scores_):
            expected = refitted_score(X, y, w, sorted(inside), scoring, intercept)
            assert score == pytest.approx(expected, rel=1e-8, abs=1e-8)
            if step == 5:
                break
            moves = range(5) if direction == "forward" else sorted(inside)
            steps = {j: inside ^ {j} for j in moves if direction == "backward" or j not in inside}
            values = {
                j: refitted_score(X, y, w, sorted(s), scoring, intercept) for j, s in steps.items()
            }
            assert model.path_[step] == max(values, key=values.__getitem__)
            inside ^= {int(model.path_[step])}


@pytest.mark.parametrize("exact", [True, False])
def test_without_an_intercept_the_true_columns_are_found(exact):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    X[:, 0] += 5
    y = X[:, 0] + 0.3 * X[:, 1] + (0 if exact else 0.05) * rng.normal(size=60)
    for selector in (StepwiseSelector, BestSubsetSelector):
        model = selector(scoring="bic", fit_intercept=False).fit(X, y)
        assert model.get_support(indices=True).tolist() == [0, 1]
