"""Fitted attributes of `LogisticRegression`, and warm starts from them."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.targets import Classes
from gramian.base.types import Floats
from gramian.solvers.solver import Result

if TYPE_CHECKING:
    from gramian.linear_model.glm.logistic_regression import LogisticRegression


class LogisticAttributes:
    """Mixin with the attributes that the fitting functions set."""

    class_prior_: Floats
    objective_: float
    separable_: bool
    solver_: str
    n_iter_: npt.NDArray[np.int32]


def warm_start_weights(
    model: "LogisticRegression", shape: tuple[int, ...], k: int = 0
) -> Floats | None:
    """Return the previous fit's weights if requested and if the shape matches."""
    if not model.warm_start or not hasattr(model, "coef_"):
        return None
    w = model.coef_[k] if len(shape) == 1 else model.coef_.T
    if model.fit_intercept:
        w = np.concatenate(
            [w, model.intercept_[k : k + 1] if w.ndim == 1 else model.intercept_[None]]
        )
    return w.astype(float).reshape(-1) if w.shape == shape else None


def fitted_attributes(
    model: "LogisticRegression", found: list[Floats], classes: Classes, dtype: npt.DTypeLike
) -> dict[str, Any]:
    """Return coefficients, bias and labels as fitted attributes."""
    W = np.column_stack(found).T.astype(dtype)
    if len(found) > 1 and len(W) < len(classes):  # one against the rest, not all fitted yet
        W = np.concatenate([W, np.zeros((len(classes) - len(W), W.shape[1]), dtype)])
    coef = np.ascontiguousarray(W[:, :-1] if model.fit_intercept else W)
    bias = W[:, -1].copy() if model.fit_intercept else np.zeros(len(W), dtype)
    return {"coef_": coef, "intercept_": bias, "classes_": classes}


def set_attributes(
    model: "LogisticRegression",
    found: list[Floats],
    results: list[Result],
    classes: Classes,
    dtype: npt.DTypeLike,
) -> None:
    """Set coefficients, bias, labels and the number of steps."""
    for name, value in fitted_attributes(model, found, classes, dtype).items():
        setattr(model, name, value)
    model.n_iter_ = np.array([result.iterations for result in results], dtype=np.int32)
