"""Helpers of transformers: names of columns, and joining blocks of columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.types import Data, is_sparse


def names_of_inputs(estimator: Estimator, input_features: npt.ArrayLike | None) -> list[str]:
    """Return the given names, checked against those seen in fit, which are the default."""
    check_is_fitted(estimator)
    owner = type(estimator).__name__
    count: int = estimator.n_features_in_
    seen = getattr(estimator, "feature_names_in_", None)
    if input_features is None:
        return [f"x{i}" for i in range(count)] if seen is None else [str(name) for name in seen]
    names = np.asarray(input_features, dtype=object)
    if seen is not None and not np.array_equal(names, seen):
        raise DataError(
            f"{owner}: input_features is not equal to feature_names_in_, the names seen in fit; "
            "give those, or None."
        )
    if len(names) != count:
        raise DataError(
            f"{owner}: input_features should have length equal to number of features "
            f"({count}); got {len(names)}."
        )
    return [str(name) for name in names]


def set_columns(estimator: Estimator, count: int, names: npt.NDArray[Any] | None) -> None:
    """Set the columns that an estimator is fitted to; None removes the names of an earlier fit."""
    estimator.n_features_in_ = count
    if names is None:
        estimator.__dict__.pop("feature_names_in_", None)
    else:
        estimator.feature_names_in_ = names


def as_names(names: Sequence[str]) -> npt.NDArray[Any]:
    """Return names as the array that scikit-learn's ``get_feature_names_out`` returns."""
    return np.asarray(names, dtype=object)


def join_columns(blocks: Sequence[Data]) -> Data:
    """Join blocks of columns; the result is sparse if the first block is."""
    if len(blocks) == 1:
        return blocks[0]
    if is_sparse(blocks[0]):
        return sp.csr_array(sp.hstack(blocks, format="csr"))
    return np.hstack(blocks)


def check_terms(model: Estimator, terms: Data) -> None:
    """Raise if products or sums of the columns of X overflow."""
    if not is_finite(terms):
        raise DataError(
            f"{type(model).__name__}: X must contain numbers whose products and sums are finite in "
            f"{terms.dtype}; got some that are not. Scale the columns, see "
            "sklearn.preprocessing.StandardScaler."
        )


def is_finite(terms: Data) -> bool:
    """Return whether products or sums of columns are finite, by one native pass.

    Examples
    --------
    >>> is_finite(np.array([[1.0, np.inf]]))
    False
    """
    values = terms.data if is_sparse(terms) else terms
    return _native.all_finite(values.ravel(order="K"))
