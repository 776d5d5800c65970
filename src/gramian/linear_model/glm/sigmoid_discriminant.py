"""A sigmoid unit trained with squared error."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from gramian.base.callbacks import CallbackSupportMixin, Task
from gramian.base.fields import KW_ONLY, Count, NonNegative, Seed, params
from gramian.base.kinds import Classifier
from gramian.base.types import Floats, Matrix, Table
from gramian.linear_model.common.class_targets import class_outputs
from gramian.linear_model.common.labelled_fit import LabelledFit, LabelledRows
from gramian.linear_model.glm.column_shift import ColumnShift
from gramian.linear_model.glm.log_odds import LogOdds
from gramian.linear_model.glm.solver_choice import solve, warn_unless_converged
from gramian.objectives.functionals import Mean, WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import L2
from gramian.objectives.regression import SquaredError
from gramian.objectives.sigmoid_loss import SigmoidLoss


@params
class SigmoidDiscriminant(LabelledFit, LogOdds, CallbackSupportMixin, Classifier):
    """Sigmoid discriminant by least squares.

    Each output is s = 1 / (1 + exp(-w . x - b)); with r = 1 for its class and 0 for others::

        minimise  mean_i (r_i - s_i)^2 / 2 + alpha / 2 |w|^2,
        step:     w <- w + eta sum_i (r_i - s_i) s_i (1 - s_i) x_i.

    Two classes need one output; K > 2 classes have K independent ones (Alpaydin 2014, 10.7.2). The
    factor s (1 - s) gives rows far on the wrong side little weight. So the model is less sensitive
    to outliers than `LogisticRegression`, but the cost is not convex, and the solver may stop at a
    local minimum.

    Parameters
    ----------
    alpha
        Strength of the penalty; 0 disables it.
    fit_intercept
        Whether to fit a bias b.
    solver
        "lbfgs"; "gradient" and "sgd" are textbook implementations.
    max_iter
        Maximum number of solver steps.
    tol
        Stop when the norm of the cost's gradient is at most this.
    random_state
        Seed or generator for the random draws of "sgd".

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    coef_ : array (1, d) or (K, d)
        w of each output; a single row for two classes.
    intercept_ : array (1,) or (K,)
        b of each output.
    n_iter_ : int
        The largest number of steps over the outputs.
    objective_ : float
        The sum of the outputs' costs.

    Examples
    --------
    >>> from gramian import SigmoidDiscriminant
    >>> model = SigmoidDiscriminant(alpha=0.01).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.predict([[1.5], [2.5]])
    array([0, 1])
    """

    _: KW_ONLY
    alpha: NonNegative = 1e-4
    fit_intercept: bool = True
    solver: Literal["lbfgs", "gradient", "sgd"] = "lbfgs"
    max_iter: Count = 1000
    tol: NonNegative = 1e-5
    random_state: Seed = None

    def _fit_labelled(self, rows: LabelledRows, data: dict[str, Any]) -> Self:
        table, codes, classes, weights, _ = rows
        functional = Mean() if weights is None else WeightedSum(weights / weights.sum())
        penalty = L2(self.alpha) if self.alpha > 0 else None
        loss = SigmoidLoss(SquaredError())
        task = Task.of(self, steps=None, **data)
        shift = ColumnShift.of(table, rows.row_weights(), intercept=self.fit_intercept)
        table = shift.rows(table)
        W, results = [], []
        for k in class_outputs(classes):
            problem = LinearProblem(
                table, (codes == k) * 1.0, loss, penalty, functional, intercept=self.fit_intercept
            )
            result, _ = solve(
                problem,
                self.solver,
                None,
                owner="SigmoidDiscriminant",
                tol=self.tol,
                max_iter=self.max_iter,
                seed=self.random_state,
                callback=lambda t, now: t > 0 and task.iteration(dict),  # noqa: ARG005
            )
            results.append(result)
            w, b = problem.unpack(result.x)
            W.append(shift.weights(np.append(w, b)))
        self.classes_ = classes
        self._set(np.stack(W), table.dtype)
        self.n_iter_ = max(result.iterations for result in results)
        self.objective_ = float(sum(result.value for result in results))
        warn_unless_converged("SigmoidDiscriminant", results)
        task.done(dict)
        return self

    def _set(self, W: Floats, dtype: npt.DTypeLike) -> None:
        self.coef_ = np.ascontiguousarray(W[:, :-1], dtype=dtype)
        self.intercept_ = W[:, -1].astype(dtype)

    def predict_proba(self, X: Table) -> Matrix:
        """Return the outputs; for K > 2 classes, divided by their sum."""
        z = self.decision_function(X)
        if z.ndim == 1:
            return super().predict_proba(X)
        each = expit(z)
        return np.asarray(each / each.sum(axis=1, keepdims=True))
