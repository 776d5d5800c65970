"""A weighted problem with columns of different scales."""

import numpy as np

from gramian.objectives import L2, LinearProblem, Poisson, Softmax, WeightedSum


def problem(loss, n=3000, d=6, seed=0, **settings):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.logspace(0, 2, d)
    if isinstance(loss, Softmax):
        y = (X @ rng.normal(size=(d, 4)) / 10 + rng.gumbel(size=(n, 4))).argmax(axis=1)
    else:
        z = X @ rng.normal(size=d) / 100
        y = rng.poisson(np.exp(z)) if isinstance(loss, Poisson) else (z > rng.logistic(size=n)) * 1
    return LinearProblem(X, y, loss, L2(0.0002), WeightedSum(rng.random(n) / n), **settings)
