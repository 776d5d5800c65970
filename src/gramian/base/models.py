"""A type for the estimators of any library that are passed to ours."""

# ruff: noqa: D102 - the methods are those of scikit-learn

from typing import Any, Protocol, Self

import numpy.typing as npt

from gramian.base.types import Floats


class Model(Protocol):
    """An estimator; ask with `hasattr` for what only some have, such as probabilities."""

    classes_: npt.NDArray[Any]

    def fit(self, X: object, y: object = None, **params: object) -> Self: ...
    def predict(self, X: object, **params: object) -> npt.NDArray[Any]: ...
    def predict_proba(self, X: object, **params: object) -> Floats: ...
    def decision_function(self, X: object, **params: object) -> Floats: ...
    def get_params(self, deep: bool = True) -> dict[str, object]: ...
    def set_params(self, **params: object) -> Self: ...
