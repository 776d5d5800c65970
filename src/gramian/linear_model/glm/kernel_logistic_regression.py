"""Kernel logistic regression."""

import warnings
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, Count, Positive, Seed, params
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import ClassWeight, check_weights, weigh_classes
from gramian.base.kinds import Classifier, LogProbabilities
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.table_products import times
from gramian.base.runtime.lapack import cholesky, solve_by_cholesky
from gramian.base.types import Floats, Matrix, Table
from gramian.kernels.kernel_method import KernelMethod
from gramian.kernels.matrix import checked_kernel_matrix
from gramian.linear_model.common.class_targets import check_classes, class_outputs
from gramian.objectives.entropy import Logistic

_LOSS = Logistic()


class DualFit(NamedTuple):
    """Weights a, the intercept b, iterations and whether they converged."""

    a: Floats
    b: float
    n_iter: int
    converged: bool


@params(first=("alpha", "kernel", "gamma", "degree", "coef0", "kernel_params"))
class KernelLogisticRegression(LogProbabilities, KernelMethod, CallbackSupportMixin, Classifier):
    """Logistic regression on the features of a kernel.

    With f(x) = sum_i a_i k(x_i, x) + b and s(z) = 1 / (1 + exp(-z)) it minimises ::

        sum_i w_i [-y_i ln s(f_i) - (1 - y_i) ln(1 - s(f_i))] + alpha/2 a' K a,    y_i in {0, 1}.

    The gradient in feature space is a combination of the rows, so a step of gradient descent is a
    <- a + eps (w (y - s(K a + b)) - alpha a). With more than two classes, each is fitted against
    the rest, and the probabilities are divided by their sum. The kernel matrix is stored: n^2
    numbers.

    Parameters
    ----------
    alpha
        Strength of the penalty.
    fit_intercept
        Whether to fit b, which is not penalised.
    solver
        "newton": reweighted least squares, O(n^3) per iteration, few iterations. "gradient": the
        step above for all rows at once, O(n^2) each. "sgd": one row at a time in random order,
        O(n) each, because q = K a is maintained.
    eta0
        Step size eps; None means, for "gradient", 1 / (alpha + L / 4) with L the largest row sum of
        |K|, a bound on its eigenvalues, and for "sgd" 1 / (alpha / n + largest K_ii / 4), which
        then falls as 1 / t.
    tol
        Stop when no entry of w (y - s(f)) - alpha a exceeds `tol` times the largest weight.
    max_iter
        Maximum number of iterations; of epochs for "sgd".
    class_weight
        Weights of the classes: a dict, "balanced" or None.
    random_state
        Seed or generator for the order of rows of "sgd".

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    dual_coef_ : array (n,) or (n, K)
        The weights a_i, one column per class if there are more than two.
    intercept_ : array (1,) or (K,)
        The b.
    n_iter_ : int
        Iterations made.

    Examples
    --------
    >>> from gramian.linear_model import KernelLogisticRegression
    >>> X, y = [[-2.0], [-0.5], [0.5], [2.0]], [1, 0, 0, 1]
    >>> model = KernelLogisticRegression(alpha=0.1, gamma=1.0).fit(X, y)
    >>> model.predict([[0.0], [3.0]]).tolist()
    [0, 1]
    """

    model_family = "discriminative"

    _: KW_ONLY
    alpha: Positive = 1.0
    fit_intercept: bool = True
    solver: Literal["newton", "gradient", "sgd"] = "newton"
    eta0: Positive | None = None
    tol: Positive = 1e-6
    max_iter: Count = 1000
    class_weight: dict[Any, float] | Literal["balanced"] | None = None
    random_state: Seed = None

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d); the square kernel matrix for a precomputed kernel.
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        n = table.shape[0]
        codes, classes = check_labels(self, y, n)
        weights = check_weights(self, sample_weight, n)
        check_size(self, "sample_weight", weights, 1e100)
        class_weight: ClassWeight = self.class_weight
        weights = weigh_classes("KernelLogisticRegression", class_weight, codes, classes, weights)
        w = np.ones(n) if weights is None else weights
        mass = np.bincount(codes, weights=w, minlength=len(classes)).astype(float)
        check_classes("KernelLogisticRegression", classes, mass)
        kernel = self._check_kernel(table, weights)
        K = checked_kernel_matrix("KernelLogisticRegression", kernel, table)
        K = K.astype(np.float64, copy=False)
        outputs = class_outputs(classes)
        task = Task.of(self, steps=len(outputs), X=X, y=y)
        fits = []
        for positive in outputs:
            fits.append(self._solve(K, (codes == positive).astype(float), w))
            task.iteration(dict, name="class")
        dual = np.column_stack([fit.a for fit in fits])
        self.classes_, self.kernel_, self.X_fit_ = classes, kernel, table
        self.dual_coef_ = (dual[:, 0] if len(outputs) == 1 else dual).astype(table.dtype)
        self.intercept_ = np.array([fit.b for fit in fits]).astype(table.dtype)
        self.n_iter_ = max(fit.n_iter for fit in fits)
        if not all(fit.converged for fit in fits):
            warnings.warn(
                f"KernelLogisticRegression: did not converge after max_iter={self.max_iter} "
                "iterations; raise max_iter or tol, or use solver='newton'.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return self

    def _solve(self, K: Floats, y: Floats, w: Floats) -> DualFit:
        match self.solver:
            case "newton":
                return self._newton(K, y, w)
            case "gradient":
                return self._gradient_descent(K, y, w)
            case _:
                return self._stochastic_descent(K, y, w)

    def _cost(self, K: Floats, a: Floats, b: float, y: Floats, w: Floats) -> float:
        q = _product(K, a)
        return float(w @ _LOSS.value(y, q + b) + 0.5 * self.alpha * (a @ q))

    def _residual(self, a: Floats, f: Floats, y: Floats, w: Floats) -> tuple[Floats, float]:
        """Return w (y - s(f)), and the largest entry of the gradient in terms of a."""
        r = -w * _LOSS.derivative(y, f)
        size = float(np.abs(r - self.alpha * a).max())
        return r, max(size, abs(float(r.sum()))) if self.fit_intercept else size

    def _newton(self, K: Floats, y: Floats, w: Floats) -> DualFit:
        """Iterate reweighted least squares: (K + alpha S^-1) a + b = f + S^-1 r, sum a = 0."""
        n = len(y)
        a, b = np.zeros(n), 0.0
        scale = float(w.max())
        cost = self._cost(K, a, b, y, w)
        for iteration in range(1, self.max_iter + 1):
            f = _product(K, a) + b
            r, size = self._residual(a, f, y, w)
            if size <= self.tol * scale:
                return DualFit(a, b, max(1, iteration - 1), True)
            root = np.sqrt(w * np.maximum(_LOSS.curvature(y, f), 1e-12))
            A = K * root[:, None]
            A *= root
            A.flat[:: n + 1] += self.alpha
            L, failed = cholesky(A)
            if failed:
                A.flat[:: n + 1] += 1e-8 * float(np.trace(A)) / n
                L, failed = cholesky(A)
            if failed:  # an indefinite kernel
                return DualFit(a, b, iteration, False)
            response = root * f + np.divide(r, root, out=np.zeros(n), where=root > 0)
            u, v = (root[:, None] * solve_by_cholesky(L, np.column_stack([response, root]))).T
            new_b = float(u.sum() / v.sum()) if self.fit_intercept else 0.0
            new_a = u - new_b * v
            step = 1.0
            while step > 1e-8:
                trial_a, trial_b = a + step * (new_a - a), b + step * (new_b - b)
                trial = self._cost(K, trial_a, trial_b, y, w)
                if trial <= cost:
                    break
                step /= 2
            else:
                return DualFit(a, b, iteration, True)  # no lower cost in double precision
            a, b, cost = trial_a, trial_b, trial
        return DualFit(a, b, self.max_iter, False)

    def _gradient_descent(self, K: Floats, y: Floats, w: Floats) -> DualFit:
        """Take gradient steps for all rows at once."""
        n = len(y)
        scale = float(w.max())
        rows = np.abs(K).sum(axis=1).max() + (n if self.fit_intercept else 0)
        step = self.eta0 or 1.0 / (self.alpha + scale * float(rows) / 4.0)
        a, b = np.zeros(n), 0.0
        for iteration in range(1, self.max_iter + 1):
            r, size = self._residual(a, _product(K, a) + b, y, w)
            if size <= self.tol * scale:
                return DualFit(a, b, max(1, iteration - 1), True)
            a += step * (r - self.alpha * a)
            b += step * float(r.sum()) if self.fit_intercept else 0.0
        return DualFit(a, b, self.max_iter, False)

    def _stochastic_descent(self, K: Floats, y: Floats, w: Floats) -> DualFit:
        """Take gradient steps for one row at a time, with q = K a updated in O(n)."""
        n = len(y)
        scale = float(w.max())
        largest = scale * (float(np.diag(K).max()) + self.fit_intercept) / 4.0
        first = self.eta0 or 1.0 / (self.alpha / n + largest)
        a, q, b, t = np.zeros(n), np.zeros(n), 0.0, 0
        rng = stream(seed_of(self.random_state))
        for epoch in range(1, self.max_iter + 1):
            for i in rng.permutation(n):
                step = first / (1.0 + first * self.alpha / n * t)
                t += 1
                shrink = 1.0 - step * self.alpha / n
                change = step * w[i] * (y[i] - expit(q[i] + b))
                a *= shrink
                q *= shrink
                a[i] += change
                q += change * K[i]
                b += change if self.fit_intercept else 0.0
            if self._residual(a, q + b, y, w)[1] <= self.tol * scale:
                return DualFit(a, b, epoch, True)
        return DualFit(a, b, self.max_iter, False)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if self.intercept_.shape != (1 if self.dual_coef_.ndim == 1 else len(self.classes_),):
            raise DataError("KernelLogisticRegression: intercept_ must have one value per class.")

    def decision_function(self, X: Table) -> Matrix:
        """Return f of each row: the log-odds of the second class, or one column per class.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        f : array of shape (m,) or (m, K)
        """
        f = self._predict_values(X)
        return np.asarray(f + (self.intercept_[0] if f.ndim == 1 else self.intercept_))

    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each class.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        p : array of shape (m, K)
        """
        f = self.decision_function(X)
        if f.ndim == 1:
            return np.column_stack([expit(-f), expit(f)])
        each = expit(f)
        total: Floats = each.sum(axis=1, keepdims=True)
        even = np.full_like(each, 1.0 / each.shape[1])
        return np.asarray(np.divide(each, total, out=even, where=total > 0))

    def predict(self, X: Table) -> Classes:
        """Return the most probable class of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        labels : array of shape (m,)
        """
        f = self.decision_function(X)
        codes = (f > 0).astype(np.intp) if f.ndim == 1 else f.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels


def _product(K: Floats, a: Floats) -> Floats:
    return times(K, a[:, None])[:, 0]
