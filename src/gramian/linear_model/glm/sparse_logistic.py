"""Logistic regression with an l1 or elastic-net penalty: the solvers, and the path over C.

    sum_i omega_i [log(1 + exp(z_i)) - y_i z_i] + (l1_ratio |w|_1 + (1 - l1_ratio)/2 |w|^2) / C

Two classes, and each class against the rest, by working sets and proximal Newton with a certified
duality gap (core/lasso/logistic.hpp); softmax by accelerated proximal gradients.
"""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_X_y

from gramian import _native
from gramian.base.callbacks import Task
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.inputs.gate import check_size
from gramian.base.rows.moments import Vector
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linear_model.common.labelled_fit import LabelledRows
from gramian.linear_model.glm.column_shift import ColumnShift
from gramian.linear_model.glm.logistic_attributes import fitted_attributes, warm_start_weights
from gramian.linear_model.lasso.sparse_problem import column_table
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import ElasticNet, strength_of_mean
from gramian.solvers.first_order.proximal_gradient import ProximalGradient

if TYPE_CHECKING:
    from gramian.linear_model.glm.logistic_regression import LogisticRegression


@dataclass(frozen=True)
class LogisticPath:
    """Solutions along a grid of C.

    Attributes
    ----------
    Cs
        Inverse penalties in ascending order (most zeros first).
    coef
        (k, d).
    intercept
        (k,).
    gaps
        Duality gaps: upper bounds on the cost minus its minimum, divided by the total weight.
    n_iter
        Newton steps for each C.
    converged
        Whether each gap reached the tolerance.
    """

    Cs: Vector
    coef: Matrix
    intercept: Vector
    gaps: Vector
    n_iter: npt.NDArray[np.int64]
    converged: npt.NDArray[np.bool_]


def logistic_path(
    X: Table,
    y: npt.ArrayLike,
    *,
    Cs: int | npt.ArrayLike = 20,
    l1_ratio: float = 1.0,
    eps: float = 1e-2,
    fit_intercept: bool = True,
    tol: float = 1e-4,
    max_iter: int = 1000,
) -> LogisticPath:
    """Fit l1 or elastic-net logistic regression of two classes for every C of a grid.

    Parameters
    ----------
    X
        Array or sparse matrix (n, d); Fortran order and CSC are used without a copy.
    y
        Labels 0 and 1, or the probability of 1.
    Cs
        Values of C, or their number: then they go from the largest C with all weights 0 to 1 /
        `eps` times that.
    l1_ratio
        Fraction of the l1 penalty, > 0.
    eps
        Ratio of the least to the largest C of the grid.
    fit_intercept
        Whether to fit a bias.
    tol
        Stop when the duality gap is at most this fraction of the cost at w = 0.
    max_iter
        Maximum number of Newton steps for each C.

    Returns
    -------
    LogisticPath

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.linear_model import logistic_path
    >>> X = np.random.default_rng(0).normal(size=(100, 5))
    >>> path = logistic_path(X, X[:, 0] > 0, Cs=3)
    >>> (path.coef != 0).sum(axis=1).tolist()[:2]
    [0, 1]
    """
    checked = check_X_y(X, y, accept_sparse="csc", dtype=[np.float64, np.float32], order="F")
    table, targets = checked[0], np.asarray(checked[1], dtype=np.float64)
    if not 0 < l1_ratio <= 1:
        raise ParameterError(f"logistic_path: l1_ratio must be in (0, 1]; got {l1_ratio!r}.")
    if (targets < 0).any() or (targets > 1).any() or targets.min() == targets.max():
        raise DataError("logistic_path: y must contain both 0 and 1, or probabilities.")
    fit = _SparseFit(table, targets, np.ones(len(targets)), intercept=fit_intercept)
    if np.ndim(Cs) == 0:
        least = l1_ratio / max(fit.max_gradient * len(targets), 1e-300)
        values = np.geomspace(least, least / eps, int(np.asarray(Cs)))
    else:
        values = np.sort(np.asarray(Cs, dtype=np.float64))
        if len(values) == 0 or not (values > 0).all() or not np.isfinite(values).all():
            raise ParameterError(f"logistic_path: Cs must be positive and finite; got {Cs!r}.")
    return fit.path(values, l1_ratio, tol, max_iter)


