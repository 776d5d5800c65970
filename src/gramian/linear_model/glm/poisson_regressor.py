"""Poisson regression: counts whose log mean is linear in x."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, NonNegative, NonNegativeInt, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets, unit_exponent
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.rows.chunks import Chunks, GivenChunk
from gramian.base.rows.parts import Parts, add
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.linear_model.glm.solver_choice import solve, warn_unless_converged
from gramian.objectives.functionals import Mean, WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.log_link import Poisson
from gramian.objectives.penalties import L2

_MAX_ALPHA = 1e150  # in units of tiny counts; coefficients are then 0 to all digits


@params
class PoissonRegressor(CallbackSupportMixin, Regressor):
    """Poisson regression with a log link.

    Models a count y with mean exp(w . x + b)::

        minimise  sum_i omega_i [exp(z_i) - y_i z_i] / sum_i omega_i + alpha / 2 |w|^2,

    z_i = w . x_i + b: minus the mean log-likelihood, up to a constant (McCullagh and Nelder 1989,
    6.2). The bias is not penalised. Solved as in `LogisticRegression`.

    Parameters
    ----------
    alpha
        Strength of the penalty; 0 disables it.
    fit_intercept
        Whether to fit a bias b.
    solver
        "auto", or the name of a solver.
    max_iter
        Maximum number of solver steps.
    tol
        Stop when the norm of the cost's gradient is at most this; times the mean of y if that is
        below 1, because the gradient scales with it.
    warm_start
        Whether to start from the coefficients of the previous fit.
    verbose
        Whether to print a line for each iteration.

    Attributes
    ----------
    coef_ : array (d,)
        The weights w.
    intercept_ : float
        The intercept b.
    n_iter_ : int
        Number of steps.
    objective_ : float
        The cost above at the end.
    solver_ : str
        The solver used.

    Examples
    --------
    >>> from gramian import PoissonRegressor
    >>> model = PoissonRegressor(alpha=0, tol=1e-9).fit([[0.0], [1.0], [2.0]], [1, 2, 4])
    >>> model.predict([[3.0]]).round(6)
    array([8.])
    """

    parametric = True
    takes_sparse: ClassVar[bool] = True
    tags: ClassVar[Tags] = {"target_tags.positive_only": True}

    _: KW_ONLY
    alpha: NonNegative = 1.0
    fit_intercept: bool = True
    solver: Literal["auto", "lbfgs", "newton-cg", "newton-cholesky"] = "auto"
    max_iter: Count = 100
    tol: NonNegative = 1e-4
    warm_start: bool = False
    verbose: bool | NonNegativeInt = 0

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to counts.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Counts, or rates weighted by their exposure; >= 0, not all 0.
        sample_weight
            Weights >= 0.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        y = check_targets(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        _check_counts(y, weights)
        if weights is not None:
            y = np.where(weights > 0, y, 0)  # targets of rows without weight have no effect
        check_size(self, "y", y)
        mean = float(np.average(y, weights=weights))
        k = self._unit(mean)
        functional = Mean() if weights is None else WeightedSum(weights / weights.sum())
        problem = LinearProblem(
            table,
            np.ldexp(y, -k),
            Poisson(),
            self._penalty(k),
            functional,
            intercept=self.fit_intercept,
        )
        return self._solve(
            problem,
            mean,
            k,
            table.dtype,
            Task.of(self, steps=self.max_iter, X=X, y=y, verbose=self.verbose),
        )

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> Self:
        """Fit to counts in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass finds the mean; every step
            is another.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import PoissonRegressor
        >>> chunks = [([[0.0], [1.0]], [1, 2]), ([[2.0]], [4])]
        >>> PoissonRegressor(alpha=0, tol=1e-9).fit_chunks(chunks).predict([[3.0]]).round(6)
        array([8.])
        """
        gate = Chunks.of(self, chunks)
        total, counted = gate.total(_weight_and_sum, add)
        if not counted > 0:
            raise DataError(_ALL_ZERO)
        mean = counted / total
        k = self._unit(mean)
        problem = ChunkedProblem(
            gate,
            _ChunkProblem(gate.estimator, k, total),
            self._penalty(k),
            (gate.n_features + self.fit_intercept,),
            intercept=self.fit_intercept,
        )
        task = Task.of(self, steps=self.max_iter, verbose=self.verbose)
        return self._solve(problem, mean, k, gate.dtype, task)

    def _unit(self, mean: float) -> int:
        """Return k, where tiny counts are divided by 2^k and the bias is k log 2 lower."""
        return min(0, int(unit_exponent(mean))) if self.fit_intercept else 0

    def _penalty(self, k: int) -> L2 | None:
        alpha = min(float(np.ldexp(self.alpha, -k)), _MAX_ALPHA) if k else self.alpha
        return L2(alpha) if alpha > 0 else None

    def _solve(
        self,
        problem: LinearProblem | ChunkedProblem,
        mean: float,
        k: int,
        dtype: npt.DTypeLike,
        task: Task,
    ) -> Self:
        mean = float(np.ldexp(mean, -k))
        assert problem.size is not None
        d = problem.size - self.fit_intercept
        result, self.solver_ = solve(
            problem,
            self.solver,
            self._start(d, mean, k),
            owner="PoissonRegressor",
            tol=self.tol * min(1.0, mean),
            max_iter=self.max_iter,
            callback=lambda t, now: (
                t > 0 and task.iteration(lambda: self._attributes(now.x, d, k, dtype))
            ),
        )
        for name, value in self._attributes(result.x, d, k, dtype).items():
            setattr(self, name, value)
        self.n_iter_ = result.iterations
        self.objective_ = float(np.ldexp(result.value - mean * k * log(2), k))
        warn_unless_converged("PoissonRegressor", [result])
        task.done(lambda: self._attributes(result.x, d, k, dtype))
        return self

    def _start(self, d: int, mean: float, k: int) -> Floats:
        """Return the previous fit's coefficients, or zeros and the log of the mean."""
        x = np.zeros(d + self.fit_intercept)
        if self.warm_start and hasattr(self, "coef_") and len(self.coef_) == d:
            x[:d] = self.coef_
            x[d:] = self.intercept_ - k * log(2) if self.fit_intercept else x[d:]
        elif self.fit_intercept:
            x[d] = np.log(mean)
        return x

    @staticmethod
    def _attributes(x: Floats, d: int, k: int, dtype: npt.DTypeLike) -> dict[str, Any]:
        bias = float(x[d]) if len(x) > d else 0.0
        return {"coef_": x[:d].astype(dtype), "intercept_": bias + k * log(2)}

    def predict(self, X: Table) -> Matrix:
        """Return the expected count exp(w . x + b) of each row."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        z = table @ self.coef_ + self.coef_.dtype.type(self.intercept_)
        return np.asarray(np.exp(z))

    def score(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return D^2, the fraction of the deviance explained by the model.

        D^2 = 1 - deviance(y, prediction) / deviance(y, mean),
        deviance = 2 sum_i omega_i [y_i ln(y_i / mu_i) - y_i + mu_i]

        It is nan if y is constant.
        """
        mu = self.predict(X).astype(float)
        counts = check_targets(self, y, len(mu))
        weights = check_weights(self, sample_weight, len(mu))
        _check_counts(counts, weights)
        omega = np.ones(len(mu)) if weights is None else weights
        counted = omega > 0
        counts, mu, omega = counts[counted], mu[counted], omega[counted]
        if np.all(counts == counts[0]):
            return float("nan")
        mean = np.average(counts, weights=omega)

        def deviance(mu: Any) -> float:
            return float(omega @ (xlogy(counts, counts / mu) - counts + mu))

        return 1 - deviance(mu) / deviance(mean)


