"""Checks of points, queries and names for the textbook structures."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_finite
from gramian.base.types import Floats


def check_points(
    owner: str, X: npt.ArrayLike, columns: int | None = None, name: str = "points"
) -> Floats:
    """Return points as a float64 array; `columns` is the required number of columns."""
    points: Floats = translated(
        owner,
        name,
        lambda: check_array(X, dtype=np.float64, order="C", ensure_all_finite=False),
    )
    check_finite(owner, name, points)
    if columns is not None and points.shape[1] != columns:
        raise DataError(
            f"{owner}: {name} must have {columns} columns; got {points.shape[1]}. "
            "Pass the columns it was built from."
        )
    return points


def check_query(owner: str, q: npt.ArrayLike, columns: int) -> Floats:
    """Return one query as a float64 vector."""
    point = np.asarray(q, dtype=np.float64)
    if point.shape != (columns,) or not np.isfinite(point).all():
        raise DataError(
            f"{owner}: q must be one query of {columns} finite numbers; got {point!r}. "
            "Query one row at a time."
        )
    return point


def check_choice(owner: str, name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise unless a value is one of the names."""
    if value not in choices:
        named = ", ".join(map(repr, choices))
        raise ParameterError(f"{owner}: {name} must be one of {named}; got {value!r}.")


def check_count(owner: str, k: Any, n: int) -> int:
    """Check and return the number of neighbours, which must be between 1 and n."""
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or not 1 <= k <= n:
        raise ParameterError(
            f"{owner}: k must be an integer between 1 and {n}, the number of points; got {k!r}."
        )
    return int(k)
