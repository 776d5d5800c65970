"""Least squares on any set of columns from cross-products alone, by sweeps.

For z = (x_1 .. x_d, y, 1) and its Gram matrix over the training rows, sweeping a column k subtracts
from every other column its regression on k; the matrix then holds the cross-products of the
residuals. The same elimination applied to the Gram matrix of other rows gives the products of their
prediction errors, so the error of every candidate on held-out rows is known too: with residuals e
of y and f_j of column j, adding j gives the error

    |e|^2 - 2 g_j e.f_j + g_j^2 |f_j|^2,    g_j = its coefficient on the rows to fit

(Goodnight 1979 for the sweep). A sweep costs O(d^2), whatever the number of rows.
"""

import numpy as np
import numpy.typing as npt

from gramian.base.moments import Rows, Summary, Vector
from gramian.base.types import Matrix

_DEPENDENT = 1e-9  # fraction of a column's square that must be left for it to enter


class Swept:
    """A model that columns are added to, with training rows and validation rows."""

    def __init__(self, fit: Summary, validation: Summary | None, *, intercept: bool) -> None:
        self.d = fit.n_features
        self.weight = fit.weight
        # The constant takes up any shift; without it the sums are those about the origin.
        shift = fit.shift if intercept else np.zeros_like(fit.shift)
        self.fit = _about(fit, shift)
        self.validation = None if validation is None else _about(validation, shift)
        self.validation_weight = fit.weight if validation is None else validation.weight
        self.inside = np.zeros(self.d, dtype=bool)
        self._first = self.fit.diagonal()[: self.d].copy()
        if intercept:
            self._eliminate(self.d + 1)
            self._first = self.fit.diagonal()[: self.d].copy()
        seen = fit if validation is None else validation
        y = seen.gram[self.d]  # y about the shift: squares, and the sum last
        self.total = float(y[self.d] - y[-1] ** 2 / seen.weight)  # about the mean of these rows
        # Errors below this are rounding; sums about the origin have more of it.
        self.rounding = max(1e-12 * self.total, 1e-14 * float(self._errors()[self.d, self.d]))

    def enter(self, j: int) -> None:
        """Add column j to the model."""
        self._eliminate(j)
        self.inside[j] = True

    def candidates(self) -> npt.NDArray[np.bool_]:
        """Return the columns that can be added: not in the model, nor dependent on it."""
        left = self.fit.diagonal()[: self.d]
        possible: npt.NDArray[np.bool_] = ~self.inside & (left > _DEPENDENT * self._first)
        return possible

    def errors_after(self) -> Vector:
        """Return the sum of squares on the validation rows after adding each column."""
        d, possible = self.d, self.candidates()
        left = np.where(possible, self.fit.diagonal()[:d], 1.0)
        g = np.where(possible, self.fit[:d, d] / left, 0.0)
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
        factor[: self.d][self.inside] = 0.0
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
    shift = Rows.of(X, y[:, None], None).pilot()  # one for all, so that sums add up

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


def _about(summary: Summary, shift: Vector) -> Matrix:
    return np.array(summary.about(shift).gram)
