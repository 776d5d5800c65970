"""Ordinary and weighted least squares, with standard errors and tests."""

import warnings
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.linalg import LinAlgWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Jobs, NonNegative, check_params, params
from gramian.base.inputs.feature_names import set_columns
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor
from gramian.base.rows.moments import Rows, Summary
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Matrix, Table, is_sparse
from gramian.linear_model.common.linear_prediction import SummaryFit
from gramian.linear_model.least_squares import projection
from gramian.linear_model.least_squares.least_squares import from_summary, least_squares
from gramian.linear_model.least_squares.solution import Solution

_TINY_TARGETS = 1e-130  # residuals of smaller targets may underflow when squared


@params
class LinearRegression(SummaryFit, Regressor):
    """Least-squares linear regression.

    Minimises the weighted sum of squares

        E(c, b) = sum_i w_i (y_i - b - x_i'c)^2,

    whose minimiser solves the normal equations X'WX c = X'Wy of the centred columns (Bishop
    2006, 3.1.1; Hastie, Tibshirani and Friedman 2009, 3.2). Well-conditioned data take one pass
    for the Gram matrix, O(n d^2), and its Cholesky factor; where that would lose accuracy, the
    solution is refined with residuals in twice the working precision, or computed by QR of the
    scaled columns and refined. `solver_` reports which. When X'WX is singular the solution is the
    minimiser of least norm, c = X^+ y. Several targets are fitted together.

    Parameters
    ----------
    fit_intercept
        Whether to fit an intercept b; otherwise it is 0.
    copy_X
        Ignored; present for scikit-learn compatibility.
    tol
        Tolerance of LSQR, which is used only for sparse X with very many columns.
    n_jobs
        Number of threads; the result does not depend on it.
    positive
        Whether to require coefficients >= 0 (Lawson and Hanson's non-negative least squares).

    Attributes
    ----------
    coef_
        Array (d,) or (targets, d), the coefficients c.
    intercept_
        The intercept b, a number or one per target.
    rank_
        Rank of the (centred) columns; None from LSQR.
    singular_
        Singular values of the (centred, weighted) X; None from LSQR.
    condition_
        Estimated condition number of the columns scaled to equal norm; a warning is issued above
        1e14.
    solver_
        The solver used: "cholesky", "cholesky, refined", "qr, refined", "svd" (fewer rows than
        unknowns), "eigh" (a singular summary), "lsqr" or "nnls".
    rss_
        Weighted sum of squared residuals, per target. If squares of y underflow or overflow (y of
        1e-170 or 1e200), it is 0 or infinite, and so are `beta_` and `log_likelihood_`.
    beta_
        Maximum-likelihood precision of Gaussian noise, 1 / beta = rss / n, per target.
    log_likelihood_
        Gaussian log-likelihood n/2 log(beta) - n/2 log(2 pi) - beta rss / 2, per target.
    weight_
        The total weight n (without weights, the number of rows).
    inverse_gram_
        ((X, 1)'W(X, 1))^-1, intercept last, from which `inference_` is computed; None if X does not
        have full rank.

    Examples
    --------
    >>> from gramian import LinearRegression
    >>> model = LinearRegression().fit([[1], [2], [3], [4]], [3.1, 4.9, 7.2, 8.8])
    >>> model.coef_.round(4), round(float(model.intercept_), 4)
    (array([1.94]), 1.15)
    >>> model.inference_["p"].round(4)
    array([0.0022, 0.0435])
    """

    flattens_column: ClassVar[bool] = False

    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    tol: NonNegative = 1e-6
    n_jobs: Jobs = None
    positive: bool = False

    def _fit_rows(self, rows: Rows, dtype: npt.DTypeLike, one_target: bool) -> Self:
        with threads_for(self.n_jobs):
            solution = least_squares(
                rows,
                fit_intercept=bool(self.fit_intercept),
                owner=type(self).__name__,
                positive=bool(self.positive),
                tol=self.tol,
            )
        return self._set_solution(solution, dtype, one_target)

    def solve(self, summary: Summary) -> Self:  # noqa: D102 - as in the base class
        check_params(self)
        if self.positive:
            raise DataError(
                "LinearRegression: a summary cannot be solved with positive=True; "
                "use fit or fit_chunks."
            )
        set_columns(self, summary.n_features, summary.feature_names)
        solution = from_summary(
            summary, fit_intercept=bool(self.fit_intercept), owner=type(self).__name__
        )
        return self._set_solution(solution, np.float64, summary.n_targets == 1)

    def _set_solution(self, solution: Solution, dtype: npt.DTypeLike, one_target: bool) -> Self:
        self._set_model(solution.coef, solution.intercept, dtype, one_target)
        n, rss = solution.weight, solution.rss
        with np.errstate(divide="ignore", over="ignore"):  # an exact fit has infinite values
            beta = n / rss
            log_beta = np.where((rss > 0) & np.isinf(beta), np.log(n) - np.log(rss), np.log(beta))
            likelihood = n / 2 * (log_beta - np.log(2 * np.pi) - 1)
        pick = (lambda values: float(values[0])) if one_target else (lambda values: values)
        self.rss_, self.beta_, self.log_likelihood_ = pick(rss), pick(beta), pick(likelihood)
        self.rank_ = solution.rank
        self.singular_ = solution.singular
        self.condition_ = solution.condition
        self.solver_ = solution.solver
        self.weight_ = n
        self.inverse_gram_ = solution.inverse_gram
        return self

    @property
    def inference_(self) -> dict[str, Matrix]:
        """The table of `inference` at the 95% level."""
        return self.inference()

    def inference(self, level: float = 0.95) -> dict[str, Matrix]:
        """Return standard errors, t statistics, p-values and intervals of the estimates.

        Assumes independent Gaussian noise of one variance s^2 = rss / (n - p), p unknowns;
        the covariance of the estimates is s^2 ((X, 1)'W(X, 1))^-1, and each estimate over its
        standard error is Student's t with n - p degrees of freedom (Hastie et al. 2009, 3.2).

        Parameters
        ----------
        level
            Coverage of the intervals, between 0 and 1.

        Returns
        -------
        dict
            Arrays (d + 1,) or (targets, d + 1), the intercept last where there is one:
            "estimate", "standard_error", "t", "p", "low", "high". Where squares of X or y overflow
            or vanish (1e200, 1e-170), all but the estimates are NaN, with a warning.
        """
        check_is_fitted(self)
        if not 0 < level < 1:
            raise ParameterError(
                f"LinearRegression: level must be between 0 and 1; got {level!r}. For 95% "
                "pass 0.95."
            )
        if self.inverse_gram_ is None:
            raise AttributeError(
                "LinearRegression: standard errors need columns of full rank, no sign "
                f"constraint and a direct solver; got rank_={self.rank_} of "
                f"{self.n_features_in_}, solver_={self.solver_!r}. Drop dependent columns."
            )
        freedom = self.weight_ - len(self.inverse_gram_)
        if freedom <= 0:
            raise AttributeError(
                f"LinearRegression: standard errors need more rows than unknowns; got "
                f"{self.weight_:g} rows for {len(self.inverse_gram_)} unknowns."
            )
        estimate = self.coef_.astype(np.float64)
        if self.fit_intercept:
            intercept = np.asarray(self.intercept_, dtype=np.float64)[..., None]
            estimate = np.concatenate([estimate, intercept], axis=-1)
        variance = np.asarray(self.rss_)[..., None] / freedom
        spread = np.diag(self.inverse_gram_)
        with np.errstate(over="ignore", invalid="ignore"):  # squares may underflow or overflow
            squares = variance * spread
            roots = np.sqrt(variance) * np.sqrt(spread)
            error = np.where(_in_range(squares), np.sqrt(squares), roots)
        lost = ~_in_range(spread) | _lost_squares(self.rss_, estimate, spread)
        if lost.any():
            warnings.warn(
                "LinearRegression: standard errors are NaN where squares of X or y overflow or "
                f"vanish; got rss_={self.rss_}, inverse_gram_ from {spread.min():.3g} to "
                f"{spread.max():.3g}. Scale X and y, for example to unit variance, and fit again.",
                LinAlgWarning,
                stacklevel=caller_level(),
            )
            error = np.where(lost, np.nan, error)
        with np.errstate(divide="ignore", invalid="ignore"):  # an exact fit has no errors
            t = estimate / error
        half = stats.t.ppf((1 + level) / 2, freedom) * error
        return {
            "estimate": estimate,
            "standard_error": error,
            "t": t,
            "p": 2 * stats.t.sf(np.abs(t), freedom),
            "low": estimate - half,
            "high": estimate + half,
        }

    def hat_matrix(self, X: Table, sample_weight: npt.ArrayLike | None = None) -> Matrix:
        """Return the hat matrix H (n, n), with fitted values H y, of the training rows.

        H = A (A'WA)^+ A'W with A = (X, 1) projects onto the columns of A; its trace is the rank.
        See `leverages` for the diagonal alone, also at new rows.
        """
        check_is_fitted(self)
        rows = check_new(self, X)
        weights = check_weights(self, sample_weight, rows.shape[0])
        total = float(rows.shape[0]) if weights is None else float(weights.sum())
        if not np.isclose(total, self.weight_, rtol=1e-6):
            raise DataError(
                "LinearRegression.hat_matrix: X and sample_weight must equal those of the training "
                f"rows, with total weight {self.weight_:g}; got {total:g}. For new rows use "
                "leverages or prediction_variance."
            )
        return projection.hat_matrix(
            X, fit_intercept=bool(self.fit_intercept), sample_weight=sample_weight
        )

    def leverages(self, X: Table, sample_weight: npt.ArrayLike | None = None) -> Matrix:
        """Return a'(A'WA)^-1 a for each row a = (x, 1) of X, A being the rows of `fit`.

        On the training rows, with their weights, this is the diagonal of `hat_matrix`; a new row
        far from them has a leverage above 1. The variance of the value fitted there is the
        leverage times that of the noise, see `prediction_variance`.

        Parameters
        ----------
        X
            Training or new rows, (m, d).
        sample_weight
            Weights of these rows; each leverage is multiplied by its row's weight.

        Returns
        -------
        array
            (m,).
        """
        check_is_fitted(self)
        rows = check_new(self, X)
        weights = check_weights(self, sample_weight, rows.shape[0])
        rows = (rows.toarray() if is_sparse(rows) else rows).astype(np.float64)
        if self.inverse_gram_ is None:
            raise DataError(
                "LinearRegression: leverages need columns of full rank, no sign constraint and a "
                f"direct solver; got rank_={self.rank_} of {self.n_features_in_}, "
                f"solver_={self.solver_!r}. Use "
                "gramian.linear_model.leverages(X, Z) with the training rows X and new rows Z."
            )
        d = self.n_features_in_
        inverse = self.inverse_gram_[:d, :d]
        if not _in_range(np.diag(inverse)).all():
            raise DataError(
                "LinearRegression: leverages need columns whose squares neither overflow nor "
                "vanish; scale the columns of X, for example to unit variance, and fit again."
            )
        ones = 0.0
        if self.fit_intercept:  # centred, to avoid cancellation
            rows = rows + np.linalg.solve(inverse, self.inverse_gram_[:d, d])
            ones = 1 / self.weight_
        found = np.einsum("ij,jk,ik->i", rows, inverse, rows) + ones
        return np.asarray(found if weights is None else found * weights)

    def prediction_variance(self, X: Table, noise: float | None = None) -> Matrix:
        """Return the variance sigma^2 a'(A'WA)^-1 a of the fitted value at each row of X.

        Its mean over n training rows is sigma^2 p / n, p being the number of unknowns. The variance
        of a new target there is sigma^2 greater.

        Parameters
        ----------
        X
            Training or new rows, (m, d).
        noise
            sigma^2; None means the estimate rss / (n - p).

        Returns
        -------
        array
            (m,), or (targets, m).

        Examples
        --------
        >>> from gramian import LinearRegression
        >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [0.1, 0.9, 2.1])
        >>> model.prediction_variance([[1.0], [9.0]], noise=1.0).round(3)
        array([ 0.333, 32.333])
        """
        if noise is not None and not 0 <= noise < np.inf:
            raise ParameterError(
                "LinearRegression.prediction_variance: noise must be a variance >= 0, or None; got "
                f"{noise!r}."
            )
        leverages = self.leverages(X)
        if noise is not None:
            return leverages * noise
        unknowns = self.n_features_in_ + bool(self.fit_intercept)
        freedom = self.weight_ - unknowns
        if freedom <= 0:
            raise AttributeError(
                "LinearRegression: estimating the noise needs more rows than unknowns; got "
                f"{self.weight_:g} rows for {unknowns} unknowns. Add rows, or pass noise."
            )
        return np.asarray(np.asarray(self.rss_)[..., None] / freedom * leverages).reshape(
            (*np.shape(self.rss_), len(leverages))
        )


def _in_range(squares: Matrix) -> npt.NDArray[np.bool_]:
    """Return which sums of squares are finite and not subnormal."""
    return np.isfinite(squares) & (squares >= np.finfo(np.float64).tiny)


def _lost_squares(rss: Any, estimate: Matrix, spread: Matrix) -> npt.NDArray[np.bool_]:
    """Return for which targets squared residuals over- or underflowed, (1,) or (targets, 1).

    An exact fit also has residuals of 0, but its targets are not tiny: |y| is at least the size of
    an estimate over the root of its spread.
    """
    sums = np.asarray(rss, dtype=np.float64)[..., None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        size = np.nanmax(np.abs(estimate) / np.sqrt(spread), axis=-1, keepdims=True)
    vanished = ~_in_range(sums) & (size > 0) & (size < _TINY_TARGETS)
    return np.asarray(~np.isfinite(sums) | vanished)
