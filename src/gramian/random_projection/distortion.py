"""Distortion of the distances of points by a map."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_array

from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import LARGEST
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats, Table


class Distortion(NamedTuple):
    """Ratios of distances after and before a map.

    Attributes
    ----------
    ratios
        Distance after divided by distance before, for each pair of distinct points.
    least, largest, mean
        Minimum, maximum and mean of the ratios.
    within
        Fraction of squared ratios within 1 +- eps.
    """

    ratios: Floats
    least: float
    largest: float
    mean: float
    within: float


def distortion(
    X: Table, Z: Any, *, eps: float = 0.1, most: int = 1000, random_state: object = 0
) -> Distortion:
    """Compare the distances of rows with those of their images.

    Parameters
    ----------
    X
        Rows, array or CSR (n, d).
    Z
        The projected rows (n, k), as from ``transform``.
    eps
        Relative change of a squared distance that counts as small.
    most
        Maximum number of rows compared; a random sample if there are more.
    random_state
        Seed or generator for the sample.

    Examples
    --------
    >>> X = np.eye(4)
    >>> found = distortion(X, 2 * X)
    >>> found.least, found.largest, found.within
    (2.0, 2.0, 0.0)
    """
    if not eps >= 0:
        raise ParameterError(f"distortion: eps must be a number >= 0; got {eps!r}.")
    before, after = _rows("X", X), _rows("Z", Z)
    n = before.shape[0]
    if n != after.shape[0] or n < 2:
        raise DataError(
            f"distortion: X and Z must have the same number of rows, at least 2; got {n} "
            f"and {after.shape[0]}."
        )
    if n > most:
        rows = stream(seed_of(random_state)).choice(n, most, replace=False)
        before, after = before[rows], after[rows]
    pairs = np.triu_indices(before.shape[0], 1)
    old, new = pairwise_distances(before)[pairs], pairwise_distances(after)[pairs]
    if not (old > 0).any():
        raise DataError("distortion: all rows compared are equal; pass distinct rows.")
    ratios = new[old > 0] / old[old > 0]
    within = float(np.mean(np.abs(ratios**2 - 1) <= eps))
    return Distortion(
        ratios, float(ratios.min()), float(ratios.max()), float(ratios.mean()), within
    )


def _rows(name: str, X: Table) -> Any:
    """Check rows and return them in a form that has distances."""
    rows = translated(
        "distortion",
        name,
        lambda: check_array(X, accept_sparse="csr", dtype=np.float64, input_name=name),
    )
    values = rows.data if sp.issparse(rows) else rows
    if np.abs(values).max(initial=0.0) > LARGEST:
        raise DataError(
            f"distortion: {name} must be at most {LARGEST:g} in size, so that sums of "
            f"squares stay finite. Divide X and Z by a constant."
        )
    return rows
