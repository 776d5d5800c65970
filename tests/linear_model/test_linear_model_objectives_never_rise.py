"""More steps never do worse: what a method descends does not rise with ``max_iter``.

Each method has its own objective: the cost it names for primal methods, minus the dual for dual
ones, the best point for an interior point. On hard tables it must not rise by more than 1e-10 of
itself, beside the rounding of the numbers it is made of. Stochastic gradient descent promises
less: to be no worse than where it started, and to end near the optimum.
"""

import warnings

import numpy as np
import pytest

from gramian import (
    ElasticNet,
    HuberRegressor,
    KMeans,
    Lasso,
    LassoLars,
    LinearSVC,
    LogisticRegression,
    SGDClassifier,
    SGDRegressor,
)
from gramian.linear_model.robust import quantile_solver
from tests.linear_model.hard_tables import HARD, hard_table
from tests.linear_model.lasso.lasso_data import slow_problem

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def assert_never_rises(values, rounding=0.0):
    """No value lies above the least before it."""
    values = np.array(values)
    assert np.isfinite(values).all()
    least = np.minimum.accumulate(values)
    rise = values - least
    allowed = 1e-10 * np.abs(least) + rounding
    worst = int(np.argmax(rise - allowed))
    assert rise[worst] <= allowed[worst], dict(zip(STEPS, values.tolist(), strict=False))


def shrunken_cost(model, X, y, l1, l2):
    r = y - X @ model.coef_ - model.intercept_
    c = model.coef_
    return r @ r / (2 * len(y)) + l1 * np.abs(c).sum() + l2 / 2 * (c @ c)


def shrunken_rounding(X, y):
    """Of |y|^2 / n, from which a Gram matrix knows the cost."""
    return 1e-14 * np.var(y)


@pytest.mark.parametrize("strength", [1e-2, 1e-6])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("name", HARD)
def test_lasso_and_elastic_net(name, ratio, strength):
    X, y = hard_table(name)
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    costs = [
        shrunken_cost(
            ElasticNet(alpha, l1_ratio=ratio, tol=1e-13, max_iter=steps).fit(X, y),
            X,
            y,
            alpha * ratio,
            alpha * (1 - ratio),
        )
        for steps in STEPS
    ]
    assert_never_rises(costs, shrunken_rounding(X, y))


def test_lasso_of_columns_so_alike_that_extrapolation_used_to_diverge():
    X, y = slow_problem()
    costs = [
        shrunken_cost(Lasso(1e-5, tol=1e-12, max_iter=steps).fit(X, y), X, y, 1e-5, 0.0)
        for steps in STEPS
    ]
    assert_never_rises(costs)
    assert costs[-1] < 5.2e-4


@pytest.mark.parametrize("alpha", [1e-6, 1e-4])
@pytest.mark.parametrize("shape", [(200, 60), (40, 80)])
def test_lasso_of_powers_whose_gram_matrix_is_singular_to_rounding(shape, alpha):
    """At 100 cycles the path of penalties begins, and at 151 it ends."""
    X = np.vander(np.linspace(-1, 1, shape[0]), shape[1])
    y = np.random.default_rng(0).normal(size=len(X))
    costs = [
        shrunken_cost(Lasso(alpha, tol=1e-12, max_iter=steps).fit(X, y), X, y, alpha, 0.0)
        for steps in (1, 10, 100, 101, 125, 150, 151, 175, 200, 500, 1000, 2000)
    ]
    assert costs[0] <= np.var(y) / 2 * (1 + 1e-12)
    assert_never_rises(costs, shrunken_rounding(X, y))


@pytest.mark.slow
@pytest.mark.parametrize("strength", [1e-2, 1e-6])
@pytest.mark.parametrize("name", HARD)
def test_lasso_by_least_angles(name, strength):
    X, y = hard_table(name)
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    costs = [
        shrunken_cost(LassoLars(alpha, max_iter=steps).fit(X, y), X, y, alpha, 0.0)
        for steps in STEPS
    ]
    assert_never_rises(costs, shrunken_rounding(X, y))


def logistic_cost(model, X, y, C, ratio):
    z = X @ model.coef_[0] + model.intercept_[0]
    c = model.coef_[0]
    penalty = ratio * np.abs(c).sum() + (1 - ratio) / 2 * (c @ c)
    return np.logaddexp(0, -np.where(y, 1, -1) * z).sum() + penalty / C


@pytest.mark.slow
@pytest.mark.parametrize("C", [1.0, 1e4])
@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", HARD)
def test_logistic_regression(name, ratio, C):
    X, target = hard_table(name)
    y = target > np.median(target)
    y[:3] = ~y[:3]
    costs = [
        logistic_cost(
            LogisticRegression(C=C, l1_ratio=ratio, tol=1e-10, max_iter=steps).fit(X, y),
            X,
            y,
            C,
            ratio,
        )
        for steps in STEPS
    ]
    assert_never_rises(costs)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.01, 1.35])
@pytest.mark.parametrize("name", HARD)
def test_huber(name, epsilon):
    X, y = hard_table(name)
    costs = []
    for steps in STEPS:
        model = HuberRegressor(epsilon=epsilon, tol=1e-9, max_iter=steps).fit(X, y)
        r, s = np.abs(y - X @ model.coef_ - model.intercept_), model.scale_
        terms = s + np.where(r <= epsilon * s, r * r / s, 2 * epsilon * r - epsilon**2 * s)
        costs.append(terms.sum() + 1e-4 * model.coef_ @ model.coef_)
    assert_never_rises(costs)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("name", HARD)
