"""The best threshold on any of several columns, for trees that compute columns at each node.

It uses the native split search: a tree with one split is grown on the columns.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.tree.growth.grow import Targets, arrays_of

Criterion: TypeAlias = str | Callable[[Floats], Floats]  # a name, or a function of class weights
Nodes: TypeAlias = dict[str, npt.NDArray[Any]]  # the arrays of `Tree`

# A gain must exceed this proportion of the impurity, so that rounding errors make no splits.
_SLACK = 1e-9


class Split(NamedTuple):
    """A split: rows with column <= threshold go to the first child."""

    gain: float
    column: int
    threshold: float
    nodes: Nodes  # the node and its two children


def split_options(criterion: Criterion, least: float) -> _native.GrowOptions:
    """Return the options of one split: its criterion, and the minimum weight of a child."""
    options = _native.GrowOptions()
    if callable(criterion):
        options.criterion = _native.TreeCriterion.function
        options.set_function(criterion)
    else:
        options.criterion = getattr(_native.TreeCriterion, criterion)
    options.max_depth = 1
    options.min_weight_leaf = least * (1 - 1e-12)
    return options


def root_arrays(targets: Targets, weights: Floats, options: _native.GrowOptions) -> Nodes:
    """Return the arrays of a tree with one leaf."""
    depth, options.max_depth = options.max_depth, 0
    nodes = _grown(np.zeros((len(weights), 1)), targets, weights, options)
    options.max_depth = depth
    return nodes


def best_split(
    Z: Floats, targets: Targets, weights: Floats, options: _native.GrowOptions
) -> Split | None:
    """Return the split on a column of Z that lowers the criterion most; None if none does.

    Ties up to rounding go to the first column, so a weight has the same effect as copies of a row.
    """
    best = _best_of(Z, targets, weights, options)
    while best is not None and best.column > 0:
        earlier = _best_of(Z[:, : best.column], targets, weights, options)
        if earlier is None or earlier.gain < best.gain - _SLACK * best.nodes["impurity"][0]:
            break
        best = earlier
    return best


def _best_of(
    Z: Floats, targets: Targets, weights: Floats, options: _native.GrowOptions
) -> Split | None:
    nodes = _grown(np.ascontiguousarray(Z), targets, weights, options)
    if len(nodes["kind"]) == 1:
        return None
    whole = float(nodes["impurity"][0])
    gain = whole - float(nodes["weight"][1:] @ nodes["impurity"][1:] / nodes["weight"][0])
    if gain <= _SLACK * whole:
        return None
    return Split(gain, int(nodes["feature"][0]), float(nodes["threshold"][0]), nodes)


def _grown(Z: Floats, targets: Targets, weights: Floats, options: _native.GrowOptions) -> Nodes:
    options.max_features = Z.shape[1]
    columns = _native.TreeColumns(Z, np.zeros(Z.shape[1], dtype=np.int32))
    grown = _native.grow_tree(columns, targets.native(weights), options, 0, alone=True)
    return arrays_of(grown, targets, options)
