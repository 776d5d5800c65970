"""Logistic regression of rows that come in chunks: every step is one pass over them."""

import warnings
from collections.abc import Iterable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import ParameterError
from gramian.base.rows.chunks import GivenChunk
from gramian.base.weights import class_weights
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.linear_model.glm.label_chunks import LabelChunks
from gramian.linear_model.glm.logistic_checks import check_penalty
from gramian.linear_model.glm.logistic_model import LogisticModel
from gramian.linear_model.glm.separation import SEPARABLE
from gramian.linear_model.glm.solver_choice import SolverName, solve, warn_unless_converged
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem

_Model = TypeVar("_Model", bound=LogisticModel)


def fit_chunks(
    model: _Model, chunks: Iterable[GivenChunk], classes: npt.ArrayLike | None
) -> _Model:
    """Fit the model to chunks that can be iterated again."""
    rows = LabelChunks.of(model, chunks, classes)
    check_penalty(model.C, model.l1_ratio)
    if model.multi_class != "multinomial" and len(rows.classes) > 2:
        raise ParameterError(
            "LogisticRegression: fit_chunks supports multi_class='multinomial'; "
            f"got {model.multi_class!r}. Fit in memory for it."
        )
    of_class = class_weights("LogisticRegression", model.class_weight, rows.classes, rows.counts)
    mass = of_class * rows.counts
    check_classes("LogisticRegression", rows.classes, mass)
    total, binary = float(mass.sum()), len(rows.classes) == 2
    m = model.n_features_in_ + model.fit_intercept

    def problems() -> Iterator[LinearProblem]:
        for X, codes, weights in rows:
            functional = WeightedSum(of_class[codes] * weights / total)
            if binary:
                yield model._problem(X, codes.astype(float), Logistic(), None, functional)
            else:
                y = codes.astype(np.int32)
                yield model._problem(X, y, Softmax(), None, functional, len(rows.classes))

    shape = (m,) if binary else (m, len(rows.classes))
    problem = ChunkedProblem(problems, model._penalty(total), shape, intercept=model.fit_intercept)
    result, model.solver_ = solve(
        problem,
        _solver_name(model),
        model._start(shape),
        owner="LogisticRegression",
        tol=model.tol,
        max_iter=model.max_iter,
    )
    w = result.x.reshape(shape)
    w = w if binary else w - w.mean(axis=1, keepdims=True)
    model._set_fit([w], [result], rows.classes, rows.dtype)
    model.class_prior_ = mass / total
    model.objective_ = total * result.value
    model.separable_ = bool(np.isinf(model.C)) and all(
        model._separates(X, codes, of_class[codes] * weights) for X, codes, weights in rows
    )
    if model.separable_:
        warnings.warn(SEPARABLE, ConvergenceWarning, stacklevel=3)
    else:
        warn_unless_converged("LogisticRegression", [result], stacklevel=3)
    return model


def _solver_name(model: LogisticModel) -> SolverName:
    """Return the solver for rows in chunks, where single rows cannot be accessed."""
    if model.solver == "sgd":
        raise ParameterError(
            "LogisticRegression: fit_chunks gives no single rows, which solver='sgd' visits "
            "one by one; use solver='auto', or fit in memory."
        )
    return model.solver
