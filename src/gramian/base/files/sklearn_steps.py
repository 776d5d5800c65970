"""scikit-learn's transformers that a model file may contain, and their fitted attributes.

A file may name only the classes of this table, parameters of their constructors and the attributes
listed here; the attributes that `transform` relies on are checked when a file is loaded. They are
those of scikit-learn 1.9; if another version has others, the error names both versions.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import sklearn

from gramian.base.catalogue import ESTIMATORS, resolve
from gramian.base.errors import ModelFileError
from gramian.base.files.step_checks import (
    Check,
    has_categories_per_feature,
    has_class,
    has_count_per_feature,
    has_index_per_feature,
    has_integers_per_feature,
    has_one_axis,
    has_type,
    has_value_per_feature,
    holds_transformers,
    is_count,
    is_dict_of_indices,
    is_dtype,
    is_flag,
    is_indicator_or_none,
    is_mask,
    is_matrix,
    is_number_of_rows,
    is_vector,
    is_vector_or_none,
    neighbors_fit,
    one_hot_fits,
    polynomial_fits,
    quantiles_fit,
)

_OUTPUTS = ("default", "pandas", "polars")


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
    parameters
        Check of the parameters, of an estimator that is not fitted too.
    """

    required: dict[str, Check] = field(default_factory=dict)
    optional: dict[str, Check] = field(default_factory=dict)
    whole: Callable[[Any], bool] = lambda _: True
    parameters: Callable[[Any], bool] = lambda _: True


_RARE: dict[str, Check] = {
    "_infrequent_indices": has_integers_per_feature,
    "_default_to_infrequent_mappings": has_integers_per_feature,
}

STEPS: dict[str, Step] = {
    "sklearn.compose.ColumnTransformer": Step(
        {
            "_columns": has_type(list),
            "_remainder": has_type(tuple),
            "_transformer_to_input_indices": has_type(dict),
            "output_indices_": has_type(dict),
            "sparse_output_": is_flag,
            "transformers_": has_type(list),
        },
        {"_transformers_feature_names_out": has_one_axis},
    ),
    "sklearn.impute.KNNImputer": Step(
        {
            "_fit_X": is_matrix,
            "_mask_fit_X": is_mask,
            "_valid_mask": is_mask,
            "indicator_": is_indicator_or_none,
        },
        whole=neighbors_fit,
    ),
    "sklearn.impute.MissingIndicator": Step(
        {"_precomputed": is_flag, "_n_features": is_count, "features_": has_one_axis},
        whole=lambda indicator: indicator.features in ("missing-only", "all"),
    ),
    "sklearn.impute.SimpleImputer": Step(
        {
            "_fit_dtype": is_dtype,
            "_fill_dtype": is_dtype,
            "indicator_": is_indicator_or_none,
            "statistics_": has_value_per_feature,
        },
        whole=lambda imputer: imputer.strategy in ("mean", "median", "most_frequent", "constant"),
    ),
    "sklearn.pipeline.FeatureUnion": Step(parameters=holds_transformers),
    "sklearn.preprocessing.Binarizer": Step(),
    "sklearn.preprocessing.FunctionTransformer": Step(
        whole=lambda value: value.func is None and value.inverse_func is None
    ),
    "sklearn.preprocessing.LabelEncoder": Step({"classes_": has_one_axis}),
    "sklearn.preprocessing.MaxAbsScaler": Step(
        {"max_abs_": is_vector, "n_samples_seen_": is_number_of_rows, "scale_": is_vector}
    ),
    "sklearn.preprocessing.MinMaxScaler": Step(
        {
            "data_max_": is_vector,
            "data_min_": is_vector,
            "data_range_": is_vector,
            "min_": is_vector,
            "n_samples_seen_": is_number_of_rows,
            "scale_": is_vector,
        }
    ),
    "sklearn.preprocessing.Normalizer": Step(),
    "sklearn.preprocessing.OneHotEncoder": Step(
        {
            "_drop_idx_after_grouping": has_index_per_feature,
            "_infrequent_enabled": is_flag,
            "_n_features_outs": has_count_per_feature,
            "categories_": has_categories_per_feature,
            "drop_idx_": has_index_per_feature,
        },
        _RARE,
        one_hot_fits,
    ),
    "sklearn.preprocessing.OrdinalEncoder": Step(
        {
            "_infrequent_enabled": is_flag,
            "_missing_indices": is_dict_of_indices,
            "categories_": has_categories_per_feature,
        },
        _RARE,
    ),
    "sklearn.preprocessing.PolynomialFeatures": Step(
        {
            "_max_degree": is_count,
            "_min_degree": is_count,
            "_n_out_full": is_count,
            "n_output_features_": is_count,
        },
        whole=polynomial_fits,
    ),
    "sklearn.preprocessing.PowerTransformer": Step(
        {"lambdas_": is_vector}, {"_scaler": has_class("sklearn.preprocessing.StandardScaler")}
    ),
    "sklearn.preprocessing.QuantileTransformer": Step(
        {"n_quantiles_": is_count, "quantiles_": is_matrix, "references_": has_one_axis},
        whole=quantiles_fit,
    ),
    "sklearn.preprocessing.RobustScaler": Step(
        {"center_": is_vector_or_none, "scale_": is_vector_or_none}
    ),
    "sklearn.preprocessing.StandardScaler": Step(
        {
            "mean_": is_vector_or_none,
            "n_samples_seen_": is_number_of_rows,
            "scale_": is_vector_or_none,
            "var_": is_vector_or_none,
        }
    ),
}
_COMMON: dict[str, Check] = {
    "n_features_in_": is_count,
    "feature_names_in_": has_value_per_feature,
    "_sklearn_output_config": lambda value, _: (
        type(value) is dict and all(v in _OUTPUTS for v in value.values())
    ),
}


def path_of(cls: type) -> str | None:
    """Return the public address of a class of the table, or None."""
    named = next((path for path in STEPS if path.rpartition(".")[2] == cls.__name__), None)
    return named if named is not None and resolve(named) is cls else None


def state_of(value: Any, path: str, where: str) -> dict[str, Any]:
    """Return the fitted attributes of an estimator of the table; raise if one is not listed."""
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
    """Rebuild an estimator of the table from a file, written by scikit-learn `version`."""
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
    if not step.parameters(value):
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