def test_dual_of_the_linear_support_vector_machine(name, loss):
    """1/2 |w|^2 - sum_i |beta_i|, and for the squared hinge sum_i beta_i^2 / (4 C) more."""
    X, target = hard_table(name)
    y = target > np.median(target)
    duals = []
    for steps in STEPS:
        model = LinearSVC(
            loss=loss, dual=True, C=0.5, tol=1e-8, max_iter=steps, random_state=0
        ).fit(X, y)
        beta = model.dual_coef_[0]
        w = np.append(X.T @ beta, beta.sum())
        ridge = beta @ beta / 2 if loss == "squared_hinge" else 0.0
        duals.append(w @ w / 2 - np.abs(beta).sum() + ridge)
    assert_never_rises(duals)


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("algorithm", ["lloyd", "elkan"])
def test_k_means(name, algorithm):
    X, _ = hard_table(name)
    spreads = []
    for steps in STEPS:
        model = KMeans(
            5, algorithm=algorithm, n_init=1, tol=0.0, max_iter=steps, random_state=0
        ).fit(X)
        squares = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
        spreads.append(squares.min(axis=1).sum())
    assert_never_rises(spreads)


@pytest.mark.parametrize("q", [0.1, 0.5])
@pytest.mark.parametrize("name", HARD[:3])
def test_quantile_regression(name, q, monkeypatch):
    """The interior point leads to a vertex; from there each change of the basis is an edge down."""
    X, y = hard_table(name)
    X = np.unique((X - X.mean(axis=0)) / (X.std(axis=0) + 1e-300), axis=1)[:, :6]
    A, w = np.ascontiguousarray(np.column_stack([X, np.ones(len(X))])), np.ones(len(X))
    costs = []
    for steps in STEPS[:7]:
        monkeypatch.setattr(quantile_solver, "_MAX_STEPS", steps)
        b, _ = quantile_solver._interior_point(A, y, w, q)
        r = y - A @ b
        costs.append(np.where(r < 0, q - 1, q) @ r)
    assert_never_rises(costs, 1e-10 * np.abs(y).sum())


@pytest.mark.parametrize("seed", [26, 33, 49, 91])
def test_the_best_point_of_an_interior_point_is_kept(seed, monkeypatch):
    """The second step on these rows leads to the middle of the feasible set, and up."""
    rng = np.random.default_rng(seed)
    A = np.column_stack([rng.normal(size=(60, 8)), np.ones(60)])
    y = A[:, :8:3] @ rng.normal(size=3) + 0.3 * rng.standard_t(2, size=60)
    costs = []
    for steps in range(1, 20):
        monkeypatch.setattr(quantile_solver, "_MAX_STEPS", steps)
        b, _ = quantile_solver._interior_point(A, y, np.ones(60), 0.1)
        r = y - A @ b
        costs.append(np.where(r < 0, -0.9, 0.1) @ r)
    assert_never_rises(costs, 1e-10 * np.abs(y).sum())


def sgd_gap(model, X, y, cost, least):
    start = cost(np.zeros(X.shape[1]), 0.0)
    end = cost(np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))
    assert end <= start
    return (end - least) / (start - least)


@pytest.mark.parametrize("name", HARD)
def test_stochastic_gradient_descent(name):
    """Columns of equal scale, as the method requires: at most 5% of the gap remains."""
    X, target = hard_table(name)
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0) / np.sqrt(X.shape[1])
    target = target / target.std()
    alpha = 1e-2

    def squared(c, b):
        return np.mean((target - X @ c - b) ** 2) / 2 + alpha / 2 * (c @ c)

    A = np.column_stack([X, np.ones(len(X))])
    penalty = np.diag(np.append(np.full(X.shape[1], alpha), 0.0))
    best = np.linalg.solve(A.T @ A / len(X) + penalty, A.T @ target / len(X))
    for steps in (1, 10, 1000):
        model = SGDRegressor(alpha=alpha, tol=None, max_iter=steps, eta0=0.1, random_state=0)
        gap = sgd_gap(model.fit(X, target), X, target, squared, squared(best[:-1], best[-1]))
    assert gap <= 0.05

    y = target > 0
    signs = np.where(y, 1, -1)

    def logistic(c, b):
        return np.logaddexp(0, -signs * (X @ c + b)).mean() + alpha / 2 * (c @ c)

    exact = LogisticRegression(C=1 / (alpha * len(X)), tol=1e-10, max_iter=1000).fit(X, y)
    least = logistic(exact.coef_[0], exact.intercept_[0])
    for steps in (1, 10, 1000):
        model = SGDClassifier("log_loss", alpha=alpha, tol=None, max_iter=steps, random_state=0)
        gap = sgd_gap(model.fit(X, y), X, y, logistic, least)
    assert gap <= 0.05


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("name", HARD)
def test_steps_that_are_too_long_end_no_worse_than_the_start(name, average):
    """Columns as they are, in units from 1e-8 to 1e8 among others."""
    X, target = hard_table(name)
    y = target > np.median(target)
    signs = np.where(y, 1, -1)
    for steps in (1, 5, 50):
        settings = {"tol": None, "max_iter": steps, "random_state": 0, "average": average}
        line = SGDRegressor(**settings).fit(X, target)
        cost = np.mean((target - line.predict(X)) ** 2) / 2 + 1e-4 / 2 * (line.coef_ @ line.coef_)
        assert cost <= np.mean(target**2) / 2 * (1 + 1e-12)
        for loss, start in (("log_loss", np.log(2)), ("hinge", 1.0)):
            plane = SGDClassifier(loss, **settings).fit(X, y)
            margins = signs * plane.decision_function(X)
            values = np.maximum(0, 1 - margins) if loss == "hinge" else np.logaddexp(0, -margins)
            assert values.mean() + 1e-4 / 2 * (plane.coef_**2).sum() <= start * (1 + 1e-12)
