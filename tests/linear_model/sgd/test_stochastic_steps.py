"""Single steps and epochs of stochastic gradient descent."""

import numpy as np
import pytest
import scipy.sparse as sp

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
from tests.linear_model.sgd.sgd_data import rows


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
def test_an_epoch_equals_the_textbook_loop(name, form):
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


def test_the_l1_penalty_is_applied_by_clipping_at_zero():
    """Tsuruoka, Tsujii and Ananiadou 2009, with what each weight still owes."""
    X, y = rows()
    steps = steps_of("hinge", l1_ratio=1.0, alpha=0.05, average_from=1.0)
    order = np.arange(len(y), dtype=np.int32)
    steps.epoch(X, y, None, order)
    w, b, due, applied, kept = np.zeros(4), 0.0, 0.0, np.zeros(4), []
    for t, i in enumerate(order, start=1):
        eta = 0.1 / np.sqrt(t)
        if y[i] * (X[i] @ w + b) < 1:
            w, b = w + eta * y[i] * X[i], b + eta * y[i]
        due += eta * 0.05
        for j in range(4):
            before = w[j]
            if w[j] > 0:
                w[j] = max(0, w[j] - (due + applied[j]))
            elif w[j] < 0:
                w[j] = min(0, w[j] + (due - applied[j]))
            applied[j] += w[j] - before
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
def test_passive_aggressive_steps_correct_the_row(rate, length):
    """Crammer et al. 2006: loss / |x|^2, at most C; or loss / (|x|^2 + 1 / (2 C))."""
    X, y = rows()
    steps = steps_of("hinge", rate=rate, eta0=0.05 if rate == "pa1" else 2.0, alpha=0.0)
    steps.epoch(X, y, None, np.arange(1, dtype=np.int32))
    square = X[0] @ X[0]
    tau = min(1 / square, 0.05) if length else 1 / (square + 1 / 4)
    np.testing.assert_allclose(steps.w, tau * y[0] * X[0])
