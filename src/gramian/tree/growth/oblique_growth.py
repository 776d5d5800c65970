"""Growth of oblique trees: each node finds directions w, then the best threshold on w . x."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.randomness import stream
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats
from gramian.tree.growth.directions import Fit, random_directions
from gramian.tree.growth.grow import Targets
from gramian.tree.growth.python_growth import NodeList
from gramian.tree.growth.threshold_search import Split, best_split, root_arrays
from gramian.tree.structure.tree import Tree

_PROJECTION_BITS = 40  # significant bits of a projection: rounding must not separate equal rows
_MIN_RANGE = float(np.finfo(float).tiny)  # of a column in a direction: smaller numbers lose digits


class Sample(NamedTuple):
    """The rows of a node, their targets and their weights."""

    X: Floats
    targets: Targets
    weights: Floats

    def at(self, rows: npt.NDArray[Any]) -> "Sample":
        """Return the selected rows."""
        t = self.targets
        codes = None if t.codes is None else t.codes[rows]
        values = None if t.values is None else t.values[rows]
        return Sample(self.X[rows], t._replace(codes=codes, values=values), self.weights[rows])

    def contrasts(self) -> list[Floats]:
        """Return targets for linear models: each class against the others (1, -1), or y."""
        if self.targets.codes is None:
            return [np.asarray(self.targets.values)[:, 0]]
        codes = self.targets.codes[:, 0]
        present = np.unique(codes)
        chosen = present[1:] if len(present) == 2 else present
        return [np.where(codes == k, 1.0, -1.0) for k in chosen]


class Growth(NamedTuple):
    """Parameters of growth."""

    fit: Fit | None  # None for random directions
    n_candidates: int
    limit: int | None
    axis_parallel: bool
    max_depth: float
    min_samples_split: float
    options: _native.GrowOptions  # options of one split
    seed: int


def grow(sample: Sample, growth: Growth) -> tuple[Tree, Floats]:
    """Return a tree over projections and the directions W: feature j of the tree is X @ W[j]."""
    with one_blas_thread():  # small factorisations alternate with threshold searches
        return _grow(sample, growth)


def _grow(sample: Sample, growth: Growth) -> tuple[Tree, Floats]:
    nodes = NodeList()
    directions: list[Floats] = []
    nodes.add(root_arrays(sample.targets, sample.weights, growth.options), 0)
    waiting = [(0, sample, 0)]
    while waiting:
        node, node_rows, depth = waiting.pop()
        if depth >= growth.max_depth or node_rows.weights.sum() < growth.min_samples_split:
            continue
        if nodes.impurity(node) <= 0:
            continue
        best = _best_direction(node_rows, growth, node)
        if best is None:
            continue
        split, w, left = best
        first = nodes.size
        nodes.add(split.nodes, 1)
        nodes.add(split.nodes, 2)
        nodes.split(node, len(directions), split.threshold, first)
        directions.append(w)
        waiting += [
            (first + 1, node_rows.at(~left), depth + 1),
            (first, node_rows.at(left), depth + 1),
        ]
    W = np.array(directions).reshape(-1, sample.X.shape[1])
    if not directions:  # a tree has at least one column
        W = np.zeros((1, sample.X.shape[1]))
    return nodes.tree(len(W)), W


def _best_direction(
    sample: Sample, growth: Growth, node: int
) -> tuple[Split, Floats, npt.NDArray[np.bool_]] | None:
    """Scale the columns, compute candidate directions and return the best split over them."""
    X = sample.X
    reach = np.abs(X).max(axis=0)
    unit = np.where(reach > 0, reach, 1.0)  # so that squares neither overflow nor underflow
    proportion = sample.weights / sample.weights.sum()
    rows = X / unit
    rows = rows - proportion @ rows
    scale = np.sqrt(proportion @ rows**2)
    alive = np.flatnonzero(scale > 1e-12)
    if len(alive) == 0:
        return None
    usable = alive[reach[alive] > _MIN_RANGE]
    unit, scale = unit[usable], scale[usable]
    scaled = rows[:, usable] / scale
    rows = X[:, usable] / unit
    if len(usable) == 0:
        directions: Floats = np.empty((0, 0))
    elif growth.fit is None:
        rng = stream(growth.seed, node)
        directions = random_directions(rng, growth.n_candidates, len(usable), growth.limit)
    else:
        directions = _model_directions(sample._replace(X=scaled), growth, growth.fit)
    directions = directions[np.isfinite(directions).all(axis=1) & directions.any(axis=1)]
    candidates = directions / scale  # for scaled rows
    Z = _round_columns(rows @ candidates.T)
    if growth.axis_parallel:
        Z = np.concatenate([X[:, alive], Z], axis=1)
    if Z.shape[1] == 0:  # no direction, for example because the means are equal
        return None
    split = best_split(Z, sample.targets, sample.weights, growth.options)
    if split is None:
        return None
    n_axes = len(alive) if growth.axis_parallel else 0
    w = np.zeros(X.shape[1])
    if split.column < n_axes:
        w[alive[split.column]] = 1.0
    else:
        with np.errstate(over="ignore"):
            w[usable] = candidates[split.column - n_axes] / unit
        if not np.isfinite(w).all():  # too steep: w overflows
            return None
    return split, w, Z[:, split.column] <= split.threshold


def _round_columns(Z: Floats) -> Floats:
    """Round every column relative to its largest absolute value."""
    exponent = np.frexp(np.abs(Z).max(axis=0))[1] - _PROJECTION_BITS
    return np.asarray(np.ldexp(np.round(np.ldexp(Z, -exponent)), exponent))


def _model_directions(sample: Sample, growth: Growth, fit: Fit) -> Floats:
    """Return the directions of a linear model, one per contrast, on all or selected columns."""
    d = sample.X.shape[1]
    if growth.limit is None or growth.limit >= d:
        directions = [fit(sample.X, t, sample.weights) for t in sample.contrasts()]
    else:
        directions = [_select_forward(sample, t, growth, fit) for t in sample.contrasts()]
    return np.array(directions).reshape(-1, d)


def _select_forward(sample: Sample, contrast: Floats, growth: Growth, fit: Fit) -> Floats:
    """Select columns forward: add the column that gives the best split, up to the limit."""
    X = sample.X
    chosen: list[int] = []
    best, gain = np.zeros(X.shape[1]), 0.0
    for _ in range(growth.limit or 0):
        left = [j for j in range(X.shape[1]) if j not in chosen]
        trials = np.zeros((len(left), X.shape[1]))
        for trial, j in zip(trials, left, strict=True):
            trial[[*chosen, j]] = fit(X[:, [*chosen, j]], contrast, sample.weights)
        Z = _round_columns(X @ trials.T)
        split = best_split(Z, sample.targets, sample.weights, growth.options)
        if split is None or split.gain <= gain * (1 + 1e-9):
            break
        chosen, best, gain = [*chosen, left[split.column]], trials[split.column], split.gain
    return best