def _check_signs(y: npt.NDArray[Any], counted: npt.NDArray[np.bool_]) -> None:
    negative = counted & (y < 0)
    if negative.any():
        at = int(np.argmax(negative))
        raise DataError(
            f"PoissonRegressor: y must not be negative; got {y[at]:g} at row {at}. "
            "Counts are >= 0; for other targets use LinearRegression."
        )


def _check_counts(y: npt.NDArray[Any], weights: Weights | None) -> None:
    """Raise if a row of positive weight has a negative target, or all targets are zero."""
    counted = np.ones(len(y), dtype=bool) if weights is None else weights > 0
    _check_signs(y, counted)
    if not y[counted].any():
        raise DataError(_ALL_ZERO)


_ALL_ZERO = (
    "PoissonRegressor: every y of positive weight is zero, so the best mean is 0 and its "
    "logarithm is not finite; pass at least one positive count."
)


def _counts(gate: Chunks) -> Iterator[tuple[Data, Floats, Floats]]:
    """Yield checked rows, counts and weights; a count of weight 0 has no effect."""
    for X, raw, weights in gate:
        y = gate.named(check_targets, raw, X.shape[0])
        omega = np.ones(len(y)) if weights is None else weights
        _check_signs(y, omega > 0)
        counts: Floats = np.where(omega > 0, y, 0).astype(np.float64)
        check_size(gate.estimator, "y", counts)
        yield X, counts, omega


def _weight_and_sum(gate: Chunks) -> tuple[float, float]:
    total = counted = 0.0
    for _, y, omega in _counts(gate):
        total, counted = total + float(omega.sum()), counted + float(omega @ y)
    return total, counted


@dataclass(frozen=True)
class _ChunkProblem:
    """Builds the problem of one chunk; the weights of all rows sum to 1."""

    estimator: Any
    k: int
    total: float

    def __call__(self, X: Data, raw: Any, weights: Weights | None) -> LinearProblem:
        y = check_targets(self.estimator, raw, X.shape[0])
        omega = np.ones(len(y)) if weights is None else weights
        counts = np.ldexp(np.where(omega > 0, y, 0), -self.k)
        return LinearProblem(
            X,
            counts,
            Poisson(),
            None,
            WeightedSum(omega / self.total),
            intercept=self.estimator.fit_intercept,
        )
