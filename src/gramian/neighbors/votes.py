"""The weights of neighbours, and weighted votes."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Function
from gramian.base.inputs.targets import Codes
from gramian.base.types import Floats, Matrix
from gramian.neighbors.structures.radius_results import Indices, NeighborLists

WeightsField: TypeAlias = Literal["uniform", "distance"] | Function | None
Weighting: TypeAlias = str | Callable[..., Any] | None
Weights: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Votes(NamedTuple):
    """The votes for each class, (queries, classes) for each output."""

    counted: list[Weights]
    alone: npt.NDArray[np.bool_]  # queries without neighbours


def nearest_weights(
    owner: str, weights: Weighting, distances: Matrix, *, negative: bool, first: int = 0
) -> Weights | None:
    """Return the weight of each of the k neighbours; None if all are equal.

    "distance" is 1 / d; if some distances are zero, these neighbours have weight 1, others 0. The
    weights of a query are multiplied by a power of two, so that the largest is in [1, 2) and no
    sum overflows. `negative` says whether weights may be negative; the first row of distances
    belongs to query `first`.
    """
    if weights in (None, "uniform"):
        return None
    if callable(weights):
        return _function_weights(owner, weights, distances, negative, first)
    with np.errstate(divide="ignore", over="ignore"):
        inverse = 1.0 / distances.astype(np.float64)
    infinite = np.isinf(inverse)
    return _scaled(np.where(infinite.any(axis=1, keepdims=True), infinite, inverse))


def _function_weights(
    owner: str, weights: Callable[..., Any], distances: Matrix, negative: bool, first: int
) -> Weights:
    """Return the weights of a user's function, checked and scaled."""
    answer = weights(distances)
    try:
        returned = np.asarray(answer, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        returned = np.empty(0)
    if returned.shape != distances.shape or not np.isfinite(returned).all():
        raise ParameterError(
            f"{owner}: the function weights must return one finite number per distance, an array "
            f"of shape {distances.shape}."
        )
    if not negative and (returned < 0).any():
        raise ParameterError(
            f"{owner}: the function weights must return numbers >= 0; got {returned.min():g}."
        )
    scaled = _scaled(returned)
    no_sum = scaled.sum(axis=1) == 0
    if no_sum.any():
        raise DataError(
            f"{owner}: All neighbors of some sample is getting zero weights, or weights that sum "
            "to zero. Please modify 'weights' to avoid this case if you are using a user-defined "
            f"function. The first is query {first + int(np.argmax(no_sum))}."
        )
    return scaled


def _scaled(weights: Weights) -> Weights:
    """Multiply each row by the power of two that brings its largest size into [1, 2)."""
    exponents = np.frexp(np.abs(weights).max(axis=1, keepdims=True))[1]
    scaled: Weights = np.ldexp(weights, 1 - exponents)
    return scaled


def radius_weights(
    owner: str, weights: Weighting, found: NeighborLists, *, negative: bool
) -> Weights | None:
    """Return the weight of each neighbour within a radius, None if all are equal."""
    if weights in (None, "uniform"):
        return None
    each: list[Weights] = [np.empty((1, 0))]
    for query, (a, b) in enumerate(pairwise(found.offsets)):
        if a < b:
            distances = found.distances[None, a:b]
            of = nearest_weights(owner, weights, distances, negative=negative, first=query)
            assert of is not None
            each.append(of)
    return np.concatenate(each, axis=1).ravel()


def nearest_votes(codes: Codes, indices: Indices, weights: Weights | None, n: int) -> Weights:
    """Add up the weights of the k neighbours by their class code: (queries, n)."""
    votes = np.zeros((len(indices), n))
    rows = np.arange(len(indices))
    for j in range(indices.shape[1]):
        votes[rows, codes[indices[:, j]]] += 1.0 if weights is None else weights[:, j]
    return votes


def radius_votes(codes: Codes, found: NeighborLists, weights: Weights | None, n: int) -> Weights:
    """Add up the weights of the neighbours within a radius by their class code."""
    m = len(found.offsets) - 1
    queries = np.repeat(np.arange(m), np.diff(found.offsets))
    cells = queries * n + codes[found.indices]
    return np.bincount(cells, weights, minlength=m * n).reshape(m, n).astype(np.float64)


def check_codes(codes: Codes, classes: Any, several: bool) -> None:
    """Raise unless every code of an output belongs to one of its classes."""
    columns = codes.T if several else codes[None, :]
    for column, of_column in zip(columns, classes if several else [classes], strict=True):
        if column.dtype.kind not in "iu" or not 0 <= column.min() <= column.max() < len(of_column):
            raise DataError("class codes must be integer indices of the classes.")


def proportions(votes: Weights) -> Weights:
    """Return votes divided by their sum; rows without votes stay zero."""
    total: Floats = votes.sum(axis=1, keepdims=True)
    p: Weights = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    return p
