"""Bayesian linear regression."""

from functools import partial
from typing import Any, ClassVar, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Count, NonNegative, NonNegativeInt, Positive, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.rows.moments import Rows, Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix, Table, Weights
from gramian.linear_model.common.linear_prediction import LinearPrediction, check_model

_TINY = np.finfo(np.float64).tiny
_MIN_RELATIVE_SIZE = (
    1e-6  # relative size below which parts of a Gram matrix have lost too many digits
)


@params
class BayesianRidge(CallbackSupportMixin, LinearPrediction, Regressor):
    """Linear regression with a Gaussian prior, with precisions chosen by the evidence.

    If the noise has precision alpha and the coefficients are N(0, I / lambda), the posterior is
    Gaussian,

        S = (lambda I + alpha X'X)^-1,    m = alpha S X'y,

    and so is the prediction at x, with mean m'x and variance 1 / alpha + x'Sx (Bishop 2006, 3.3).
    The evidence p(y | alpha, lambda) is maximised by MacKay's fixed-point iteration
    gamma = sum_k alpha s_k^2 / (lambda + alpha s_k^2), lambda = gamma / m'm, alpha = (n - gamma) /
    |y - Xm|^2 (Bishop 2006, 3.5), with Gamma priors of both precisions. After one singular value
    decomposition, O(n d^2), an iteration costs O(d^2).

    Parameters
    ----------
    max_iter
        Maximum number of iterations.
    tol
        Stop when the sum of absolute changes of the coefficients is below this.
    alpha_1
        Shape of the Gamma prior of alpha.
    alpha_2
        Rate of the Gamma prior of alpha.
    lambda_1
        Shape of the Gamma prior of lambda.
    lambda_2
        Rate of the Gamma prior of lambda.
    alpha_init
        Initial alpha, the precision of the noise; None means 1 / variance of y.
    lambda_init
        Initial lambda, the precision of the coefficients; None means 1.
    compute_score
        Whether to record the log marginal likelihood of every iteration in `scores_`.
    fit_intercept
        Whether to fit an intercept, which has no prior: the columns are centred.
    copy_X
        Ignored; present for scikit-learn compatibility.
    verbose
        Whether to print a line for each iteration.
    optimize
        Whether to choose the precisions by the evidence. False keeps `alpha_init` and
        `lambda_init`: the posterior for a known prior and noise.

    Attributes
    ----------
    coef_
        Posterior mean of the coefficients, m.
    intercept_
        The intercept.
    alpha_
        Precision of the noise.
    lambda_
        Precision of the coefficients.
    sigma_
        Posterior covariance of the coefficients, S.
    scores_
        Log marginal likelihood, with the priors of the precisions, of every iteration and of the
        result; empty unless `compute_score`.
    log_evidence_
        log p(y | alpha_, lambda_), for comparing models of the same data.
    n_iter_
        Number of iterations; 1 with `optimize=False`.
    X_offset_
        Means of the columns, which are subtracted; 0 without an intercept.
    X_scale_
        Ones; present for scikit-learn compatibility.

    Examples
    --------
    >>> from gramian import BayesianRidge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9]
    >>> model = BayesianRidge().fit(X, y)
    >>> mean, std = model.predict([[1.5], [10.0]], return_std=True)
    >>> mean.round(2), bool(std[1] > std[0])
    (array([1.5 , 9.64]), True)
    """

    takes_sparse: ClassVar[bool] = False
    tags: ClassVar[Tags] = {"target_tags.multi_output": False}

    _: KW_ONLY
    max_iter: Count = 300
    tol: Positive = 1e-3
    alpha_1: NonNegative = 1e-6
    alpha_2: NonNegative = 1e-6
    lambda_1: NonNegative = 1e-6
    lambda_2: NonNegative = 1e-6
    alpha_init: NonNegative | None = None
    lambda_init: NonNegative | None = None
    compute_score: bool = False
    fit_intercept: bool = True
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    verbose: bool | NonNegativeInt = False
    optimize: bool = True

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table, 1e100)
        targets = check_targets(self, y, table.shape[0])
        check_size(self, "y", targets, 1e100)
        weights = check_weights(self, sample_weight, table.shape[0])
        check_size(self, "sample_weight", weights, 1e100)
        if not self.optimize and (self.alpha_init is None or self.lambda_init is None):
            raise ParameterError(
                "BayesianRidge: optimize=False keeps the initial precisions; set alpha_init and "
                "lambda_init."
            )
        problem = _SingularProblem.of(table, targets, weights, bool(self.fit_intercept))
        alpha = 1 / (problem.variance + float(np.finfo(float).eps))
        alpha = alpha if self.alpha_init is None else float(self.alpha_init)
        scale = 1.0 if self.lambda_init is None else float(self.lambda_init)
        self.n_iter_ = 1
        scores: list[float] = []
        if self.optimize:
            alpha, scale = self._maximise(problem, alpha, scale, scores, X, y)
        coef = problem.Vt.T @ problem.solve(alpha, scale)
        intercept = np.array([problem.y_mean - problem.means @ coef])
        check_model(self, coef, intercept)
        if self.compute_score:
            scores.append(self._score(problem, alpha, scale))
        self._set_model(coef[None], intercept, table.dtype, one_target=True)
        self.alpha_, self.lambda_ = float(alpha), float(scale)
        self.sigma_ = problem.covariance(alpha, scale).astype(table.dtype)
        self.scores_ = np.array(scores)
        self.log_evidence_ = problem.log_evidence(alpha, scale)
        self.X_offset_ = problem.means.astype(table.dtype)
        self.X_scale_ = np.ones(table.shape[1], dtype=table.dtype)
        return self

    def _maximise(
        self,
        problem: "_SingularProblem",
        alpha: float,
        scale: float,
        scores: list[float],
        X: Table,
        y: npt.ArrayLike,
    ) -> tuple[float, float]:
        """Iterate the two precisions until the coefficients converge."""
        task = Task.of(self, steps=self.max_iter, X=X, y=y, verbose=self.verbose)
        previous: Vector | None = None
        for t in range(1, self.max_iter + 1):
            c = problem.solve(alpha, scale)
            coef = problem.Vt.T @ c
            if self.compute_score:
                scores.append(self._score(problem, alpha, scale))
            power = alpha * problem.s**2
            gamma = float((power / np.maximum(scale + power, _TINY)).sum())
            scale = (gamma + 2 * self.lambda_1) / max(float(c @ c) + 2 * self.lambda_2, _TINY)
            squared_error = problem.squares(c)
            alpha = (problem.weight - gamma + 2 * self.alpha_1) / max(
                squared_error + 2 * self.alpha_2, _TINY
            )
            alpha = max(alpha, _TINY)
            self.n_iter_ = t
            if task.iteration(partial(dict, coef_=coef)):
                break
            if previous is not None and np.abs(previous - coef).sum() < self.tol:
                break
            previous = coef
        else:
            if self.max_iter > 1:
                warn(
                    f"BayesianRidge: the coefficients still change after max_iter={self.max_iter} "
                    "iterations; raise max_iter or tol, or scale y.",
                    ConvergenceWarning,
                    stacklevel=caller_level(),
                )
        task.done(partial(dict, coef_=coef))
        return alpha, scale

    def _score(self, problem: "_SingularProblem", alpha: float, scale: float) -> float:
        """Return the log evidence plus the log priors of the precisions, up to constants."""
        with np.errstate(divide="ignore"):
            priors = self.lambda_1 * np.log(scale) - self.lambda_2 * scale
            priors += self.alpha_1 * np.log(alpha) - self.alpha_2 * alpha
        return float(problem.log_evidence(alpha, scale) + priors)

    def predict(self, X: Table, return_std: bool = False) -> Any:
        """Return the predictive means and, if requested, their standard deviations.

        Parameters
        ----------
        X
            Array (m, d).
        return_std
            Whether to return standard deviations too, of the noise and the coefficients together.

        Returns
        -------
        mean : array (m,)
        std : array (m,)
            Only if `return_std`.
        """
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        mean = table @ self.coef_ + self.intercept_
        if not return_std:
            return mean
        centred = table - self.X_offset_
        variance = ((centred @ self.sigma_) * centred).sum(axis=1) + 1 / self.alpha_
        return mean, np.sqrt(variance).astype(mean.dtype)


