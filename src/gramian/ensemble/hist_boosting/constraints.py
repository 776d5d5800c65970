"""Constraints on boosted trees: monotonicity and interactions."""

from itertools import combinations
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError


def monotone_signs(
    value: Any, n_columns: int, names: npt.NDArray[Any] | None, owner: str
) -> npt.NDArray[np.int8]:
    """Return +1 (increasing), -1 (decreasing) or 0 for each feature."""
    signs = np.zeros(n_columns, dtype=np.int8)
    if value is None:
        return signs
    if isinstance(value, dict):
        known = [] if names is None else list(names)
        for name, sign in value.items():
            if name not in known:
                raise ParameterError(
                    f"{owner}: monotonic_cst names {name!r}, which is not a column of X; "
                    + (f"the columns are {known[:10]}." if known else "X has no column names.")
                )
            if sign not in (-1, 0, 1):
                raise ParameterError(
                    f"{owner}: monotonic_cst must be -1, 0 or 1; got {sign!r} for {name!r}."
                )
            signs[known.index(name)] = sign
        return signs
    values = np.asarray(value)
    if values.shape != (n_columns,):
        raise ParameterError(
            f"{owner}: monotonic_cst must have one entry for each of the {n_columns} columns; got "
            f"shape {values.shape}."
        )
    if not np.isin(values, (-1, 0, 1)).all():
        raise ParameterError(
            f"{owner}: monotonic_cst must contain only -1, 0 and 1; got {value!r}."
        )
    return values.astype(np.int8)


def interaction_sets(
    value: Any, n_columns: int, owner: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the sets of features that may interact, as starts and members; empty if unlimited.

    Features in none of the sets form one more set.
    """
    if value is None:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
    sets: list[set[int]]
    if isinstance(value, str):
        if value not in ("pairwise", "no_interactions"):
            raise ParameterError(
                f"{owner}: interaction_cst must be 'pairwise', 'no_interactions' or sets of column "
                f"indices; got {value!r}."
            )
        size = min(2 if value == "pairwise" else 1, n_columns)
        sets = [set(c) for c in combinations(range(n_columns), size)]
    else:
        try:
            sets = [{index(j) for j in group} for group in value]
        except (TypeError, ValueError):
            raise ParameterError(
                f"{owner}: interaction_cst must contain sets of integer column indices; got "
                f"{value!r}."
            ) from None
        named = set().union(*sets)
        if not named <= set(range(n_columns)):
            raise ParameterError(
                f"{owner}: interaction_cst must refer to columns 0 to {n_columns - 1}; got "
                f"{sorted(named)}."
            )
        if rest := set(range(n_columns)) - named:
            sets.append(rest)
    starts = np.cumsum([0, *map(len, sets)], dtype=np.int64)
    return starts, np.array([j for s in sets for j in sorted(s)], dtype=np.int32)
