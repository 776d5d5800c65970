"""Growth of oblique trees: at each node candidates for w, then the best threshold on w . x."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.trees.directions import fit_of, random_directions
from gramian.trees.impurity import Impurity
from gramian.trees.python_growth import NodeList
from gramian.trees.scan import Split, best_class_split, best_number_split
from gramian.trees.tree import Tree

Floats: TypeAlias = npt.NDArray[np.float64]


class Targets(NamedTuple):
    """What is predicted: one-hot rows of classes or one column of numbers, and the weights."""

    y: Floats
    weights: Floats
    impurity: Impurity | None  # None for numbers

    def at(self, rows: npt.NDArray[np.intp]) -> "Targets":
        """Return the targets of some rows."""
        return Targets(self.y[rows], self.weights[rows], self.impurity)

    def value(self) -> Floats:
        """Return the shares of the classes, or the mean."""
        return np.asarray(self.weights @ self.y / self.weights.sum())

    def spread(self) -> float:
        """Return the impurity, or the variance."""
        if self.impurity is not None:
            return float(self.impurity(self.value()))
        return float(self.weights @ (self.y[:, 0] - self.value()[0]) ** 2 / self.weights.sum())

    def best(self, Z: Floats, least: float) -> Split | None:
        """Return the best threshold on any column of Z."""
        if self.impurity is not None:
            return best_class_split(Z, self.y * self.weights[:, None], self.impurity, least)
        return best_number_split(Z, self.y[:, 0], self.weights, least)

    def contrasts(self) -> list[Floats]:
        """Return targets for linear models: each class against the others (1, -1), or y."""
        if self.impurity is None:
            return [self.y[:, 0]]
        present = np.flatnonzero(self.y.any(axis=0))
        chosen = present[1:] if len(present) == 2 else present
        return [2 * self.y[:, k] - 1 for k in chosen]


class Growth(NamedTuple):
    """The settings of growth."""

    split: Any
    n_candidates: int
    limit: int | None
    axis_parallel: bool
    max_depth: float
    min_samples_split: float
    min_samples_leaf: float
    seed: int


def grow(X: Floats, targets: Targets, growth: Growth) -> tuple[Tree, Floats]:
    """Return a tree over projections, and the directions: column j of the tree is X @ W[j]."""
    nodes = NodeList(0)
    directions: list[Floats] = []
    whole = np.arange(len(X))
    nodes.add(len(X), float(targets.weights.sum()), targets.spread(), targets.value()[None])
    waiting = [(0, whole, 0)]
    while waiting:
        node, rows, depth = waiting.pop(0)
        here = targets.at(rows)
        if depth >= growth.max_depth or here.weights.sum() < growth.min_samples_split:
            continue
        if here.spread() <= 0:
            continue
        found = _best_direction(X[rows], here, growth, node)
        if found is None:
            continue
        split, w = found
        left = X[rows] @ w <= split.threshold
        children = [rows[left], rows[~left]]
        if min(map(len, children)) == 0:  # a threshold between two roundings of one number
            continue
        first = len(nodes.rows)
        for part in children:
            below = targets.at(part)
            value = below.value()[None]
            nodes.add(len(part), float(below.weights.sum()), below.spread(), value)
        nodes.split(node, len(directions), split.threshold, first)
        directions.append(w)
        waiting += [(first, children[0], depth + 1), (first + 1, children[1], depth + 1)]
    n_features = max(len(directions), 1)
    values = nodes.tree(n_features)
    W = np.array(directions).reshape(-1, X.shape[1]) if directions else np.zeros((1, X.shape[1]))
    return values, W


def _best_direction(
    X: Floats, targets: Targets, growth: Growth, node: int
) -> tuple[Split, Floats] | None:
    """Scale the columns, gather candidates for w and take the best of all thresholds."""
    scale = X.std(axis=0)
    scale[scale <= 1e-12 * np.abs(X).max(axis=0, initial=0.0)] = 0.0
    alive = np.flatnonzero(scale)
    if len(alive) == 0:
        return None
    scaled = (X[:, alive] - X[:, alive].mean(axis=0)) / scale[alive]
    if growth.split == "random":
        rng = stream(growth.seed, node)
        found = random_directions(rng, growth.n_candidates, len(alive), growth.limit)
    else:
        found = _fitted(scaled, targets, growth)
    found = found[np.isfinite(found).all(axis=1) & found.any(axis=1)]
    candidates = np.zeros((len(found), X.shape[1]))
    candidates[:, alive] = found / scale[alive]
    if growth.axis_parallel:
        candidates = np.concatenate([np.eye(X.shape[1])[alive], candidates])
    split = targets.best(X @ candidates.T, growth.min_samples_leaf)
    return None if split is None else (split, candidates[split.column])


def _fitted(X: Floats, targets: Targets, growth: Growth) -> Floats:
    """Directions of a linear model, one per contrast, along all columns or the chosen few."""
    fit = fit_of(growth.split)
    contrasts = targets.contrasts()
    if growth.limit is None or growth.limit >= X.shape[1]:
        return np.array([fit(X, t, targets.weights) for t in contrasts])
    return np.array([_stepwise(X, t, targets, growth, fit) for t in contrasts])


def _stepwise(X: Floats, contrast: Floats, targets: Targets, growth: Growth, fit: Any) -> Floats:
    """Forward selection: add the column whose split with those chosen is best, up to the limit."""
    chosen: list[int] = []
    best, gain = np.zeros(X.shape[1]), 0.0
    for _ in range(growth.limit or 0):
        trials = []
        for j in set(range(X.shape[1])) - set(chosen):
            w = np.zeros(X.shape[1])
            w[[*chosen, j]] = fit(X[:, [*chosen, j]], contrast, targets.weights)
            split = targets.best((X @ w)[:, None], growth.min_samples_leaf)
            trials.append((split.gain if split else -1.0, -j, w))
        top, minus_j, w = max(trials, key=lambda trial: trial[:2])
        if top <= gain + 1e-12:
            break
        chosen, best, gain = [*chosen, -minus_j], w, top
    return best
