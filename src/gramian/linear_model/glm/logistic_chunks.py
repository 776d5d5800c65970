"""Logistic regression on rows in chunks: every step is one pass over them."""

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
from gramian.base.inputs.targets import Codes
from gramian.base.inputs.weights import class_weights
from gramian.base.rows.chunks import BLOCK_ROWS, GivenChunk
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts, both
from gramian.base.types import Data, Floats, Matrix
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.linear_model.glm.column_shift import SAMPLE_ROWS, ColumnShift
from gramian.linear_model.glm.logistic_attributes import (
    fitted_attributes,
    set_attributes,
    warm_start_weights,
)
from gramian.linear_model.glm.logistic_checks import check_no_l1
from gramian.linear_model.glm.logistic_model import l2_penalty
from gramian.linear_model.glm.separation import SEPARABLE, model_separates
from gramian.linear_model.glm.solver_choice import (
    AUTO_SOLVERS,
    MAX_CHUNKED_UNKNOWNS,
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
# A Newton step on 1 / _REFINE_FRACTION of the rows pays off; larger samples do not.
_REFINE_FRACTION = 32
_MAX_REFINE_ROWS = 8 * BLOCK_ROWS
_START_STEPS = 10  # on the first rows; their minimum only has to be near that of all rows


def fit_chunks(
    model: _Model, chunks: Iterable[GivenChunk] | Parts, classes: npt.ArrayLike | None
) -> _Model:
    """Fit the model to chunks that can be iterated again."""
    rows = LabelChunks.of(model, chunks, classes)
    check_no_l1(model.C, model.l1_ratio)
    if model.multi_class != "multinomial" and len(rows.classes) > 2:
        raise ParameterError(
            "LogisticRegression: fit_chunks supports multi_class='multinomial'; "
            f"got {model.multi_class!r}. Use fit for other settings."
        )
    weight_by_class = class_weights(
        "LogisticRegression", model.class_weight, rows.classes, rows.counts
    )
    mass = weight_by_class * rows.counts
    check_classes("LogisticRegression", rows.classes, mass)
    total, binary = float(mass.sum()), len(rows.classes) == 2
    m, fits = model.n_features_in_ + model.fit_intercept, bool(model.fit_intercept)
    shape = (m,) if binary else (m, len(rows.classes))
    shift = _shift(rows) if fits else ColumnShift()
    chunk_problem = _ChunkProblem(weight_by_class / total, fits, shift)
    problem = ChunkedProblem(rows, chunk_problem, l2_penalty(model, total), shape, intercept=fits)
    task = Task.of(model, steps=model.max_iter)

    def weights(x: Floats) -> Floats:
        w = x.reshape(shape)
        return shift.weights(w if binary else w - w.mean(axis=1, keepdims=True))

    def watch(t: int, now: Iterate) -> bool:
        state = partial(fitted_attributes, model, [weights(now.x)], rows.classes, rows.dtype)
        return t > 0 and task.iteration(state)

    start = shift.start(warm_start_weights(model, shape), shape)
    near_minimum = _approximate_start(model, rows, chunk_problem, shape) if start is None else None
    result, model.solver_ = solve(
        problem,
        _solver_name(model),
        start if near_minimum is None else near_minimum,
        owner="LogisticRegression",
        tol=model.tol,
        max_iter=model.max_iter,
        callback=watch,
        near_minimum=near_minimum is not None,
    )
    w = weights(result.x)
    set_attributes(model, [w], [result], rows.classes, rows.dtype)
    model.class_prior_ = mass / total
    model.objective_ = total * result.value
    task.done(partial(fitted_attributes, model, [w], rows.classes, rows.dtype))
    model.separable_ = bool(np.isinf(model.C)) and rows.total(
        partial(_separates, (model.coef_, model.intercept_), weight_by_class), both
    )
    if model.separable_:
        warnings.warn(SEPARABLE, ConvergenceWarning, stacklevel=caller_level())
    else:
        warn_unless_converged("LogisticRegression", [result])
    return model


@dataclass(frozen=True)
class _ChunkProblem:
    """Builds the problem of one chunk; the weights of all rows sum to 1."""

    weight_by_class: Floats
    intercept: bool
    shift: ColumnShift

    def __call__(self, X: Data, codes: Codes, weights: Floats) -> LinearProblem:
        X = self.shift.rows(X)
        omega = WeightedSum(self.weight_by_class[codes] * weights)
        K = len(self.weight_by_class)
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


def _shift(rows: LabelChunks) -> ColumnShift:
    """Return the shift of the first rows, which does not depend on the chunks."""
    X, _, weights = rows.head(min(SAMPLE_ROWS, int(rows.row_counts.sum())))
    return ColumnShift.of(X, weights)


def _approximate_start(
    model: "LogisticRegression",
    rows: LabelChunks,
    chunk_problem: _ChunkProblem,
    shape: tuple[int, ...],
) -> Floats | None:
    """Return an approximate minimum over the first rows, or None if they are few or lack a class.

    The number of rows does not depend on the chunks. This start saves most of the passes.
    """
    few = int(rows.row_counts.sum()) <= BLOCK_ROWS
    if few or model.solver not in AUTO_SOLVERS:
        return None
    X, codes, weights = rows.head(BLOCK_ROWS)
    mass = np.bincount(codes, chunk_problem.weight_by_class[codes] * weights, len(rows.classes))
    if len(codes) < 20 * int(np.prod(shape)) or not (mass > 0).all():
        return None
    some = LinearProblem(
        chunk_problem.shift.rows(X),
        codes.astype(float) if len(shape) == 1 else codes.astype(np.int32),
        Logistic() if len(shape) == 1 else Softmax(),
        l2_penalty(model, float(rows.counts.sum())),
        WeightedSum(chunk_problem.weight_by_class[codes] * weights / mass.sum()),
        intercept=chunk_problem.intercept,
        outputs=None if len(shape) == 1 else shape[1],
    )
    found, _ = solve(
        some, "auto", None, owner="LogisticRegression", tol=model.tol, max_iter=_START_STEPS
    )
    x: Floats = found.x
    if not np.isfinite(x).all():
        return None
    return _refine_start(model, rows, chunk_problem, x, shape)


def _refine_start(
    model: "LogisticRegression",
    rows: LabelChunks,
    chunk_problem: _ChunkProblem,
    x: Floats,
    shape: tuple[int, ...],
) -> Floats:
    """Return x after one Newton step over a fraction of very many rows; this may save a pass."""
    n = int(rows.row_counts.sum())
    wanted = min(n // _REFINE_FRACTION, _MAX_REFINE_ROWS)
    some = (
        rows.beginning(wanted) if wanted > BLOCK_ROWS and x.size <= MAX_CHUNKED_UNKNOWNS else None
    )
    if some is None:
        return x
    scaled = replace(chunk_problem, weight_by_class=chunk_problem.weight_by_class * (n / wanted))
    penalty = l2_penalty(model, float(rows.counts.sum()))
    problem = ChunkedProblem(some, scaled, penalty, shape, intercept=chunk_problem.intercept)
    _, g, H = problem.second_order(x)
    nearer: Floats = x + solve_system(H, -g)
    return nearer if np.isfinite(nearer).all() else x


def _separates(model: tuple[Matrix, Matrix], weight_by_class: Floats, rows: LabelChunks) -> bool:
    """Return whether the model classifies every row of positive weight correctly."""
    return all(
        model_separates(model, X, codes, weight_by_class[codes] * weights)
        for X, codes, weights in rows
    )


def _solver_name(model: "LogisticRegression") -> SolverName:
    """Return the solver for rows in chunks, where single rows cannot be accessed."""
    if model.solver == "sgd":
        raise ParameterError(
            "LogisticRegression: solver='sgd' visits single rows, which fit_chunks cannot access; "
            "use solver='auto', or fit in memory."
        )
    return model.solver
