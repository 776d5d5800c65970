"""Categorical columns as codes and as one-hot columns."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gramian.base.types import Floats


def learn_levels(labels: Sequence[str | None], most: int) -> tuple[list[str], bool]:
    """Return the most frequent levels in alphabetical order, and whether any was dropped.

    Examples
    --------
    >>> learn_levels(["b", "a", "b", None, "c", "a"], most=2)
    (['a', 'b'], True)
    """
    counts = Counter(label for label in labels if label is not None)
    common = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return sorted(level for level, _ in common[:most]), len(common) > most


def codes_of(labels: Sequence[str | None], levels: Sequence[str]) -> Floats:
    """Return the index of each label's level, the number of levels if unseen, NaN if missing."""
    place: dict[str | None, float] = {level: float(i) for i, level in enumerate(levels)}
    place[None] = np.nan
    unseen = float(len(levels))
    return np.array([place.get(label, unseen) for label in labels], dtype=np.float64)


def indicators_of(codes: Floats, n_levels: int, *, other: bool, missing: bool) -> Floats:
    """Return one-hot columns for each level, for rare and unseen levels, and for missing values."""
    columns = np.where(np.isnan(codes), n_levels + 1, codes).astype(np.intp)
    every = np.zeros((len(codes), n_levels + 2))
    every[np.arange(len(codes)), columns] = 1.0
    kept = [*range(n_levels), *([n_levels] if other else []), *([n_levels + 1] if missing else [])]
    return every[:, kept]
