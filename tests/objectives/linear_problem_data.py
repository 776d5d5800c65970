"""Rows, targets of every kind, and the smooth losses that take them."""

import numpy as np

from gramian.objectives import (
    Logistic,
    Poisson,
    SigmoidLoss,
    Softmax,
    SquaredError,
    SquaredHinge,
)

N, D = 12, 3


RNG = np.random.default_rng(3)


X = RNG.normal(size=(N, D)) * (RNG.random((N, D)) < 0.7)


Y = {
    "real": RNG.normal(size=N),
    "unit": RNG.random(N),
    "sign": np.where(RNG.random(N) < 0.5, -1.0, 1.0),
    "count": RNG.poisson(2.0, N).astype(float),
    "classes": np.arange(N) % 3,
    "several": RNG.normal(size=(N, 2)),
    "soft": RNG.dirichlet([1.0, 1.0, 1.0], N),
}


SMOOTH = [
    (SquaredError(), "real"),
    (Logistic(), "unit"),
    (Poisson(), "count"),
    (SquaredHinge(), "sign"),
    (Softmax(), "classes"),
    (Softmax(), "soft"),
    (SigmoidLoss(SquaredError()), "unit"),
]
