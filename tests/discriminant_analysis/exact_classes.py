"""Posteriors of Gaussian classes in fifty digits, and rows far from 0 or of scales far apart."""

import mpmath as mp
import numpy as np

LAYOUTS = {  # the scales of the columns, and what is added to them
    "plain": ([1.0, 1.0, 1.0], 0.0),
    "far from 0": ([1.0, 1.0, 1.0], 1e6),
    "large and small": ([1e-6, 1.0, 1e6], 0.0),
    "small": ([1e-6, 1e-6, 1e-6], 0.0),
    "large": ([1e6, 1e6, 1e6], 1e6),
}


def layout(name, n_classes, seed=0):
    """Rows, labels, positive weights and unequal priors."""
    rng = np.random.default_rng(seed)
    scales, offset = LAYOUTS[name]
    y = np.arange(24) % n_classes
    means = 0.8 * rng.normal(size=(n_classes, 3))
    X = rng.normal(size=(24, 3)) @ (np.eye(3) + 0.4 * rng.normal(size=(3, 3))) + means[y]
    priors = np.arange(1.0, n_classes + 1)
    return X * scales + offset, y, rng.uniform(0.5, 2, 24), priors / priors.sum()


def exact_posteriors(X, y, weights, priors, shrinkage, *, pooled, reg_param=0.0):
    """The posteriors of the rows that the classes are estimated from."""
    with mp.workdps(50):
        d, K = X.shape[1], int(y.max()) + 1
        table = [[mp.mpf(float(x)) for x in row] for row in X]
        w = [mp.mpf(float(v)) for v in weights]
        means, covariances, totals = [], [], []
        for k in range(K):
            held = np.flatnonzero(y == k).tolist()
            total = sum(w[i] for i in held)
            mean = [sum(w[i] * table[i][j] for i in held) / total for j in range(d)]
            S = mp.zeros(d)
            for i in held:
                away = mp.matrix([table[i][j] - mean[j] for j in range(d)])
                S += w[i] / total * away * away.T
            if shrinkage == "auto":
                S = _ledoit_wolf([table[i] for i in held], mean, S)
            elif shrinkage:
                S = _shrunken(S, mp.mpf(shrinkage))
            S = (1 - mp.mpf(reg_param)) * S + mp.mpf(reg_param) * mp.eye(d)
            means.append(mean)
            covariances.append(S)
            totals.append(total)
        P = totals if priors is None else [mp.mpf(float(p)) for p in priors]
        P = [p / sum(P) for p in P]
        if pooled:
            shared = mp.zeros(d)
            for p, S in zip(P, covariances, strict=True):
                shared += p * S
            covariances = [shared] * K
        inverses = [S**-1 for S in covariances]
        logs = [mp.log(p) - mp.log(mp.det(S)) / 2 for p, S in zip(P, covariances, strict=True)]
        out = np.empty((len(X), K))
        for i, row in enumerate(table):
            scores = []
            for mean, T, log in zip(means, inverses, logs, strict=True):
                away = mp.matrix([a - b for a, b in zip(row, mean, strict=True)])
                scores.append(log - (away.T * T * away)[0] / 2)
            sizes = [mp.exp(s - max(scores)) for s in scores]
            out[i] = [float(s / sum(sizes)) for s in sizes]
        return out


def _shrunken(S, shrinkage):
    mean = sum(S[j, j] for j in range(len(S))) / len(S)
    return (1 - shrinkage) * S + shrinkage * mean * mp.eye(len(S))


def _ledoit_wolf(rows, mean, S):
    """The shrinkage of Ledoit and Wolf (2004) for standardised columns."""
    n, d = len(rows), len(mean)
    scale = mp.diag([mp.sqrt(S[j, j]) for j in range(d)])
    R = scale**-1 * S * scale**-1
    spread = R - mp.eye(d)
    delta = sum(v**2 for v in spread) / d
    squares = [
        sum((x - m) ** 2 / S[j, j] for j, (x, m) in enumerate(zip(row, mean, strict=True)))
        for row in rows
    ]
    beta = (sum(s**2 for s in squares) / n - sum(v**2 for v in R)) / (n * d)
    return scale * _shrunken(R, min(beta, delta) / delta) * scale
