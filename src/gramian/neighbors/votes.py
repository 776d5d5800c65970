"""The weights of neighbours, and weighted votes."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Function
from gramian.base.inputs.targets import Codes
from gramian.base.types import Matrix
from gramian.neighbors.structures.radius_results import Indices, NeighborLists

WeightsField: TypeAlias = Literal["uniform", "distance"] | Function | None
Weighting: TypeAlias = str | Callable[..., Any] | None
Weights: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Votes(NamedTuple):
    """The votes for each class, (queries, classes) for each output."""

    counted: list[Weights]
    alone: npt.NDArray[np.bool_]  # queries without neighbours


def nearest_weights(weights: Weighting, distances: Matrix) -> Weights | None:
    """Return the weight of each of the k neighbours; None if all are equal.

    "distance" is 1 / d; if some distances are zero, these neighbours have weight 1, others 0.
    """
    if weights in (None, "uniform"):
        return None
    if callable(weights):
        try:
            given = np.asarray(weights(distances), dtype=np.float64)
        except (TypeError, ValueError):
            given = np.empty(0)
        if given.shape != distances.shape or np.isnan(given).any():
            raise ParameterError(
                "the function weights of KNeighborsClassifier, KNeighborsRegressor and the "
                "RadiusNeighbors estimators must return one number per distance, an array of "
                f"shape {distances.shape}."
            )
        return given
    with np.errstate(divide="ignore"):
        inverse = 1.0 / distances.astype(np.float64)
    infinite = np.isinf(inverse)
    return np.where(infinite.any(axis=1, keepdims=True), infinite, inverse)


def radius_weights(weights: Weighting, found: NeighborLists) -> Weights | None:
    """Return the weight of each neighbour within a radius, None if all are equal."""
    if weights in (None, "uniform"):
        return None
    ends = zip(found.offsets[:-1], found.offsets[1:], strict=True)
    each = [nearest_weights(weights, found.distances[None, a:b]) for a, b in ends]
    return np.concatenate([np.empty(0), *(w.ravel() for w in each if w is not None)])


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


def check_some_weight(owner: str, weights: Weights | None) -> None:
    """Raise if all neighbours of a query have weight zero."""
    if weights is not None and (weights == 0).all(axis=1).any():
        at = int(np.argmax((weights == 0).all(axis=1)))
        raise DataError(
            f"{owner}: All neighbors of some sample is getting zero weights. Please modify "
            "'weights' to avoid this case if you are using a user-defined function. The first is "
            f"query {at}."
        )


def check_codes(codes: Codes, classes: Any, several: bool) -> None:
    """Raise unless every code of an output belongs to one of its classes."""
    columns = codes.T if several else codes[None, :]
    for column, of_column in zip(columns, classes if several else [classes], strict=True):
        if column.dtype.kind not in "iu" or not 0 <= column.min() <= column.max() < len(of_column):
            raise DataError("a class code must be the index of a class.")


def proportions(votes: Weights) -> Weights:
    """Return votes divided by their sum; rows without votes stay zero."""
    total = votes.sum(axis=1, keepdims=True)
    p: Weights = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    return p
