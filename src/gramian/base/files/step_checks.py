"""Checks of the fitted attributes of scikit-learn's transformers in a model file."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian.base.catalogue import resolve

Check = Callable[[Any, int], bool]  # arguments: a value, and the number of features

_MOST_TERMS = 1_000_000  # columns that PolynomialFeatures may create
_HIGHEST_DEGREE = 100


def is_count(value: Any, _: int) -> bool:
    """Accept integers >= 0."""
    return type(value) is int and value >= 0


def is_flag(value: Any, _: int) -> bool:
    """Accept True and False."""
    return type(value) is bool


def is_vector(value: Any, d: int) -> bool:
    """Accept a number for each feature."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.shape == (d,)


def is_vector_or_none(value: Any, d: int) -> bool:
    """Accept a number for each feature, or None."""
    return value is None or is_vector(value, d)


def is_number_of_rows(value: Any, d: int) -> bool:
    """Accept a number of rows, or one for each feature."""
    return isinstance(value, int | float | np.number) or is_vector(value, d)


def has_value_per_feature(value: Any, d: int) -> bool:
    """Accept an array with a value of any type for each feature."""
    return isinstance(value, np.ndarray) and value.shape == (d,)


def is_matrix(value: Any, d: int) -> bool:
    """Accept a matrix with a column for each feature."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.shape[1:] == (d,)


def has_one_axis(value: Any, _: int) -> bool:
    """Accept arrays with one axis."""
    return isinstance(value, np.ndarray) and value.ndim == 1


def is_dtype(value: Any, _: int) -> bool:
    """Accept NumPy dtypes."""
    return isinstance(value, np.dtype)


def is_mask(value: Any, d: int) -> bool:
    """Accept True or False for each feature, in one or more rows."""
    return isinstance(value, np.ndarray) and value.dtype == bool and value.shape[-1:] == (d,)


def has_class(name: str) -> Check:
    """Return the check for an estimator of a class, given by its address."""
    return lambda value, _: type(value) is resolve(name)


def is_indicator_or_none(value: Any, d: int) -> bool:
    """Accept None and a MissingIndicator."""
    return value is None or has_class("sklearn.impute.MissingIndicator")(value, d)


def holds_transformers(union: Any) -> bool:
    """Accept pairs of a name and a transformer, which the union calls without a check."""
    return type(union.transformer_list) is list and all(
        type(pair) is tuple
        and len(pair) == 2
        and (hasattr(pair[1], "transform") or str(pair[1]) in ("drop", "passthrough"))
        for pair in union.transformer_list
    )


def has_categories_per_feature(value: Any, d: int) -> bool:
    """Accept numbers in strictly rising order, NaN last, or distinct values of other types."""
    if type(value) is not list or len(value) != d:
        return False
    for levels in value:
        if not isinstance(levels, np.ndarray) or levels.ndim != 1:
            return False
        if levels.dtype.kind in "biuf":
            known = (
                levels[:-1] if levels.dtype.kind == "f" and np.isnan(levels[-1:]).any() else levels
            )
            if not (known[1:] > known[:-1]).all():
                return False
        elif levels.dtype.kind not in "OU":
            return False
    return True


def has_integers_per_feature(value: Any, d: int) -> bool:
    """Accept a list of integer arrays or None, one for each feature."""
    return (
        type(value) is list
        and len(value) == d
        and all(
            v is None or (isinstance(v, np.ndarray) and v.dtype.kind in "iu" and v.ndim == 1)
            for v in value
        )
    )


def has_index_per_feature(value: Any, d: int) -> bool:
    """Accept an index or None for each feature, or None for all."""
    if value is None:
        return True
    if not isinstance(value, np.ndarray) or value.shape != (d,) or value.dtype.kind not in "iuO":
        return False
    return all(v is None or isinstance(v, int | np.integer) for v in value.tolist())


def has_count_per_feature(value: Any, d: int) -> bool:
    """Accept a list with a count for each feature."""
    return type(value) is list and len(value) == d and all(is_count(int(v), d) for v in value)


def is_dict_of_indices(value: Any, d: int) -> bool:
    """Accept a dictionary from features to the indices of their missing values."""
    return type(value) is dict and all(
        is_count(k, d) and is_count(int(v), d) for k, v in value.items()
    )


def has_type(kind: type) -> Check:
    """Return the check for values of a type, not of its subclasses."""
    return lambda value, _: type(value) is kind


# --- checks of an estimator as a whole -----------------------------------------------------------


def one_hot_fits(encoder: Any) -> bool:
    """Return whether every code has a column, since the sparse result is built unchecked."""
    drops = encoder._drop_idx_after_grouping
    for i, levels in enumerate(encoder.categories_):
        n = len(levels)
        if encoder._infrequent_enabled and encoder._infrequent_indices[i] is not None:
            rare, mapping = (
                encoder._infrequent_indices[i],
                encoder._default_to_infrequent_mappings[i],
            )
            n -= len(rare) - 1
            if mapping is None or len(mapping) != len(levels) or not _within(mapping, n):
                return False
            if not len(rare) or not _within(rare, len(levels)):
                return False
        elif encoder._infrequent_enabled and encoder._default_to_infrequent_mappings[i] is not None:
            return False
        if drops is not None and drops[i] is not None:
            if not 0 <= drops[i] < n:
                return False
            n -= 1
        if encoder._n_features_outs[i] != n:
            return False
    return True


def _within(codes: Any, n: int) -> bool:
    return bool(((codes >= 0) & (codes < n)).all())


def polynomial_fits(features: Any) -> bool:
    """Return whether the number of terms matches the degree and is small enough for a table."""
    low, high, d = features._min_degree, features._max_degree, features.n_features_in_
    asked = (0, features.degree) if type(features.degree) is int else tuple(features.degree)
    if (low, high) != asked or not low <= high <= _HIGHEST_DEGREE:
        return False

    def terms(lowest: int) -> int:
        counts = (
            math.comb(d, k) if features.interaction_only else math.comb(d + k - 1, k)
            for k in range(max(lowest, 1), high + 1)
        )
        return sum(counts) + bool(features.include_bias)

    made, in_full = features.n_output_features_, features._n_out_full
    return bool(made == terms(low) and in_full == terms(0) and in_full <= _MOST_TERMS)


def quantiles_fit(transformer: Any) -> bool:
    """Return whether the quantiles have a row per reference and a column per feature."""
    shape = (len(transformer.references_), transformer.n_features_in_)
    known = transformer.output_distribution in ("uniform", "normal")
    return known and bool(transformer.quantiles_.shape == shape)


def neighbors_fit(imputer: Any) -> bool:
    """Return whether the rows of the imputer and their missing values have the same shape."""
    shapes = imputer._fit_X.shape, imputer._mask_fit_X.shape
    return bool(shapes[0] == shapes[1] and imputer._valid_mask.ndim == 1)
