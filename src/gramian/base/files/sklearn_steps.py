"""scikit-learn's transformers that a model file may hold: the class, and its fitted attributes.

A file names a class of this table, parameters of its constructor and attributes listed here,
nothing else; what `transform` relies on is checked when a file is loaded. The attributes are those
of scikit-learn 1.9; a class of another version that has others is refused, with both versions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
import sklearn

from gramian.base.catalogue import ESTIMATORS, resolve
from gramian.base.errors import ModelFileError

Check = Callable[[Any, int], bool]  # of a value, and the number of features

_OUTPUTS = ("default", "pandas", "polars")
_MOST_TERMS = 1_000_000  # columns that PolynomialFeatures may make of a row
_HIGHEST_DEGREE = 100


@dataclass(frozen=True)
class Step:
    """The fitted attributes of a class and their checks.

    Attributes
    ----------
    required
        Attributes of a fitted estimator, with the check of their values.
    optional
        Attributes that depend on the parameters or on the input.
    whole
        Check of a fitted estimator as a whole, on top.
    given
        Check of the parameters, of an estimator that is not fitted too.
    """

    required: dict[str, Check] = field(default_factory=dict)
    optional: dict[str, Check] = field(default_factory=dict)
    whole: Callable[[Any], bool] = lambda _: True
    given: Callable[[Any], bool] = lambda _: True


# --- checks of one value -------------------------------------------------------------------------


def _count(value: Any, _: int) -> bool:
    return type(value) is int and value >= 0


def _flag(value: Any, _: int) -> bool:
    return type(value) is bool


def _vector(value: Any, d: int) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.shape == (d,)


def _vector_or_none(value: Any, d: int) -> bool:
    return value is None or _vector(value, d)


def _rows_seen(value: Any, d: int) -> bool:
    return isinstance(value, int | float | np.number) or _vector(value, d)


def _row_of_values(value: Any, d: int) -> bool:
    return isinstance(value, np.ndarray) and value.shape == (d,)


def _matrix(value: Any, d: int) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.shape[1:] == (d,)


def _labels(value: Any, _: int) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1


def _dtype(value: Any, _: int) -> bool:
    return isinstance(value, np.dtype)


def _bools(value: Any, d: int) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == bool and value.shape[-1:] == (d,)


def _a(name: str) -> Check:
    """Return the check for an estimator of a class of this table."""
    return lambda value, _: type(value) is resolve(name)


def _indicator(value: Any, d: int) -> bool:
    return value is None or _a("sklearn.impute.MissingIndicator")(value, d)


def _holds_transformers(union: Any) -> bool:
    """Accept pairs of a name and a transformer, which the union calls without a check."""
    return type(union.transformer_list) is list and all(
        type(pair) is tuple
        and len(pair) == 2
        and (hasattr(pair[1], "transform") or str(pair[1]) in ("drop", "passthrough"))
        for pair in union.transformer_list
    )


def _categories(value: Any, d: int) -> bool:
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


def _of_each_feature(value: Any, d: int) -> bool:
    """Accept a list of integer arrays or None, one for each feature."""
    return (
        type(value) is list
        and len(value) == d
        and all(
            v is None or (isinstance(v, np.ndarray) and v.dtype.kind in "iu" and v.ndim == 1)
            for v in value
        )
    )


def _places(value: Any, d: int) -> bool:
    """Accept a place or None for each feature, or None for all."""
    if value is None:
        return True
    if not isinstance(value, np.ndarray) or value.shape != (d,) or value.dtype.kind not in "iuO":
        return False
    return all(v is None or isinstance(v, int | np.integer) for v in value.tolist())


def _counts(value: Any, d: int) -> bool:
    return type(value) is list and len(value) == d and all(_count(int(v), d) for v in value)


def _missing_places(value: Any, d: int) -> bool:
    return type(value) is dict and all(_count(k, d) and _count(int(v), d) for k, v in value.items())


def _any_of(kind: type) -> Check:
    return lambda value, _: type(value) is kind


# --- checks of an estimator as a whole -----------------------------------------------------------


def _one_hot_fits(encoder: Any) -> bool:
    """Whether every code of `transform` is a column: the sparse result is built unchecked."""
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


def _polynomial_fits(features: Any) -> bool:
    """Whether the number of terms is that of the degree, and one that a table can have."""
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


def _quantiles_fit(transformer: Any) -> bool:
    shape = (len(transformer.references_), transformer.n_features_in_)
    known = transformer.output_distribution in ("uniform", "normal")
    return known and bool(transformer.quantiles_.shape == shape)


def _neighbors_fit(imputer: Any) -> bool:
    shapes = imputer._fit_X.shape, imputer._mask_fit_X.shape
    return bool(shapes[0] == shapes[1] and imputer._valid_mask.ndim == 1)


_RARE: dict[str, Check] = {
    "_infrequent_indices": _of_each_feature,
    "_default_to_infrequent_mappings": _of_each_feature,
}

STEPS: dict[str, Step] = {
    "sklearn.compose.ColumnTransformer": Step(
        {
            "_columns": _any_of(list),
            "_remainder": _any_of(tuple),
            "_transformer_to_input_indices": _any_of(dict),
            "output_indices_": _any_of(dict),
            "sparse_output_": _flag,
            "transformers_": _any_of(list),
        },
        {"_transformers_feature_names_out": _labels},
    ),
    "sklearn.impute.KNNImputer": Step(
        {"_fit_X": _matrix, "_mask_fit_X": _bools, "_valid_mask": _bools, "indicator_": _indicator},
        whole=_neighbors_fit,
    ),
    "sklearn.impute.MissingIndicator": Step(
        {"_precomputed": _flag, "_n_features": _count, "features_": _labels},
        whole=lambda indicator: indicator.features in ("missing-only", "all"),
    ),
    "sklearn.impute.SimpleImputer": Step(
        {
            "_fit_dtype": _dtype,
            "_fill_dtype": _dtype,
            "indicator_": _indicator,
            "statistics_": _row_of_values,
        },
        whole=lambda imputer: imputer.strategy in ("mean", "median", "most_frequent", "constant"),
    ),
    "sklearn.pipeline.FeatureUnion": Step(given=_holds_transformers),
    "sklearn.preprocessing.Binarizer": Step(),
    "sklearn.preprocessing.FunctionTransformer": Step(
        whole=lambda value: value.func is None and value.inverse_func is None
    ),
    "sklearn.preprocessing.LabelEncoder": Step({"classes_": _labels}),
    "sklearn.preprocessing.MaxAbsScaler": Step(
        {"max_abs_": _vector, "n_samples_seen_": _rows_seen, "scale_": _vector}
    ),
    "sklearn.preprocessing.MinMaxScaler": Step(
        {
            "data_max_": _vector,
            "data_min_": _vector,
            "data_range_": _vector,
            "min_": _vector,
            "n_samples_seen_": _rows_seen,
            "scale_": _vector,
        }
    ),
    "sklearn.preprocessing.Normalizer": Step(),
    "sklearn.preprocessing.OneHotEncoder": Step(
        {
            "_drop_idx_after_grouping": _places,
            "_infrequent_enabled": _flag,
            "_n_features_outs": _counts,
            "categories_": _categories,
            "drop_idx_": _places,
        },
        _RARE,
        _one_hot_fits,
    ),
    "sklearn.preprocessing.OrdinalEncoder": Step(
        {
            "_infrequent_enabled": _flag,
            "_missing_indices": _missing_places,
            "categories_": _categories,
        },
        _RARE,
    ),
    "sklearn.preprocessing.PolynomialFeatures": Step(
        {
            "_max_degree": _count,
            "_min_degree": _count,
            "_n_out_full": _count,
            "n_output_features_": _count,
        },
        whole=_polynomial_fits,
    ),
    "sklearn.preprocessing.PowerTransformer": Step(
        {"lambdas_": _vector}, {"_scaler": _a("sklearn.preprocessing.StandardScaler")}
    ),
    "sklearn.preprocessing.QuantileTransformer": Step(
        {"n_quantiles_": _count, "quantiles_": _matrix, "references_": _labels},
        whole=_quantiles_fit,
    ),
    "sklearn.preprocessing.RobustScaler": Step(
        {"center_": _vector_or_none, "scale_": _vector_or_none}
    ),
    "sklearn.preprocessing.StandardScaler": Step(
        {
            "mean_": _vector_or_none,
            "n_samples_seen_": _rows_seen,
            "scale_": _vector_or_none,
            "var_": _vector_or_none,
        }
    ),
}
_COMMON: dict[str, Check] = {
    "n_features_in_": _count,
    "feature_names_in_": _row_of_values,
    "_sklearn_output_config": lambda value, _: (
        type(value) is dict and all(v in _OUTPUTS for v in value.values())
    ),
}


def path_of(cls: type) -> str | None:
    """Return the public address of a class of the table, or None."""
    named = next((path for path in STEPS if path.rpartition(".")[2] == cls.__name__), None)
    return named if named is not None and resolve(named) is cls else None


def state_of(value: Any, path: str, where: str) -> dict[str, Any]:
    """Return the fitted attributes of an estimator of the table; refuse what is not in it."""
    params = value.get_params(deep=False)
    fitted = {k: v for k, v in vars(value).items() if k not in params}
    unknown = sorted(fitted.keys() - _known(path))
    if unknown:
        raise ModelFileError(
            f"save: {where} has the attribute {unknown[0]!r}, which this version of gramian does "
            f"not know of a {path} (scikit-learn {sklearn.__version__}); remove it, update "
            "gramian, or use pickle for files that only you read."
        )
    return fitted


def restored(path: str, params: dict[str, Any], fitted: dict[str, Any], version: object) -> Any:
    """Make an estimator of the table from what a file holds; `version` is that of the writer."""
    step = STEPS.get(path)
    if step is None:
        raise ModelFileError(
            f"load: the file contains a {path}, which this version does not know; update gramian."
        )
    cls = resolve(path)
    odd = sorted({*(params.keys() - signature(cls).parameters), *(fitted.keys() - _known(path))})
    if odd:
        raise _other_version(path, f"it sets {odd[0]!r}", version)
    value = cls(**params)
    if not step.given(value):
        raise ModelFileError(
            f"load: the parameters of the file's {path} are malformed; save it again."
        )
    for name, part in fitted.items():
        setattr(value, name, part)
    if not fitted.keys() - {"_sklearn_output_config"}:
        return value
    missing = sorted(step.required.keys() - fitted.keys())
    if missing:
        raise _other_version(path, f"it lacks {missing[0]!r}", version)
    d = getattr(value, "n_features_in_", 0)
    checks = {**_COMMON, **step.required, **step.optional}
    for name, part in fitted.items():
        if not checks[name](part, d):
            raise ModelFileError(f"load: {name} of the file's {path} is malformed; save it again.")
    if not step.whole(value):
        raise ModelFileError(
            f"load: the attributes of the file's {path} contradict each other; save it again."
        )
    return value


def advice(cls: type) -> str:
    """Return the advice for a class that model files do not support."""
    if not cls.__module__.startswith("sklearn."):
        return "set it to a plain value, or use pickle for files that only you read"
    ours = next((e.path for e in ESTIMATORS if e.name == cls.__name__), None)
    if ours is not None:
        return f"use {ours} in its place, or pickle for files that only you read"
    names = ", ".join(path.rpartition(".")[2] for path in STEPS)
    return f"of scikit-learn it contains {names}; use pickle for files that only you read"


def _known(path: str) -> set[str]:
    step = STEPS[path]
    return {*_COMMON, *step.required, *step.optional}


def _other_version(path: str, what: str, version: object) -> ModelFileError:
    return ModelFileError(
        f"load: the file's {path} was saved with scikit-learn {version} and does not fit the "
        f"installed {sklearn.__version__}: {what}. Install that version, or fit and save it again."
    )
