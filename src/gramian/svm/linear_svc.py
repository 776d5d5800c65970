"""The linear support vector machine for classification."""

import warnings
from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.weights import ClassWeight
from gramian.base.kinds import Classifier
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import GivenChunk
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats
from gramian.linear_model.common.class_targets import class_outputs
from gramian.linear_model.common.labelled_fit import LabelledFit, LabelledRows
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.glm.solver_choice import MAX_SPARSE_GRAM_COLUMNS, has_converged, solve
from gramian.linear_model.perceptron.separability import separability
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.margin import Hinge, SquaredHinge
from gramian.objectives.penalties import L2, strength_of_mean
from gramian.solvers.coordinate.dual_coordinate import small_ones
from gramian.solvers.coordinate.dual_sweeps import DualSweeps, squared_norms
from gramian.svm.hard_margin import hard_margin
from gramian.svm.linear_svc_chunks import fit_chunks
from gramian.svm.linear_svm import LinearSVM

_PRIMAL_COLUMNS = 1000  # largest number of columns for Newton's method on the primal


class NotSeparableError(DataError):
    """Raised when the classes are not separable, so there is no hard margin."""


@params(
    first=(
        "dual",
        "tol",
        "C",
        "multi_class",
        "fit_intercept",
        "intercept_scaling",
        "class_weight",
    )
)
class LinearSVC(LabelledFit, LinearSVM, LinearScores, CallbackSupportMixin, Classifier):
    """Linear support vector classification.

    With labels y = -1, 1, finds the hyperplane with the widest margin between the classes::

        minimise  1/2 |w|^2 + C sum_i omega_i L(y_i (w . x_i + b)),

    where L(m) = max(0, 1 - m) is the hinge loss (the slack) or its square (Vapnik 1998; Cristianini
    and Shawe-Taylor 2000). The slab |w . x + b| <= 1 is 2 / |w| wide; an infinite C gives the hard
    margin, the widest slab without any rows inside. For a finite C the bias is the weight of a
    constant column with value `intercept_scaling` and is penalised like the other weights, unless
    `penalize_intercept` is False. With more than two classes, each is fitted against the rest and
    the largest score wins. In texts that minimise |w|^2 + C sum xi, C is twice the C used here.

    The hard margin lies between the nearest points of the classes' convex hulls (Bennett and
    Bredensteiner 2000), which Wolfe's algorithm finds exactly. Otherwise the solver is coordinate
    descent on the dual, with shrinking (Hsieh et al. 2008), where a sweep costs as much as reading
    X twice; for the squared hinge loss with more rows than columns, and at
    most 1000 columns (250 if X is sparse), it is Newton's method on the primal. Results are bitwise
    identical for any number of threads.

    Parameters
    ----------
    penalty
        "l2", the squared norm of w; the only penalty supported.
    loss
        "squared_hinge" or "hinge".
    dual
        "auto" chooses as described above; True solves the dual, False the primal ("squared_hinge"
        only).
    tol
        Stop when no row violates its optimality condition by more than this; in the primal, when
        the norm of the mean cost's gradient is at most this. Ignored for the hard margin.
    C
        Cost of slack, the inverse of the regularisation strength. Infinity gives the hard margin;
        an error is raised if no hyperplane separates the classes.
    multi_class
        "ovr": each class against the rest; the only strategy supported.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.
    max_iter
        Maximum number of sweeps (dual) or Newton steps (primal).
    penalize_intercept
        Whether (b / intercept_scaling)^2 is added to |w|^2. "auto": for a finite C, as
        scikit-learn does; not for an infinite one, where it would make the slab narrower.

    Attributes
    ----------
    dual_coef_ : array (1, n) or (K, n)
        beta_i = y_i alpha_i with w = sum_i beta_i x_i. Rows with beta_i other than 0 are the
        support vectors; see `support_report`.
    n_iter_ : int
        The largest number of sweeps or steps over the classes.
    objective_ : array (1,) or (K,)
        The cost above at the solution.

    Examples
    --------
    >>> from gramian import LinearSVC
    >>> model = LinearSVC(C=float("inf"), tol=1e-10).fit([[1.0, 1.0], [-1.0, -1.0]], [1, -1])
    >>> model.coef_.round(6).tolist(), model.dual_coef_.round(6).tolist()
    ([[0.5, 0.5]], [[0.25, -0.25]])
    """

    penalty: Literal["l2"] = "l2"
    loss: Literal["squared_hinge", "hinge"] = "squared_hinge"
    _: KW_ONLY
    dual: bool | Literal["auto"] = "auto"
    multi_class: Literal["ovr"] = "ovr"
    class_weight: ClassWeight = None
    penalize_intercept: bool | Literal["auto"] = "auto"

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> Self:
        """Fit to rows in chunks, by the primal of the squared hinge loss.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass counts the classes;
            every step of every class is another. There are no `dual_coef_`.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import LinearSVC
        >>> chunks = [([[0.0], [3.0]], [0, 1]), ([[1.0], [2.0]], [0, 1])]
        >>> LinearSVC().fit_chunks(chunks).predict([[2.5]]).tolist()
        [1]
        """
        fit_chunks(self, chunks)
        return self

    def _fit_labelled(self, rows: LabelledRows, data: dict[str, Any]) -> Self:
        table, codes, classes, weights = rows.X, rows.targets, rows.classes, rows.row_weights()
        outputs = class_outputs(classes)
        task = Task.of(self, steps=len(outputs), **data, verbose=self.verbose)
        seed = seed_of(self.random_state)
        primal = self._solves_primal(table) or np.isinf(self.C)
        norms = None if primal else squared_norms(table)
        found = []
        for k in outputs:
            signs = np.where(codes == k, 1.0, -1.0)
            found.append(self._fit_one_class(table, signs, weights, norms, seed))
            task.iteration(dict, name="class")
        W, betas, costs, steps, converged, violations = zip(*found, strict=True)
        self.classes_ = classes
        self.coef_ = np.ascontiguousarray(np.array(W)[:, :-1].astype(table.dtype))
        self.intercept_ = np.array(W)[:, -1].astype(table.dtype)
        self.dual_coef_ = np.array(betas)
        self.n_iter_ = int(max(steps))
        self.objective_ = np.array(costs)
        if not all(converged):
            bound = "" if np.isinf(self.C) else f", above tol={self.tol:g}"
            remedy = "max_iter" if np.isinf(self.C) else "max_iter or tol"
            warnings.warn(
                f"LinearSVC: did not converge after max_iter={self.max_iter}: an optimality "
                f"condition is violated by {max(violations):.2g}{bound}. Scale the columns, or "
                f"raise {remedy}.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return self

    def _fit_one_class(
        self, table: Data, y: Floats, weights: Floats, norms: Floats | None, seed: int
    ) -> tuple[Floats, Floats, float, int, bool, float]:
        """Return (w, b), beta, the cost, the steps, whether it converged, the largest violation."""
        if np.isinf(self.C):
            self._check_separable(table, y, weights)
            return self._hard_margin(table, y, weights > 0)
        if norms is None:
            return self._fit_primal(table, y, weights)
        c = self.C * weights
        free, rows, middle = self._has_free_bias(), table, np.zeros(table.shape[1])
        ones = float(self.intercept_scaling) if self.fit_intercept else 0.0
        if free and not sp.issparse(table):  # sweeps then converge faster
            middle = table.mean(axis=0, dtype=float)
            rows = np.asarray(table - middle, dtype=table.dtype)
            norms = squared_norms(rows)
        ones = small_ones(norms, c) if free else ones
        most = np.where(c > 0, np.inf, 0.0) if self.loss == "squared_hinge" else c
        ridge = 0.5 / np.where(c > 0, c, 1.0) if self.loss == "squared_hinge" else 0.0
        low, high = np.where(y < 0, -most, 0.0), np.where(y > 0, most, 0.0)
        solver = DualSweeps(rows, "box", y, low, high, ridge, ones=ones, seed=seed, norms=norms)
        converged, violation = solver.converge(self.tol, self.max_iter, free_bias=free)
        w = np.append(solver.w[:-1], solver.bias - solver.w[:-1] @ middle)
        scores = np.asarray(table @ w[:-1], dtype=float) + w[-1]
        cost = self._cost(w, y, weights, scores)
        return w, solver.beta.copy(), cost, solver.sweeps, converged, violation

    def _hard_margin(
        self, table: Data, y: Floats, counted: npt.NDArray[np.bool_]
    ) -> tuple[Floats, Floats, float, int, bool, float]:
        ones = float(self.intercept_scaling) if self.fit_intercept else 0.0
        margin = hard_margin(
            table[counted],
            y[counted],
            ones=None if self._has_free_bias() else ones,
            max_iter=self.max_iter,
        )
        w, beta = np.append(margin.w, margin.b), np.zeros(len(y))
        beta[counted] = margin.beta
        cost = self._cost(w, y, counted.astype(float), y)
        return w, beta, cost, margin.found.steps, margin.found.converged, margin.found.gap

    def _has_free_bias(self) -> bool:
        """Return whether there is a bias that is not penalised."""
        penalised = self.penalize_intercept
        if penalised == "auto":
            penalised = bool(np.isfinite(self.C))
        return self.fit_intercept and not penalised

    def _solves_primal(self, table: Data) -> bool:
        smooth = self.loss == "squared_hinge" and bool(np.isfinite(self.C))
        if self.dual == "auto":
            n, d = table.shape
            return (
                smooth
                and d < n
                and d <= (MAX_SPARSE_GRAM_COLUMNS if sp.issparse(table) else _PRIMAL_COLUMNS)
            )
        if not self.dual and not smooth:
            raise DataError(
                f"LinearSVC: dual=False needs loss='squared_hinge' and a finite C; got "
                f"loss={self.loss!r}, C={self.C!r}. Use dual='auto'."
            )
        return not self.dual

    def _penalty(self, total: float, n_features: int) -> L2:
        """Return the penalty, for a cost that is divided by C times the total weight."""
        strength = np.full(n_features + self.fit_intercept, strength_of_mean(self.C, total))
        if self._has_free_bias():
            return L2(strength[0])
        if self.fit_intercept:
            strength[-1] /= self.intercept_scaling**2
        return L2(strength if self.intercept_scaling != 1 else strength[0], bias=True)

    def _fit_primal(
        self, table: Data, y: Floats, weights: Floats
    ) -> tuple[Floats, Floats, float, int, bool, float]:
        total = float(weights.sum())
        problem = LinearProblem(
            table,
            y,
            SquaredHinge(),
            self._penalty(total, table.shape[1]),
            WeightedSum(weights / total),
            intercept=self.fit_intercept,
        )
        result, _ = solve(
            problem, "auto", None, owner="LinearSVC", tol=self.tol, max_iter=self.max_iter
        )
        w = result.x if self.fit_intercept else np.append(result.x, 0.0)
        scores = np.asarray(table @ w[:-1], dtype=float) + w[-1]
        beta = -self.C * weights * SquaredHinge().derivative(y, scores)
        cost = self._cost(w, y, weights, scores)
        return w, beta, cost, result.iterations, has_converged(result), result.gradient_norm

    def _check_separable(self, table: Data, y: Floats, weights: Floats) -> None:
        counted = weights > 0
        verdict = separability(table[counted], y[counted], fit_intercept=self.fit_intercept)
        if not verdict.separable:
            raise NotSeparableError(
                "LinearSVC: no hyperplane separates the classes, so there is no hard margin "
                f"(C=inf); the smallest sum of slacks is {verdict.slack:.3g}. Set a finite C."
            )

    def _cost(self, w: Floats, y: Floats, weights: Floats, scores: Floats) -> float:
        loss = SquaredHinge() if self.loss == "squared_hinge" else Hinge()
        bias = 0.0 if self._has_free_bias() else w[-1] / self.intercept_scaling
        slack_cost = 0.0 if np.isinf(self.C) else self.C * float(weights @ loss.value(y, scores))
        return float(w[:-1] @ w[:-1] + bias**2) / 2 + slack_cost
