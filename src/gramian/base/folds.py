"""The parameter ``cv=``: what scikit-learn's ``check_cv`` takes, and the rows of each fold.

It is a number of folds, a splitter, an iterable of (train, test), or None for five folds. The folds
are made once per fit, so that an iterable that can be read once will do.
"""

from collections.abc import Mapping
from numbers import Integral
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import check_cv

from gramian.base.errors import DataError
from gramian.base.types import Data, RowNumbers, Weights

_NOTHING: Mapping[str, Any] = {}


class IsSplitter:
    """Something that splits rows into training and test rows."""

    def accepts(self, value: object) -> bool:
        """Tell whether it is a number of folds, a splitter, or an iterable of splits."""
        if isinstance(value, bool | str):  # text has a `split` too
            return False
        if isinstance(value, Integral):
            return int(value) >= 2
        return hasattr(value, "split") or hasattr(value, "__iter__")

    def __str__(self) -> str:
        return "an integer >= 2, a splitter or an iterable of (train, test)"


Folds: TypeAlias = Annotated[Any, IsSplitter()]
Splits: TypeAlias = Folds | None


def check_splits(
    owner: str,
    cv: Any,
    X: Data,
    y: npt.NDArray[Any],
    *,
    classifier: bool,
    more: Mapping[str, Any] = _NOTHING,
    weights: Weights | None = None,
) -> list[tuple[RowNumbers, RowNumbers]]:
    """Return the numbers of the training and test rows of every fold.

    `more` are further arguments of the splitter, as the groups of the rows. If there are `weights`,
    some training and some test rows of every fold must have a positive one.
    """
    try:
        made = check_cv(cv, y, classifier=classifier).split(X, y, **more)
        splits = [(_numbers(train), _numbers(test)) for train, test in made]
    except ValueError as error:
        raise DataError(f"{owner}: cv={cv!r} does not suit the rows: {error}") from None
    if weights is not None:
        for fold, (train, test) in enumerate(splits):
            for part, rows in (("training", train), ("test", test)):
                if not weights[rows].any():
                    raise DataError(
                        f"{owner}: sample_weight is 0 for all {part} rows of fold {fold}; give "
                        "more rows a positive weight, or use another cv."
                    )
    return splits


def _numbers(rows: npt.ArrayLike) -> RowNumbers:
    """Return row numbers, which may be given as a mask."""
    given = np.asarray(rows)
    return np.flatnonzero(given) if given.dtype == bool else given.astype(np.intp, copy=False)
