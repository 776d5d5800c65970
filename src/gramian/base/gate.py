"""The gate: the first line of a public method checks its arrays here; nothing below checks again.

scikit-learn's ``validate_data`` does the conversions (frames, lists, sparse matrices, feature
names); the values are checked by one threaded native pass; every message names the estimator,
what it found and what to do.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.fields import check_params

Matrix: TypeAlias = npt.NDArray[np.floating[Any]]
Data: TypeAlias = Any  # a Matrix or a CSR array; the two share shape, dtype and row slices
Weights: TypeAlias = npt.NDArray[np.float64]

_FLOATS = [np.float64, np.float32]
_T = TypeVar("_T")


def check_fit(estimator: BaseEstimator, X: npt.ArrayLike, *, rows: int = 1, sparse: bool = False, nan: bool = False) -> Data:
    """Check parameters and training data; remember the number and names of the columns.

    Returns a C-contiguous float array, or a canonical CSR array where `sparse` allows one.
    float32 stays float32; everything else becomes float64.
    """
    check_params(estimator)
    X = _check_table(estimator, X, reset=True, sparse=sparse, nan=nan)
    check_rows(estimator, X.shape[0], rows)
    return X


def check_new(estimator: BaseEstimator, X: npt.ArrayLike, *, sparse: bool = False, nan: bool = False, dtype: Any = None) -> Data:
    """Check data given to a fitted estimator: same columns as in fit.

    With `dtype`, the array comes back in that type, so that new data meets fitted arrays of
    one type.
    """
    check_is_fitted(estimator)
    return _check_table(estimator, X, reset=False, sparse=sparse, nan=nan, dtype=dtype)


def check_chunk(estimator: BaseEstimator, X: npt.ArrayLike, *, first: bool, sparse: bool = False, dtype: Any = None) -> Data:
    """Check one chunk of training data; the first chunk fixes the columns (and parameters)."""
    if first:
        check_params(estimator)
    return _check_table(estimator, X, reset=first, sparse=sparse, nan=False, dtype=dtype)


def check_weights(estimator: BaseEstimator, sample_weight: npt.ArrayLike | None, n_samples: int) -> Weights | None:
    """Return the weights as float64, or None where all rows count alike."""
    if sample_weight is None:
        return None
    name = type(estimator).__name__
    if isinstance(sample_weight, int | float):
        sample_weight = np.full(n_samples, float(sample_weight))
    weights = _translated(name, "sample_weight", lambda: check_array(sample_weight, dtype=np.float64, ensure_2d=False, ensure_all_finite=False, order="C", ensure_min_samples=0))
    if weights.ndim != 1:
        raise DataError(f"{name}: sample_weight: Sample weights must be 1D array or scalar; got {weights.ndim} dimensions.")
    if len(weights) != n_samples:
        raise DataError(f"{name}: sample_weight.shape == {weights.shape}, expected {(n_samples,)}; give one weight per row of X.")
    check_finite(name, "sample_weight", weights)
    if (weights < 0).any():
        at = int(np.argmax(weights < 0))
        raise DataError(f"{name}: sample_weight must not be negative; got {weights[at]:g} at row {at}. Drop such rows or give them weight 0.")
    if not weights.any():
        raise DataError(f"{name}: every sample_weight is zero; at least one weight must be positive.")
    return weights


def check_rows(estimator: BaseEstimator, n_samples: int, wanted: int, parameter: str = "") -> None:
    """Raise unless there are at least `wanted` rows; `parameter` names what asks for them."""
    if n_samples < wanted:
        name = type(estimator).__name__
        if parameter:
            raise DataError(f"{name}: n_samples={n_samples} is less than {parameter}={wanted}; lower {parameter} or give more rows.")
        raise DataError(f"{name}: X has n_samples={n_samples} while a minimum of {wanted} is required; give more rows.")


def check_finite(owner: str, array: str, values: npt.NDArray[np.floating[Any]], *, nan: bool = False) -> None:
    """Raise if an array holds infinity, or NaN where that is not allowed."""
    if _native.all_finite(values.reshape(-1)):
        return
    bad = np.isinf(values) if nan else ~np.isfinite(values)
    if not bad.any():
        return
    where = np.argwhere(bad)
    first = tuple(int(i) for i in where[0])
    is_nan = bool(np.isnan(values[first]))
    place = f"row {first[0]}" + (f", column {first[1]}" if len(first) > 1 else "")
    more = f", and {len(where) - 1} more" if len(where) > 1 else ""
    what = "NaN" if is_nan else "inf (infinity, or a value too large for its type)"
    remedy = "impute first, see sklearn.impute" if is_nan else "replace or clip it"
    raise DataError(f"{owner}: Input {array} contains {what} ({place}{more}); {remedy}.")


def _check_table(estimator: BaseEstimator, X: Any, *, reset: bool, sparse: bool, nan: bool, dtype: Any = None) -> Data:
    name = type(estimator).__name__
    floats = _FLOATS if dtype is None else dtype
    if type(X) is np.ndarray and X.ndim == 2 and X.dtype in (np.float64, np.float32) and X.size:
        # The common case, without scikit-learn's slower general path.
        _translated(name, "X", lambda: validate_data(estimator, X, reset=reset, skip_check_array=True))
        X = np.ascontiguousarray(X, dtype=dtype)
    else:
        X = _translated(
            name,
            "X",
            lambda: validate_data(
                estimator, X, reset=reset, accept_sparse="csr" if sparse else False, dtype=floats, order="C",
                ensure_all_finite=False,
            ),
        )
    if sp.issparse(X):
        X = sp.csr_array(X)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        check_finite_csr(name, X, nan=nan)
    else:
        check_finite(name, "X", X, nan=nan)
    return X


def check_finite_csr(owner: str, X: sp.csr_array, *, nan: bool = False) -> None:
    """Raise if a stored value of a CSR array may not be used."""
    if not _native.all_finite(X.data):
        dense_rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        bad = np.isinf(X.data) if nan else ~np.isfinite(X.data)
        if bad.any():
            at = int(np.argmax(bad))
            what = "NaN" if np.isnan(X.data[at]) else "inf"
            raise DataError(
                f"{owner}: Input X contains {what} (row {dense_rows[at]}, column {X.indices[at]}"
                f"{f', and {int(bad.sum()) - 1} more' if bad.sum() > 1 else ''}); impute or drop such rows."
            )


# What to do about an error of scikit-learn's, by a phrase of its message.
_REMEDIES = {
    "could not convert": "Encode text as numbers first, see sklearn.preprocessing.OneHotEncoder.",
    "is not compatible with arrays of bytes/strings": "Encode text as numbers first, see sklearn.preprocessing.OneHotEncoder.",
    "0 sample(s)": "Give at least one row.",
    "0 feature(s)": "Give at least one column.",
    "is expecting": "Give the columns seen in fit.",
    "feature names should match": "Give the columns seen in fit, in the same order.",
}


def _translated(owner: str, array: str, check: Callable[[], _T]) -> _T:
    """Run a check of scikit-learn's; its errors get the estimator's name and a remedy."""
    try:
        return check()
    except ValueError as error:
        text = str(error).strip()
        remedy = next((r for phrase, r in _REMEDIES.items() if phrase in text), "")
        raise DataError(" ".join(filter(None, [f"{owner}: {array}: {text}", remedy]))) from None
