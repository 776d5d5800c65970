"""Logistic regression of rows that come in chunks: every step is one pass over them."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import ParameterError, caller_level
from gramian.base.rows.chunks import BLOCK_ROWS, GivenChunk
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts, both
from gramian.base.targets import Codes
from gramian.base.types import Data, Floats
from gramian.base.weights import class_weights
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.linear_model.glm.logistic_attributes import attributes_of, set_fit, start_of
from gramian.linear_model.glm.logistic_checks import check_penalty
from gramian.linear_model.glm.logistic_model import penalty_of
from gramian.linear_model.glm.separation import SEPARABLE, separates
from gramian.linear_model.glm.solver_choice import (
    AUTOMATIC,
    CHUNKED,
    SolverName,
    solve,
    warn_unless_converged,
)
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.second_order.linear_systems import solve_system
from gramian.solvers.solver import Iterate

if TYPE_CHECKING:
    from gramian.linear_model.glm.logistic_regression import LogisticRegression

_Model = TypeVar("_Model", bound="LogisticRegression")
_FEW = 32  # part of the rows, and at most so many, on which a step is worth while
_MANY_ROWS = 8 * BLOCK_ROWS
_START_STEPS = 10  # on the first rows, whose minimum only has to be near the minimum of all


def fit_chunks(
    model: _Model, chunks: Iterable[GivenChunk] | Parts, classes: npt.ArrayLike | None
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
    m, fits = model.n_features_in_ + model.fit_intercept, bool(model.fit_intercept)
    shape = (m,) if binary else (m, len(rows.classes))
    problem_of = _ProblemOf(of_class / total, fits)
    problem = ChunkedProblem(rows, problem_of, penalty_of(model, total), shape, intercept=fits)
    task = Task.of(model, steps=model.max_iter)

    def weights(x: Floats) -> Floats:
        w = x.reshape(shape)
        return w if binary else w - w.mean(axis=1, keepdims=True)

    def watch(t: int, now: Iterate) -> bool:
        state = partial(attributes_of, model, [weights(now.x)], rows.classes, rows.dtype)
        return t > 0 and task.iteration(state)

    start = start_of(model, shape)
    near = _near_start(model, rows, problem_of, shape) if start is None else None
    result, model.solver_ = solve(
        problem,
        _solver_name(model),
        start if near is None else near,
        owner="LogisticRegression",
        tol=model.tol,
        max_iter=model.max_iter,
        callback=watch,
        near=near is not None,
    )
    w = weights(result.x)
    set_fit(model, [w], [result], rows.classes, rows.dtype)
    model.class_prior_ = mass / total
    model.objective_ = total * result.value
    task.done(partial(attributes_of, model, [w], rows.classes, rows.dtype))
    model.separable_ = bool(np.isinf(model.C)) and rows.total(
        partial(_separates, model.coef_, model.intercept_, of_class), both
    )
    if model.separable_:
        warnings.warn(SEPARABLE, ConvergenceWarning, stacklevel=caller_level())
    else:
        warn_unless_converged("LogisticRegression", [result])
    return model


@dataclass(frozen=True)
class _ProblemOf:
    """Makes the problem of one chunk; the weights of all rows sum to 1."""

    of_class: Floats
    intercept: bool

    def __call__(self, X: Data, codes: Codes, weights: Floats) -> LinearProblem:
        omega = WeightedSum(self.of_class[codes] * weights)
        K = len(self.of_class)
        if K == 2:
            y = codes.astype(float)
            return LinearProblem(X, y, Logistic(), None, omega, intercept=self.intercept)
        return LinearProblem(
            X,
            codes.astype(np.int32),
            Softmax(),
            None,
            omega,
            intercept=self.intercept,
            outputs=K,
        )


def _near_start(
    model: "LogisticRegression", rows: LabelChunks, problem_of: _ProblemOf, shape: tuple[int, ...]
) -> Floats | None:
    """Return nearly the minimum over the first rows; None where they are few, or lack a class.

    These are a number of rows that does not depend on the chunks. It saves most of the passes.
    """
    few = int(rows.numbers.sum()) <= BLOCK_ROWS
    if few or model.solver not in AUTOMATIC:
        return None
    X, codes, weights = rows.head(BLOCK_ROWS)
    mass = np.bincount(codes, problem_of.of_class[codes] * weights, len(rows.classes))
    if len(codes) < 20 * int(np.prod(shape)) or not (mass > 0).all():
        return None
    some = LinearProblem(
        X,
        codes.astype(float) if len(shape) == 1 else codes.astype(np.int32),
        Logistic() if len(shape) == 1 else Softmax(),
        penalty_of(model, float(rows.counts.sum())),
        WeightedSum(problem_of.of_class[codes] * weights / mass.sum()),
        intercept=problem_of.intercept,
        outputs=None if len(shape) == 1 else shape[1],
    )
    found, _ = solve(
        some, "auto", None, owner="LogisticRegression", tol=model.tol, max_iter=_START_STEPS
    )
    x: Floats = found.x
    if not np.isfinite(x).all():
        return None
    return _nearer(model, rows, problem_of, x, shape)


def _nearer(
    model: "LogisticRegression",
    rows: LabelChunks,
    problem_of: _ProblemOf,
    x: Floats,
    shape: tuple[int, ...],
) -> Floats:
    """Return x after one Newton step over the first rows of very many, which may save a pass."""
    n = int(rows.numbers.sum())
    wanted = min(n // _FEW, _MANY_ROWS)
    some = rows.beginning(wanted) if wanted > BLOCK_ROWS and x.size <= CHUNKED else None
    if some is None:
        return x
    scaled = replace(problem_of, of_class=problem_of.of_class * (n / wanted))
    penalty = penalty_of(model, float(rows.counts.sum()))
    problem = ChunkedProblem(some, scaled, penalty, shape, intercept=problem_of.intercept)
    _, g, H = problem.second_order(x)
    nearer: Floats = x + solve_system(H, -g)
    return nearer if np.isfinite(nearer).all() else x


def _separates(coef: Floats, intercept: Floats, of_class: Floats, rows: LabelChunks) -> bool:
    """Tell whether the model is right about every row of positive weight."""
    for X, codes, weights in rows:
        Z = np.asarray(X @ coef.T + intercept, dtype=float)
        scores = Z[:, 0] if len(coef) == 1 else Z
        if not separates(scores, codes, of_class[codes] * weights):
            return False
    return True


def _solver_name(model: "LogisticRegression") -> SolverName:
    """Return the solver for rows in chunks, where single rows cannot be accessed."""
    if model.solver == "sgd":
        raise ParameterError(
            "LogisticRegression: fit_chunks gives no single rows, which solver='sgd' visits "
            "one by one; use solver='auto', or fit in memory."
        )
    return model.solver
