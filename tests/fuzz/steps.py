"""Models with scikit-learn's transformers, to be tampered with."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

import gramian


def fitted_steps() -> Iterator[tuple[str, Any, Any]]:
    """Yield a name, a fitted model and its table."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    holed = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    codes, words = rng.integers(0, 4, (60, 3)).astype(float), rng.choice(list("abcd"), (60, 2))
    y = (X.sum(axis=1) > 0).astype(int)
    dense = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
    several = ColumnTransformer(
        [("a", StandardScaler(), [0, 1]), ("b", OneHotEncoder(sparse_output=False), [2])],
        remainder="passthrough",
    )
    both = FeatureUnion([("a", MaxAbsScaler()), ("b", FunctionTransformer())])
    numeric = (
        StandardScaler(), MinMaxScaler(), RobustScaler(), Normalizer(), Binarizer(),
        PowerTransformer(), QuantileTransformer(n_quantiles=9), PolynomialFeatures(2), both,
    )  # fmt: skip
    tables: tuple[tuple[Any, Any], ...] = (
        *((step, X) for step in numeric),
        *((step, holed) for step in (SimpleImputer(add_indicator=True), KNNImputer())),
        *((step, codes) for step in (dense, several, OneHotEncoder(max_categories=2))),
        *((step, words) for step in (OneHotEncoder(drop="first"), OrdinalEncoder())),
    )
    for number, (step, table) in enumerate(tables):
        model = make_pipeline(step, gramian.Ridge() if number % 2 else gramian.LinearSVC())
        yield f"{type(step).__name__}-{number}", model.fit(table, y), table
        yield f"{type(step).__name__}-{number}-alone", step, table
