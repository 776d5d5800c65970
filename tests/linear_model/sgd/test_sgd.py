"""Stochastic gradient descent: each step against its obvious Python, and what it converges to."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier as Peer

import gramian
from gramian import (
    LinearSVC,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    SGDClassifier,
    SGDRegressor,
)
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model.sgd.stochastic_steps import Steps
from gramian.objectives import (
    AbsoluteError,
    EpsilonInsensitive,
    Exponential,
    Hinge,
    LogitMargin,
    PerceptronLoss,
    Poisson,
    SquaredError,
    SquaredHinge,
)


def rows(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


def steps_of(loss, **changed):
    plain = {
        "epsilon": 0.0,
        "alpha": 0.01,
        "l1_ratio": 0.0,
        "rate": "invscaling",
        "eta0": 0.1,
        "power": 0.5,
        "fit_intercept": True,
        "average_from": np.inf,
    }
    return Steps(4, loss=loss, **(plain | changed))


LOSSES = {
    "hinge": Hinge(),
    "squared_hinge": SquaredHinge(),
    "perceptron": PerceptronLoss(),
    "log_loss": LogitMargin(1.0),
    "exponential": Exponential(),
    "squared_error": SquaredError(),
    "absolute_error": AbsoluteError(),
    "poisson": Poisson(),
}


@pytest.mark.parametrize("form", ["float64", "float32", "csr"])
@pytest.mark.parametrize("name", LOSSES)
def test_an_epoch_is_the_loop_of_the_book(name, form):
    X, y = rows()
    table = {"float64": X, "float32": X.astype(np.float32), "csr": sp.csr_array(X)}[form]
    X = np.asarray(table.toarray() if form == "csr" else table, dtype=float)
    weights = np.random.default_rng(1).integers(0, 3, size=len(y)).astype(float)
    steps = steps_of(name, average_from=10.0)
    order = np.random.default_rng(2).permutation(len(y)).astype(np.int32)
    losses = steps.epoch(table, y, weights, order)
    losses += steps.epoch(table, y, weights, order)

    loss, w, b, t, total, kept = LOSSES[name], np.zeros(4), 0.0, 1, 0.0, []
    for i in [*order, *order]:
        z = X[i] @ w + b
        total += weights[i] * float(loss.value(y[i], z))
        slope, eta = weights[i] * float(loss.derivative(y[i], z)), 0.1 / np.sqrt(t)
        w = (1 - eta * 0.01) * w - eta * slope * X[i]
        b -= eta * slope
        if t >= 10:
            kept.append(np.append(w, b))
        t += 1
    np.testing.assert_allclose(steps.w, w, rtol=1e-9, atol=1e-12)
    assert steps.b == pytest.approx(b)
    assert losses == pytest.approx(total)
    average = np.mean(kept, axis=0)
    found = steps.result()
    np.testing.assert_allclose(np.append(*found), average, rtol=1e-9, atol=1e-12)


def test_the_l1_part_is_paid_by_clipping_at_zero():
    """Tsuruoka, Tsujii and Ananiadou 2009, with what each weight still owes."""
    X, y = rows()
    steps = steps_of("hinge", l1_ratio=1.0, alpha=0.05, average_from=1.0)
    order = np.arange(len(y), dtype=np.int32)
    steps.epoch(X, y, None, order)
    w, b, due, given, kept = np.zeros(4), 0.0, 0.0, np.zeros(4), []
    for t, i in enumerate(order, start=1):
        eta = 0.1 / np.sqrt(t)
        if y[i] * (X[i] @ w + b) < 1:
            w, b = w + eta * y[i] * X[i], b + eta * y[i]
        due += eta * 0.05
        for j in range(4):
            before = w[j]
            if w[j] > 0:
                w[j] = max(0, w[j] - (due + given[j]))
            elif w[j] < 0:
                w[j] = min(0, w[j] + (due - given[j]))
            given[j] += w[j] - before
        kept.append(w.copy())
    np.testing.assert_allclose(steps.w, w, atol=1e-12)
    np.testing.assert_allclose(steps.result()[0], np.mean(kept, axis=0), atol=1e-12)


@pytest.mark.parametrize("name", ["huber", "epsilon_insensitive", "squared_epsilon_insensitive"])
def test_losses_of_an_error(name):
    X, y = rows()
    target = 3 * y
    steps = steps_of(name, epsilon=0.5, alpha=0.0, rate="constant")
    steps.epoch(X, target, None, np.arange(1, dtype=np.int32))
    r = -target[0]
    slope = {
        "huber": 0.5 * np.sign(r),
        "epsilon_insensitive": float(EpsilonInsensitive(0.5).derivative(target[0], 0.0)),
        "squared_epsilon_insensitive": 2 * np.sign(r) * (abs(r) - 0.5),
    }[name]
    np.testing.assert_allclose(steps.w, -0.1 * slope * X[0])


@pytest.mark.parametrize(("rate", "length"), [("pa1", 0.05), ("pa2", None)])
def test_passive_aggressive_steps_mend_the_row(rate, length):
    """Crammer et al. 2006: loss / |x|^2, at most C; or loss / (|x|^2 + 1 / (2 C))."""
    X, y = rows()
    steps = steps_of("hinge", rate=rate, eta0=0.05 if rate == "pa1" else 2.0, alpha=0.0)
    steps.epoch(X, y, None, np.arange(1, dtype=np.int32))
    square = X[0] @ X[0]
    tau = min(1 / square, 0.05) if length else 1 / (square + 1 / 4)
    np.testing.assert_allclose(steps.w, tau * y[0] * X[0])


def test_optimal_steps_are_those_of_scikit_learn():
    X, y = rows(200)
    common = {"max_iter": 1, "tol": None, "shuffle": False, "alpha": 0.01}
    for loss in ("hinge", "log_loss", "perceptron"):
        ours, theirs = (cls(loss, **common).fit(X, y) for cls in (SGDClassifier, Peer))
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6)


def test_it_converges_to_the_minimum():
    X, y = rows(400)
    alpha, common = 0.01, {"alpha": 0.01, "max_iter": 300, "tol": None, "average": True}
    svm = SGDClassifier("hinge", random_state=0, **common).fit(X, y)
    C = 1 / (alpha * len(y))
    exact = LinearSVC(loss="hinge", C=C, tol=1e-8, intercept_scaling=100, max_iter=10_000_000)
    np.testing.assert_allclose(svm.coef_, exact.fit(X, y).coef_, atol=0.03)
    logistic = SGDClassifier("log_loss", random_state=0, **common).fit(X, y)
    exact = LogisticRegression(C=C, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(logistic.coef_, exact.coef_, atol=0.03)
    np.testing.assert_allclose(logistic.predict_proba(X), exact.predict_proba(X), atol=0.01)
    target = X @ [1.0, 2.0, 0.0, -1.0] + 3
    line = SGDRegressor(random_state=0, eta0=0.05, **common).fit(X, target)
    exact = Ridge(alpha=alpha * len(y)).fit(X, target)
    np.testing.assert_allclose(line.coef_, exact.coef_, atol=0.02)


def test_counts_are_fitted_by_their_logarithm():
    X, _ = rows(400)
    counts = np.random.default_rng(0).poisson(np.exp(0.3 * X @ [1.0, 1.0, 0.0, -1.0] + 0.5))
    common = {"alpha": 0.01, "max_iter": 300, "tol": None, "average": True, "random_state": 0}
    model = SGDRegressor("poisson", eta0=0.02, **common).fit(X, counts)
    exact = PoissonRegressor(alpha=0.01, tol=1e-8).fit(X, counts)
    np.testing.assert_allclose(model.predict(X), exact.predict(X), rtol=0.03)
    with pytest.raises(DataError, match="y must be >= 0 with loss='poisson'"):
        SGDRegressor("poisson").partial_fit(X, -counts)


def test_boosting_s_loss_and_absolute_errors_find_what_they_seek():
    X, y = rows(400)
    common = {"max_iter": 200, "tol": None, "average": True, "random_state": 0}
    steps = {"learning_rate": "invscaling", "eta0": 0.05, "alpha": 0.1}
    machine = SGDClassifier("exponential", **steps, **common).fit(X, y)
    slopes = Exponential().derivative(y, machine.decision_function(X)) / len(y)
    np.testing.assert_allclose(slopes @ X + 0.1 * machine.coef_[0], 0, atol=0.01)
    assert slopes.sum() == pytest.approx(0, abs=0.01)
    target = X @ [1.0, 2.0, 0.0, -1.0] + 3
    target[::10] += 1000  # a median does not mind
    line = SGDRegressor("absolute_error", alpha=0.0, eta0=0.05, **common).fit(X, target)
    np.testing.assert_allclose(line.coef_, [1, 2, 0, -1], atol=0.05)


def test_an_average_from_step_0_is_none():
    X, y = rows()
    plain, zero = (SGDClassifier(average=a, random_state=0).fit(X, y) for a in (False, 0))
    np.testing.assert_array_equal(plain.coef_, zero.coef_)


def test_partial_fit_goes_on_where_it_was():
    X, y = rows(100)
    short = {"shuffle": False, "learning_rate": "constant", "eta0": 1e-3}  # the cost falls
    whole = SGDClassifier(max_iter=1, tol=None, **short).fit(X, y)
    parts = SGDClassifier(**short)
    for cut in (slice(0, 30), slice(30, 100)):
        parts.partial_fit(X[cut], y[cut], classes=[-1, 1])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)
    assert parts.t_ == whole.t_ == 101
    line = SGDRegressor(shuffle=False).partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    once = SGDRegressor(shuffle=False, max_iter=1, tol=None).fit(X, y)
    np.testing.assert_allclose(line.coef_, once.coef_, rtol=1e-9)


def test_a_saved_model_can_go_on(tmp_path):
    X, y = rows(100)
    model = SGDClassifier(random_state=0).partial_fit(X, y, classes=[-1, 1])
    gramian.save(model, tmp_path / "model.gram")
    again = gramian.load(tmp_path / "model.gram").partial_fit(X, y)
    assert again.score(X, y) > 0.8


def test_early_stopping_and_adaptive_steps():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    stopped = SGDClassifier(early_stopping=True, random_state=0).fit(X, y)
    assert stopped.n_iter_ < 100
    assert stopped.score(X, y) > 0.85
    adaptive = SGDRegressor(
        learning_rate="adaptive", eta0=0.05, alpha=0.0, tol=1e-4, max_iter=5000, random_state=0
    ).fit(X, X @ np.ones(4))
    assert adaptive.score(X, X @ np.ones(4)) > 0.999


def test_what_cannot_work_is_told():
    X, y = rows()
    with pytest.raises(ParameterError, match="alpha must be positive"):
        SGDClassifier(alpha=0).fit(X, y)
    with pytest.raises(ParameterError, match="eta0 must be positive"):
        SGDClassifier(learning_rate="constant", eta0=0.0).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="grew without bound"):
        SGDRegressor(learning_rate="constant", eta0=100.0, tol=None, max_iter=200).fit(X * 1e3, y)
    with pytest.raises(DataError, match="on the first call"):
        SGDClassifier().partial_fit(X, y)
    with pytest.raises(DataError, match="balanced"):
        SGDClassifier(class_weight="balanced").partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(AttributeError):
        SGDClassifier().fit(X, y).predict_proba(X)
