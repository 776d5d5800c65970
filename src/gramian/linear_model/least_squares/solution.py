"""Results of least-squares solvers: the minimiser, and the factor used."""

from dataclasses import dataclass

import numpy as np

from gramian.base.rows.moments import Summary, Vector
from gramian.base.runtime import blas
from gramian.base.types import Matrix

EPS = float(np.finfo(np.float64).eps)
RANK_TOLERANCE = 32 * EPS  # of the scaled columns


@dataclass(frozen=True)
class Solution:
    """A minimiser and its diagnostics; coefficients are (m, d), one row per target."""

    coef: Matrix
    intercept: Vector
    rss: Vector
    weight: float
    n_rows: int
    rank: int | None
    singular: Vector | None
    condition: float
    solver: str
    inverse_gram: Matrix | None  # ((X, 1)'W(X, 1))^-1; None without full rank

    @classmethod
    def unknown(cls, summary: Summary, coef: Matrix) -> "Solution":
        """Return an empty solution of the right shapes."""
        blank, no_vector = np.full_like(coef, np.nan), np.full(len(coef), np.nan)
        return cls(
            blank, no_vector, no_vector, summary.weight, summary.n_rows, 0,
            np.zeros(summary.n_features), np.inf, "cholesky", None,
        )  # fmt: skip


@dataclass(frozen=True)
class Factor:
    """F with F F' = (X'WX)^+, X centred; the means of X; an orthonormal basis of X's null space."""

    inverse: Matrix
    means: Vector
    weight: float
    fit_intercept: bool
    null: Matrix | None = None

    def solve(self, gradient: Matrix) -> Matrix:
        """Return the change of (coef, intercept), shape (m, d + 1), that zeroes the gradient."""
        centred = gradient[:, :-1] - np.outer(gradient[:, -1], self.means)
        coef = centred @ self.inverse @ self.inverse.T
        return self.model(coef, gradient[:, -1] / self.weight)

    def model(self, coef: Matrix, mean: Vector) -> Matrix:
        """Return (coef, intercept) of each target, of least norm, given the mean of y."""
        if self.null is not None:
            coef = coef - coef @ self.null @ self.null.T
        intercept = mean - coef @ self.means if self.fit_intercept else np.zeros(len(coef))
        return np.column_stack([coef, intercept])

    def inverse_gram(self) -> Matrix:
        """Return ((X, 1)'W(X, 1))^-1, without the last row where there is no intercept."""
        with np.errstate(over="ignore", invalid="ignore"):  # columns may be too small to square
            inverse = blas.product(self.inverse, self.inverse.T)
            if not self.fit_intercept:
                return inverse
            moved = -inverse @ self.means
            corner = 1 / self.weight + self.means @ inverse @ self.means
        return np.block([[inverse, moved[:, None]], [moved[None], np.array([[corner]])]])


def moments(summary: Summary, fit_intercept: bool) -> tuple[Matrix, Matrix, Vector, Vector]:
    """Return X'WX, X'WY, the diagonal of Y'WY and the means of X and Y, centred if requested."""
    d = summary.n_features
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is handled by another solver
        if fit_intercept:
            products, means = summary.centred(), summary.means
        else:
            about_zero = summary.about(np.zeros_like(summary.shift))
            products, means = about_zero.gram[:-1, :-1], np.zeros_like(summary.shift)
    return products[:d, :d], products[:d, d:], np.diag(products)[d:], means
