"""The problem of logistic regression, and the model made from its minimum."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import Instance
from gramian.base.targets import Classes
from gramian.base.types import Data, Floats
from gramian.linear_model.glm.logistic_base import LogisticBase
from gramian.linear_model.glm.quasi_separation import newton_step_is_long, recession_direction
from gramian.linear_model.glm.reference_class import ReferenceProblem
from gramian.linear_model.glm.row_space import RowSpace, is_wide, row_space
from gramian.linear_model.glm.separation import QUASI_SEPARABLE, SEPARABLE, separates
from gramian.linear_model.glm.solver_choice import (
    AUTOMATIC,
    solve,
    warn_unless_converged,
)
from gramian.linear_model.glm.sparse_logistic import learn_sparse
from gramian.objectives.entropy import Logistic, Softmax
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import L2
from gramian.solvers.solver import Iterate, Result

Label = Annotated[Any, Instance((str, int, float, np.generic), "a label")]
MultiClass: TypeAlias = Literal["multinomial", "reference", "ovr"]
_Weights: TypeAlias = Callable[[Floats], Floats]


class LogisticModel(LogisticBase):
    """Fits coefficients to validated data; the parameters are those of `LogisticRegression`."""

    C: float
    l1_ratio: float
    warm_start: bool
    multi_class: MultiClass
    reference: Any

    class_prior_: Floats
    objective_: float
    separable_: bool
    solver_: str
    n_iter_: npt.NDArray[np.int32]

    # The problem

    def _penalty(self, total: float) -> L2 | None:
        """|w|^2 / (2 C), for a cost that is divided by the total weight."""
        return None if np.isinf(self.C) else L2(1 / (2 * self.C * total))

    def _learn(
        self,
        table: Data,
        targets: npt.NDArray[Any],
        classes: Classes,
        weights: Floats,
        mass: Floats,
    ) -> Self:
        if self.l1_ratio > 0 and np.isfinite(self.C):
            learn_sparse(self, table, targets, classes, weights, mass)
            return self
        space = None
        if is_wide(*table.shape, sparse=sp.issparse(table)) and self.solver in AUTOMATIC:
            space = row_space(table)
        rows = table if space is None else space.Z
        total = float(weights.sum())
        common = (self._penalty(total), WeightedSum(weights / total))
        soft = targets.dtype.kind == "f"
        problems: list[LinearProblem]
        if len(classes) == 2:
            problems = [self._problem(rows, targets.astype(float), Logistic(), *common)]
        elif self.multi_class == "ovr":
            problems = [
                self._problem(rows, (targets == k) * 1.0, Logistic(), *common)
                for k in range(len(classes))
            ]
        else:
            y = targets if soft else targets.astype(np.int32)
            reference = self._reference(classes)
            problems = [self._problem(rows, y, Softmax(), *common, len(classes), reference)]
        results = self._solve_all(problems, classes, space, table.dtype)
        self.class_prior_ = mass / total
        self.objective_ = total * sum(result.value for result in results)
        self._report(table, targets, classes, weights, problems, results)
        return self

    def _report(
        self,
        table: Data,
        targets: npt.NDArray[Any],
        classes: Classes,
        weights: Floats,
        problems: list[LinearProblem],
        results: list[Result],
    ) -> None:
        """Warn if the result is not the minimum; set `separable_`."""
        free = bool(np.isinf(self.C))
        if free and self._separates(table, targets, weights):
            message = SEPARABLE
        elif free and (
            moved := self._diverging(table, targets, classes, weights, problems, results)
        ):
            message = QUASI_SEPARABLE.format(columns=_names_of(self, moved))
        else:
            self.separable_ = False
            solver = "the solver" if self.solver == "auto" else self.solver
            warn_unless_converged("LogisticRegression", results, solver=solver)
            return
        self.separable_ = True
        warnings.warn(message, ConvergenceWarning, stacklevel=caller_level())

    def _diverging(
        self,
        table: Data,
        targets: npt.NDArray[Any],
        classes: Classes,
        weights: Floats,
        problems: list[LinearProblem],
        results: list[Result],
    ) -> list[int]:
        """Return the columns whose weights diverge because the classes are quasi-separable."""
        counted = weights > 0
        for k, (problem, result) in enumerate(zip(problems, results, strict=True)):
            if not newton_step_is_long(problem, result.x):
                continue
            one_of_two = len(problem.shape) == 1
            y = (targets == k) * 1 if one_of_two and len(classes) > 2 else targets
            U = recession_direction(
                table[counted],
                y[counted],
                2 if one_of_two else len(classes),
                fit_intercept=self.fit_intercept,
            )
            if U is not None:
                size = np.ptp(U[: table.shape[1]], axis=1)
                return [int(j) for j in np.flatnonzero(size > 1e-6 * size.max())]
        return []

    def _separates(self, table: Data, targets: npt.NDArray[Any], weights: Floats) -> bool:
        Z = np.asarray(table @ self.coef_.T + self.intercept_, dtype=float)
        if len(self.coef_) == 1:
            return separates(Z[:, 0], targets, weights)
        if self.multi_class == "ovr":
            return all(separates(Z[:, k], targets == k, weights) for k in range(Z.shape[1]))
        return separates(Z, targets, weights)

    def _reference(self, classes: Classes) -> int | None:
        """Return the index of the reference class, or None."""
        if self.multi_class != "reference":
            return None
        if self.reference is None:
            return len(classes) - 1
        found = np.flatnonzero(classes == self.reference)
        if len(found) == 0:
            raise ParameterError(
                f"LogisticRegression: reference must be one of the classes {classes.tolist()}; "
                f"got {self.reference!r}."
            )
        return int(found[0])

    def _problem(
        self,
        rows: Data,
        y: npt.NDArray[Any],
        loss: Logistic | Softmax,
        penalty: L2 | None,
        functional: WeightedSum,
        outputs: int | None = None,
        reference: int | None = None,
    ) -> LinearProblem:
        settings: dict[str, Any] = {"intercept": self.fit_intercept, "outputs": outputs}
        if reference is None:
            return LinearProblem(rows, y, loss, penalty, functional, **settings)
        return ReferenceProblem(rows, y, loss, penalty, functional, reference=reference, **settings)

    # The solution

    def _start(self, shape: tuple[int, ...], k: int = 0) -> Floats | None:
        """Return the previous fit's weights if requested and if the shape matches."""
        if not self.warm_start or not hasattr(self, "coef_"):
            return None
        w = self.coef_[k] if len(shape) == 1 else self.coef_.T
        if self.fit_intercept:
            w = np.concatenate(
                [w, self.intercept_[k : k + 1] if w.ndim == 1 else self.intercept_[None]]
            )
        return w.astype(float).reshape(-1) if w.shape == shape else None

    def _solve_all(
        self,
        problems: list[LinearProblem],
        classes: Classes,
        space: RowSpace | None,
        dtype: Any,
    ) -> list[Result]:
        task = Task.of(self, steps=len(problems) * self.max_iter, verbose=self.verbose)
        found: list[Floats] = []
        results: list[Result] = []
        for k, problem in enumerate(problems):
            weights = partial(self._weights, problem, classes, space)

            def watch(t: int, now: Iterate, weights: _Weights = weights) -> bool:
                state = lambda: self._attributes([*found, weights(now.x)], classes, dtype)  # noqa: E731
                return t > 0 and task.iteration(state)

            result, self.solver_ = solve(
                problem,
                self.solver,
                self._start(problem.shape, k) if space is None else None,
                owner="LogisticRegression",
                tol=self.tol,
                max_iter=self.max_iter,
                seed=self.random_state,
                callback=watch,
            )
            found.append(weights(result.x))
            results.append(result)
        self._set_fit(found, results, classes, dtype)
        task.done(lambda: self._attributes(found, classes, dtype))
        return results

    def _weights(
        self, problem: LinearProblem, classes: Classes, space: RowSpace | None, x: Floats
    ) -> Floats:
        """Return weights of the columns and the bias, (d + 1,) or (d + 1, K), of the unknowns."""
        w = x.reshape(problem.shape)
        if w.ndim == 2 and (reference := self._reference(classes)) is not None:
            w = np.insert(w, reference, 0.0, axis=1)
        elif w.ndim == 2:  # adding one vector to all classes changes nothing: take the least norm
            w = w - w.mean(axis=1, keepdims=True)
        if space is None:
            return w
        d = space.Z.shape[1]
        return np.concatenate([space.weights(w[:d]), w[d:]])

    def _attributes(self, found: list[Floats], classes: Classes, dtype: Any) -> dict[str, Any]:
        """Return coefficients, bias and labels as fitted attributes."""
        W = np.column_stack(found).T.astype(dtype)
        if len(found) > 1 and len(W) < len(classes):  # one against the rest, unfinished
            W = np.concatenate([W, np.zeros((len(classes) - len(W), W.shape[1]), dtype)])
        coef = np.ascontiguousarray(W[:, :-1] if self.fit_intercept else W)
        bias = W[:, -1].copy() if self.fit_intercept else np.zeros(len(W), dtype)
        return {"coef_": coef, "intercept_": bias, "classes_": classes}

    def _set_fit(
        self, found: list[Floats], results: list[Result], classes: Classes, dtype: Any
    ) -> None:
        for name, value in self._attributes(found, classes, dtype).items():
            setattr(self, name, value)
        self.n_iter_ = np.array([result.iterations for result in results], dtype=np.int32)


def _names_of(model: LogisticModel, columns: list[int]) -> str:
    """Return the names or indices of the columns, at most the first five."""
    names = getattr(model, "feature_names_in_", None)
    shown = [str(j) if names is None else repr(str(names[j])) for j in columns[:5]]
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    return ", ".join(shown) + more
