"""Least squares on any set of columns from cross-products alone, by the sweep operator.

For z = (x_1 .. x_d, y, 1) and its Gram matrix over the training rows, sweeping a column k subtracts
from every other column its regression on k; the matrix then contains the cross-products of the
residuals. The same elimination applied to the Gram matrix of other rows gives the products of their
prediction errors, so it gives the error of every candidate on held-out rows too: with residuals e
of y and f_j of column j, adding j gives the error

    |e|^2 - 2 g_j e.f_j + g_j^2 |f_j|^2,    g_j = its coefficient on the training rows

(Goodnight 1979 for the sweep). A sweep costs O(d^2), independent of the number of rows.
"""

import numpy as np
import numpy.typing as npt

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Matrix

_DEPENDENT = 1e-9  # smallest fraction of a column's squared length that must remain


class SweepModel:
    """A least-squares model to which columns are added, with training and validation rows."""

    def __init__(self, fit: Summary, validation: Summary | None, *, intercept: bool) -> None:
        self.d = fit.n_features
        self.weight = fit.weight
        # With an intercept any shift is possible; without one the sums are about the origin.
        shift = fit.shift if intercept else np.zeros_like(fit.shift)
        self.fit = _gram_about(fit, shift)
        self.validation = None if validation is None else _gram_about(validation, shift)
        self.validation_weight = fit.weight if validation is None else validation.weight
        self.in_model = np.zeros(self.d, dtype=bool)
        self._first = self.fit.diagonal()[: self.d].copy()
        if intercept:
            self._eliminate(self.d + 1)
            self._first = self.fit.diagonal()[: self.d].copy()
        seen = fit if validation is None else validation
        y = seen.gram[self.d]  # products with y about the shift, its sum last
        self.total = float(y[self.d] - y[-1] ** 2 / seen.weight)  # about the mean of these rows
        # Smaller errors are rounding errors, which are larger for sums about the origin.
        self.rounding = max(1e-12 * self.total, 1e-14 * float(self._errors()[self.d, self.d]))

    def enter(self, j: int) -> None:
        """Add column j to the model."""
        self._eliminate(j)
        self.in_model[j] = True

    def candidates(self) -> npt.NDArray[np.bool_]:
        """Return the columns that can be added: not in the model, and independent of it."""
        residual_squares = self.fit.diagonal()[: self.d]
        possible: npt.NDArray[np.bool_] = ~self.in_model & (
            residual_squares > _DEPENDENT * self._first
        )
        return possible

    def errors_after(self) -> Vector:
        """Return the sum of squares on the validation rows after adding each column."""
        d, possible = self.d, self.candidates()
        residual_squares = np.where(possible, self.fit.diagonal()[:d], 1.0)
        g = np.where(possible, self.fit[:d, d] / residual_squares, 0.0)
        M = self._errors()
        after = M[d, d] - 2 * g * M[:d, d] + g * g * M.diagonal()[:d]
        return np.where(possible, np.maximum(after, 0.0), np.inf)

    def error(self) -> float:
        """Return the sum of squares of the current model on the validation rows."""
        return float(max(self._errors()[self.d, self.d], 0.0))

    def _errors(self) -> Matrix:
        return self.fit if self.validation is None else self.validation

    def _eliminate(self, k: int) -> None:
        factor = self.fit[k] / self.fit[k, k]
        factor[k] = 0.0
        # Columns in the model are not updated: their residuals are no longer needed.
        factor[: self.d][self.in_model] = 0.0
        pivot = self.fit[k].copy()
        self.fit = self.fit - np.outer(factor, pivot)
        if self.validation is not None:
            cross = np.outer(factor, self.validation[k])
            self.validation = (
                self.validation - cross - cross.T + self.validation[k, k] * np.outer(factor, factor)
            )


def summaries(
    X: Matrix, y: Vector, weights: Vector | None, splits: list[tuple[Matrix, Matrix]]
) -> list[tuple[Summary, Summary]]:
    """Return summaries of the training and validation rows of every split, in one pass."""
    shift = Rows.of(X, y[:, None], None).pilot()  # one shift for all, so that sums can be added

    def part(rows: Matrix) -> Summary:
        w = None if weights is None else weights[rows]
        return Rows.of(np.ascontiguousarray(X[rows]), y[rows, None], w).summarise(shift=shift)

    validations = [part(validation) for _, validation in splits]
    counts = np.bincount(np.concatenate([validation for _, validation in splits]), minlength=len(y))
    if not (counts == 1).all() or any(len(f) + len(j) != len(y) for f, j in splits):
        return [
            (part(fit), validated) for (fit, _), validated in zip(splits, validations, strict=True)
        ]
    total = validations[0]
    for other in validations[1:]:
        total = total.merge(other)
    pairs = []
    for validated in validations:
        moved = validated.about(total.shift)
        rest = Summary(
            total.gram - moved.gram, total.shift, total.n_rows - moved.n_rows, total.n_targets
        )
        pairs.append((rest, validated))
    return pairs


def _gram_about(summary: Summary, shift: Vector) -> Matrix:
    return np.array(summary.about(shift).gram)
