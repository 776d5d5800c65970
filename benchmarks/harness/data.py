"""Seeded data. Everything is drawn in float64 and cast once, so dtypes share their points."""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import numpy as np


def blobs(n, d, k, *, spread=3.0, box=10.0, dtype="float64", seed=0):
    """n points of k Gaussian blobs: centres uniform in [-box, box]^d, standard deviation spread."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-box, box, size=(k, d))
    X = rng.normal(0.0, spread, size=(n, d))
    X += centers[rng.integers(k, size=n)]
    return X.astype(dtype, copy=False)


def noise(n, d, *, dtype="float64", seed=0):
    """n points uniform in the unit cube, without structure that pruning could use."""
    return np.random.default_rng(seed).uniform(size=(n, d)).astype(dtype, copy=False)


def cloud(n, d, *, dtype="float64", seed=0):
    """n points of the standard normal distribution."""
    return np.random.default_rng(seed).standard_normal((n, d)).astype(dtype, copy=False)


def tab(n, d, *, dtype="float32", seed=0):
    """A table with interactions, noise and uninformative columns: X and a numeric target.

    y = x0 x1 + sin(2 x2) + [x3 > 1/2] x4 + x5 / 2 + noise; its sign makes two classes.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + (X[:, 3] > 0.5) * X[:, 4] + 0.5 * X[:, 5]
    y += rng.standard_normal(n)
    return X.astype(dtype, copy=False), y


def first_and_rest(X, y, n):
    """Return the first n rows for fitting, and the others for evaluation."""
    return X[:n].copy(), y[:n].copy(), X[n:].copy(), y[n:].copy()


def tab_numeric(*, n, d, held_out=10_000):
    """n rows of `tab` with the numeric target, and rows held out."""
    return first_and_rest(*tab(n + held_out, d), n)


def tab_classes(*, n, d, held_out=10_000):
    """n rows of `tab` with two classes, the sign of the target, and rows held out."""
    X, y = tab(n + held_out, d)
    return first_and_rest(X, (y > 0).astype(np.int64), n)


def real_table(name, *, n, dtype="float64"):
    """At most n rows of a table of GRAMIAN_DATA in a seeded order: columns, and the labels."""
    with gzip.open(Path(os.environ["GRAMIAN_DATA"]) / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    order = np.random.default_rng(0).permutation(len(rows))[:n]
    X = np.array([row[:-1] for row in rows], dtype=dtype)[order]
    return X, np.array([row[-1] for row in rows])[order]
