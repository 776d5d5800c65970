"""The parameter ``cv=``, as accepted by scikit-learn's ``check_cv``, and the rows of each fold.

It is a number of folds, a splitter, an iterable of (train, test), or None for five folds. The folds
are made once per fit, so an iterable that can be read only once is allowed.
"""

from collections.abc import Mapping
from numbers import Integral
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import check_cv

from gramian.base.errors import DataError
from gramian.base.types import Data, RowNumbers, Weights

_NO_PARAMS: Mapping[str, Any] = {}


class IsSplitter:
    """Something that splits rows into training and test rows."""

    def accepts(self, value: object) -> bool:
        """Return whether it is a number of folds, a splitter, or an iterable of splits."""
        if isinstance(value, bool | str):  # str has a `split` method too
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
    split_params: Mapping[str, Any] = _NO_PARAMS,
    weights: Weights | None = None,
) -> list[tuple[RowNumbers, RowNumbers]]:
    """Return the indices of the training and test rows of every fold.

    `split_params` are further arguments of the splitter, such as ``groups``. With `weights`, some
    training and some test rows of every fold must have a positive weight.
    """
    try:
        made = check_cv(cv, y, classifier=classifier).split(X, y, **split_params)
        splits = [(_numbers(train), _numbers(test)) for train, test in made]
    except ValueError as error:
        raise DataError(f"{owner}: cv={cv!r} cannot split these rows: {error}") from None
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
    """Convert a mask to row indices; row indices are unchanged."""
    numbers = np.asarray(rows)
    return np.flatnonzero(numbers) if numbers.dtype == bool else numbers.astype(np.intp, copy=False)