class _SingularProblem(NamedTuple):
    """The problem along the singular vectors of X: z_k = s_k c_k + noise, and y's remainder."""

    s: Vector  # singular values of the weighted, centred rows
    Vt: Matrix
    z: Vector  # y along the left singular vectors
    rest: float  # squared norm of the part of y orthogonal to them
    means: Vector
    y_mean: float
    variance: float  # of y
    weight: float
    n_features: int

    @classmethod
    def of(
        cls, X: Matrix, y: Matrix, weights: Weights | None, fit_intercept: bool
    ) -> "_SingularProblem":
        n, d = X.shape
        weight = float(n if weights is None else weights.sum())
        y_center = float(np.average(y, weights=weights))
        variance = float(np.average((y - y_center) ** 2, weights=weights))
        means, y_mean = np.zeros(d), 0.0
        if fit_intercept:
            means, y_mean = np.average(X, axis=0, weights=weights).astype(np.float64), y_center
        if n > d:
            s, Vt, z, rest = _decompose_tall(
                Rows.of(X, y[:, None], weights), np.append(means, y_mean)
            )
        else:
            root = np.ones(n) if weights is None else np.sqrt(weights)
            U, s, Vt = lapack.svd((X - means) * root[:, None])
            centred = (y - y_mean) * root
            z = U.T @ centred
            rest = float(((centred - U @ z) ** 2).sum())
        return cls(s, Vt, z, rest, means, y_mean, variance, weight, d)

    def solve(self, alpha: float, scale: float) -> Vector:
        """Return the posterior mean along the right singular vectors."""
        return np.asarray(alpha * self.s * self.z / np.maximum(scale + alpha * self.s**2, _TINY))

    def squares(self, c: Vector) -> float:
        """Return |y - Xm|^2."""
        return float(((self.z - self.s * c) ** 2).sum()) + self.rest

    def covariance(self, alpha: float, scale: float) -> Matrix:
        """Return S; directions orthogonal to the rows have the variance of the prior."""
        scale = max(scale, _TINY)
        S = (self.Vt.T / (scale + alpha * self.s**2)) @ self.Vt
        if len(self.s) < self.n_features:
            S = S + (np.eye(self.n_features) - self.Vt.T @ self.Vt) / scale
        return np.asarray(S)

    def log_evidence(self, alpha: float, scale: float) -> float:
        """Return log p(y | alpha, lambda) (Bishop 2006, 3.86)."""
        c = self.solve(alpha, scale)
        scale = max(scale, _TINY)
        energy = alpha * self.squares(c) + scale * float(c @ c)
        determinant = float(np.log1p(alpha / scale * self.s**2).sum())
        constant = self.weight * (np.log(alpha) - np.log(2 * np.pi))
        return float((constant - energy - determinant) / 2)


def _decompose_tall(rows: Rows, shift: Vector) -> tuple[Vector, Matrix, Vector, float]:
    """Return s, V', z and the remainder from the Gram matrix, or from R of QR if it is inaccurate.

    The Gram matrix squares the singular values: s loses digits if the condition number is large,
    and so does the remainder if X explains almost all of y.
    """
    gram = rows.summarise(shift=shift).gram[:-1, :-1]
    values, vectors = lapack.eigh(gram[:-1, :-1])
    if values[0] > _MIN_RELATIVE_SIZE * values[-1]:
        s = np.sqrt(values[::-1])
        Vt = np.ascontiguousarray(vectors[:, ::-1].T)
        z = Vt @ gram[:-1, -1] / s
        rest = float(gram[-1, -1] - z @ z)
        if rest > _MIN_RELATIVE_SIZE * gram[-1, -1]:
            return s, Vt, z, rest
    d = len(shift) - 1
    R = rows.root(shift, np.ones(d + 1), ones=False)
    U, s, Vt = lapack.svd(R[:d, :d])
    return s, Vt, U.T @ R[:d, d], float(R[d, d] ** 2)
