"""Logistic regression on rows in memory: the problem, its solution, and warnings about it.

The functions take a `LogisticRegression`, read its parameters and set its attributes.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import Instance
from gramian.base.inputs.targets import Classes
from gramian.base.types import Data, Floats
from gramian.linear_model.common.labelled_fit import LabelledRows
from gramian.linear_model.glm.column_shift import ColumnShift
from gramian.linear_model.glm.logistic_attributes import (
    fitted_attributes,
    set_attributes,
    warm_start_weights,
)
from gramian.linear_model.glm.quasi_separation import newton_step_is_long, recession_direction
from gramian.linear_model.glm.reference_class import ReferenceProblem
from gramian.linear_model.glm.row_space import RowSpace, is_wide, row_space
from gramian.linear_model.glm.separation import QUASI_SEPARABLE, SEPARABLE, model_separates
from gramian.linear_model.glm.solver_choice import (
    AUTO_SOLVERS,
    solve,
    warn_unless_converged,
)
from gramian.linear_model.glm.sparse_logistic import fit_l1_table
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import L2, strength_of_mean
from gramian.solvers.solver import Iterate, Result

if TYPE_CHECKING:
    from gramian.linear_model.glm.logistic_regression import LogisticRegression

Label = Annotated[Any, Instance((str, int, float, np.generic), "a label")]
MultiClass: TypeAlias = Literal["multinomial", "reference", "ovr"]
_Weights: TypeAlias = Callable[[Floats], Floats]
_Model: TypeAlias = "LogisticRegression"


def l2_penalty(model: _Model, total: float) -> L2 | None:
    """Return |w|^2 / (2 C), for a cost that is divided by the total weight."""
    return None if np.isinf(model.C) else L2(strength_of_mean(model.C, total))


def fit_table(model: _Model, rows: LabelledRows) -> None:
    """Fit the model to checked rows in memory, with class codes or probabilities as targets."""
    if model.l1_ratio > 0 and np.isfinite(model.C):
        fit_l1_table(model, rows)
        return
    table, targets, classes, weights = rows.X, rows.targets, rows.classes, rows.row_weights()
    shift = ColumnShift.of(table, weights, intercept=model.fit_intercept)
    table = shift.rows(table)
    space = None
    if is_wide(*table.shape, sparse=sp.issparse(table)) and model.solver in AUTO_SOLVERS:
        space = row_space(table)
    design = table if space is None else space.Z
    total = float(weights.sum())
    common = (l2_penalty(model, total), WeightedSum(weights / total))
    problems: list[LinearProblem]
    if len(classes) == 2:
        problems = [_problem(model, design, targets.astype(float), Logistic(), *common)]
    elif model.multi_class == "ovr":
        problems = [
            _problem(model, design, (targets == k) * 1.0, Logistic(), *common)
            for k in range(len(classes))
        ]
    else:
        y = targets if targets.dtype.kind == "f" else targets.astype(np.int32)
        reference = _reference(model, classes)
        problems = [_problem(model, design, y, Softmax(), *common, len(classes), reference)]
    results = _solve_all(model, problems, classes, space, shift, table.dtype)
    model.class_prior_ = rows.class_totals / total
    model.objective_ = total * sum(result.value for result in results)
    _check_minimum(model, rows, problems, results)


def _check_minimum(
    model: _Model, rows: LabelledRows, problems: list[LinearProblem], results: list[Result]
) -> None:
    """Warn if the result is not the minimum; set `separable_`."""
    unpenalised = bool(np.isinf(model.C))
    one_vs_rest = model.multi_class == "ovr"
    if unpenalised and model_separates(
        (model.coef_, model.intercept_),
        rows.X,
        rows.targets,
        rows.row_weights(),
        one_vs_rest=one_vs_rest,
    ):
        message = SEPARABLE
    elif unpenalised and (columns := _diverging_columns(model, rows, problems, results)):
        message = QUASI_SEPARABLE.format(columns=_column_names(model, columns))
    else:
        model.separable_ = False
        solver = "the solver" if model.solver == "auto" else model.solver
        warn_unless_converged("LogisticRegression", results, solver=solver)
        return
    model.separable_ = True
    warnings.warn(message, ConvergenceWarning, stacklevel=caller_level())


def _diverging_columns(
    model: _Model, rows: LabelledRows, problems: list[LinearProblem], results: list[Result]
) -> list[int]:
    """Return the columns whose weights diverge because the classes are quasi-separable."""
    table, targets, n_classes = rows.X, rows.targets, len(rows.classes)
    counted = rows.row_weights() > 0
    for k, (problem, result) in enumerate(zip(problems, results, strict=True)):
        if not newton_step_is_long(problem, result.x):
            continue
        binary = len(problem.shape) == 1
        y = (targets == k) * 1 if binary and n_classes > 2 else targets
        U = recession_direction(
            table[counted],
            y[counted],
            2 if binary else n_classes,
            fit_intercept=model.fit_intercept,
        )
        if U is not None:
            size = np.ptp(U[: table.shape[1]], axis=1)
            return [int(j) for j in np.flatnonzero(size > 1e-6 * size.max())]
    return []


def _reference(model: _Model, classes: Classes) -> int | None:
    """Return the index of the reference class, or None."""
    if model.multi_class != "reference":
        return None
    if model.reference is None:
        return len(classes) - 1
    found = np.flatnonzero(classes == model.reference)
    if len(found) == 0:
        raise ParameterError(
            f"LogisticRegression: reference must be one of the classes {classes.tolist()}; "
            f"got {model.reference!r}."
        )
    return int(found[0])


def _problem(
    model: _Model,
    rows: Data,
    y: npt.NDArray[Any],
    loss: Logistic | Softmax,
    penalty: L2 | None,
    functional: WeightedSum,
    outputs: int | None = None,
    reference: int | None = None,
) -> LinearProblem:
    settings: dict[str, Any] = {"intercept": model.fit_intercept, "outputs": outputs}
    if reference is None:
        return LinearProblem(rows, y, loss, penalty, functional, **settings)
    return ReferenceProblem(rows, y, loss, penalty, functional, reference=reference, **settings)


def _solve_all(
    model: _Model,
    problems: list[LinearProblem],
    classes: Classes,
    space: RowSpace | None,
    shift: ColumnShift,
    dtype: npt.DTypeLike,
) -> list[Result]:
    task = Task.of(model, steps=len(problems) * model.max_iter, verbose=model.verbose)
    found: list[Floats] = []
    results: list[Result] = []
    for k, problem in enumerate(problems):
        weights = partial(_weights, model, problem, classes, space, shift)

        def watch(t: int, now: Iterate, weights: _Weights = weights) -> bool:
            state = lambda: fitted_attributes(model, [*found, weights(now.x)], classes, dtype)  # noqa: E731
            return t > 0 and task.iteration(state)

        start = warm_start_weights(model, problem.shape, k) if space is None else None
        result, model.solver_ = solve(
            problem,
            model.solver,
            shift.start(start, problem.shape),
            owner="LogisticRegression",
            tol=model.tol,
            max_iter=model.max_iter,
            seed=model.random_state,
            callback=watch,
        )
        found.append(weights(result.x))
        results.append(result)
    set_attributes(model, found, results, classes, dtype)
    task.done(lambda: fitted_attributes(model, found, classes, dtype))
    return results


def _weights(
    model: _Model,
    problem: LinearProblem,
    classes: Classes,
    space: RowSpace | None,
    shift: ColumnShift,
    x: Floats,
) -> Floats:
    """Return the weights of the columns and the bias, (d + 1,) or (d + 1, K)."""
    w = x.reshape(problem.shape)
    if w.ndim == 2 and (reference := _reference(model, classes)) is not None:
        w = np.insert(w, reference, 0.0, axis=1)
    elif w.ndim == 2:  # adding a vector to all classes changes nothing: use the least norm
        w = w - w.mean(axis=1, keepdims=True)
    if space is not None:
        d = space.Z.shape[1]
        w = np.concatenate([space.weights(w[:d]), w[d:]])
    return shift.weights(w)


def _column_names(model: _Model, columns: list[int]) -> str:
    """Return the names or indices of the columns, at most the first five."""
    names = getattr(model, "feature_names_in_", None)
    shown = [str(j) if names is None else repr(str(names[j])) for j in columns[:5]]
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    return ", ".join(shown) + more