class _SparseFit:
    """Fits two classes for any C, each warm-started from the last; weights need not sum to 1."""

    def __init__(self, X: Data, y: Vector, weights: Vector, *, intercept: bool) -> None:
        self.d = X.shape[1]
        self.total = float(weights.sum())
        self._table = column_table(X, np.ones(X.shape[0]), centre=False)
        normalised = weights / self.total
        self._path = _native.LogisticPath(self._table, y, normalised, bool(intercept))
        gradient = np.empty(self.d)
        self.null_cost = self._path.start(gradient)
        self.max_gradient = float(np.abs(gradient).max(initial=0.0))

    def path(self, Cs: Vector, l1_ratio: float, tol: float, max_iter: int) -> LogisticPath:
        coef, found = np.empty((len(Cs), self.d)), []
        for C, row in zip(Cs, coef, strict=True):
            strength = 1 / (C * self.total)
            l1, l2 = strength * l1_ratio, strength * (1 - l1_ratio)
            found.append(self._path.solve(l1, l2, tol * self.null_cost, max_iter, row))
        gaps, steps, converged, bias = (np.array(part) for part in zip(*found, strict=True))
        return LogisticPath(Cs, coef, bias, gaps, steps, converged)


def fit_l1_table(model: "LogisticRegression", rows: LabelledRows) -> None:
    """Fit a `LogisticRegression` whose penalty has an l1 part, and set its attributes."""
    table, targets, classes, weights = rows.X, rows.targets, rows.classes, rows.row_weights()
    total = float(weights.sum())
    several = len(classes) > 2 and model.multi_class != "ovr"
    if several and model.multi_class == "reference":
        raise ParameterError(
            "LogisticRegression: multi_class='reference' does not support an l1 penalty, whose "
            "effect would depend on the reference class; use 'multinomial' or 'ovr', or "
            "l1_ratio=0."
        )
    task = Task.of(model, steps=1 if several or len(classes) == 2 else len(classes))
    if several:
        found, steps, objective, converged = _softmax(model, table, targets, weights, len(classes))
        model.solver_ = "ProximalGradient"
    else:
        binary = [targets] if len(classes) == 2 else [targets == k for k in range(len(classes))]
        found, steps, objective, converged = [], [], 0.0, True
        for members in binary:
            y = np.asarray(members, dtype=np.float64)
            fit = _SparseFit(table, y, weights, intercept=model.fit_intercept)
            path = fit.path(np.array([model.C]), model.l1_ratio, model.tol, model.max_iter)
            w = np.append(path.coef[0], path.intercept if model.fit_intercept else [])
            found.append(w)
            steps.append(int(path.n_iter[0]))
            converged &= bool(path.converged[0])
            z = table @ path.coef[0] + path.intercept[0]
            objective += float(weights @ Logistic().value(y, z))
            objective += ElasticNet(1 / model.C, model.l1_ratio).value(path.coef[0])
            task.iteration(lambda: fitted_attributes(model, found, classes, table.dtype))
        model.solver_ = "ProximalNewton"
    for name, value in fitted_attributes(model, found, classes, table.dtype).items():
        setattr(model, name, value)
    model.n_iter_ = np.array(steps, dtype=np.int32)
    model.class_prior_ = rows.class_totals / total
    model.objective_ = objective
    model.separable_ = False
    task.done(lambda: fitted_attributes(model, found, classes, table.dtype))
    if not converged:
        warnings.warn(
            f"LogisticRegression: did not converge after max_iter={model.max_iter} steps; raise "
            "max_iter or tol, or scale the columns of X.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )


def _softmax(
    model: "LogisticRegression", table: Data, targets: npt.NDArray[Any], weights: Floats, K: int
) -> tuple[list[Floats], list[int], float, bool]:
    check_size(model, "X", table)
    total = float(weights.sum())
    shift = ColumnShift.of(table, weights, intercept=model.fit_intercept)
    table = shift.rows(table)
    y = targets if targets.dtype.kind == "f" else targets.astype(np.int32)
    problem = LinearProblem(
        table,
        y,
        Softmax(),
        ElasticNet(strength_of_mean(model.C, total), model.l1_ratio),
        WeightedSum(weights / total),
        intercept=model.fit_intercept,
        outputs=K,
    )
    solver = ProximalGradient(tol=model.tol, max_iter=100 * model.max_iter)
    start = shift.start(warm_start_weights(model, problem.shape), problem.shape)
    result = solver.minimize(problem, start, trace=False)
    return (
        [shift.weights(result.x.reshape(problem.shape))],
        [result.iterations],
        total * result.value,
        result.converged,
    )
