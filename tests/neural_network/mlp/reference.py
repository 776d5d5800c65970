"""A network written the obvious way: the judge of the native one."""

import numpy as np
from scipy.special import expit, logsumexp, softmax

from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.initialization import initial_parameters
from gramian.neural_network.mlp.network import Network

ACTIVATIONS = {
    "identity": (lambda z: z, lambda h: np.ones_like(h)),
    "logistic": (expit, lambda h: h * (1 - h)),
    "tanh": (np.tanh, lambda h: 1 - h**2),
    "relu": (lambda z: np.maximum(z, 0), lambda h: (h > 0).astype(float)),
}


def targets(rows: Examples, units: int) -> np.ndarray:
    """The matrix of targets."""
    if rows.values is not None:
        return rows.values
    classes = np.arange(1, 2) if units == 1 else np.arange(units)
    return np.where(rows.codes[:, None] == classes, rows.high, rows.low)


def loss_and_gradient(network, vector, X, Y, weights, alpha):
    """Backpropagation in the textbook's order; mean loss with penalty, and its gradient."""
    layers = network.split(vector)
    w = np.ones(len(X)) if weights is None else weights
    total = w.sum()
    h = [X]
    for W, b, f in zip(layers.coefs[:-1], layers.intercepts[:-1], network.activations, strict=True):
        h.append(ACTIVATIONS[f][0](h[-1] @ W + b))
    z = h[-1] @ layers.coefs[-1] + layers.intercepts[-1]
    if network.output == "softmax":
        each, d = logsumexp(z, axis=1) - (Y * z).sum(axis=1), softmax(z, axis=1) - Y
    elif network.output == "logistic":
        each, d = (np.logaddexp(0, z) - Y * z).sum(axis=1), expit(z) - Y
    else:
        each, d = ((z - Y) ** 2).sum(axis=1) / 2, z - Y
    value = float(w @ each / total) + alpha / 2 / total * sum((W**2).sum() for W in layers.coefs)
    d = d * (w / total)[:, None]
    gradient = np.empty_like(vector)
    of = network.split(gradient)
    for i in reversed(range(len(layers.coefs))):
        of.coefs[i][...] = h[i].T @ d + alpha / total * layers.coefs[i]
        of.intercepts[i][...] = d.sum(axis=0)
        if i > 0:
            d = (d @ layers.coefs[i].T) * ACTIVATIONS[network.activations[i - 1]][1](h[i])
    return value, gradient


def random_rows(network: Network, n: int, seed: int = 0, dtype=float, weighted=True) -> Examples:
    """Rows with targets that fit the outputs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, network.widths[0])).astype(dtype)
    units = network.widths[-1]
    weights = rng.uniform(0.5, 2, n) if weighted else None
    if network.output == "softmax" or (network.output == "logistic" and units == 1):
        codes = rng.integers(0, max(2, units), n).astype(np.int32)
        return Examples(X, codes, None, 0.95, 0.05 / max(1, units - 1), weights)
    draw = {
        "logistic": lambda: rng.integers(0, 2, (n, units)),
        "poisson": lambda: rng.poisson(2, (n, units)),
        "squared_logistic": lambda: rng.uniform(size=(n, units)),
        "squared": lambda: rng.normal(size=(n, units)),
    }
    return Examples(X, None, draw[network.output]().astype(dtype), weights=weights)


def started(network: Network, optimizer="none", dtype=float, seed=1, mask=None) -> Descent:
    """A network with random weights and intercepts."""
    rng = np.random.default_rng(seed)
    vector = initial_parameters(network, "xavier", rng, float)
    vector += 0.1 * rng.normal(size=vector.shape)
    return Descent.begin(network, vector.astype(dtype), optimizer, mask)


def one_epoch(descent: Descent, steps: Steps, rows: Examples, rate: float = 0.05):
    """The rows in their order."""
    order = np.arange(len(rows), dtype=np.int32)
    return descent.epoch(steps, rate, rows, order, rows.weights)
