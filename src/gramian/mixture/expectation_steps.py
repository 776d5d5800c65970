"""One iteration of expectation maximisation over rows with or without missing values."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.targets import Codes
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.column_moments import narrow
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Mask, Matrix, Weights
from gramian.mixture.components import Components, Sums, maximised
from gramian.mixture.missing_values import expectation


@dataclass(frozen=True)
class Part:
    """Rows, their weights, and their components (-1 if unknown)."""

    table: Data
    weights: Weights | None
    known: npt.NDArray[np.int32] | None

    def rows(self, chosen: npt.NDArray[np.bool_]) -> "Part":
        """Return the selected rows."""
        return Part(
            np.ascontiguousarray(self.table[chosen]),
            None if self.weights is None else self.weights[chosen],
            None if self.known is None else self.known[chosen],
        )


@dataclass(frozen=True)
class MixtureData:
    """Training rows, divided into complete rows and rows with missing values."""

    complete: Part
    incomplete: Part | None
    weight: float
    scatter: Floats | None  # scatter of all rows about their mean, if they are complete

    @classmethod
    def of(
        cls, table: Matrix, weights: Weights | None, known: Codes | None, *, tied: bool
    ) -> "MixtureData":
        """Divide checked rows; with `tied`, compute the scatter of all rows."""
        whole = Part(table, weights, None if known is None else narrow(known))
        total = float(len(table) if weights is None else weights.sum())
        gone = cast("Mask", np.isnan(table).any(axis=1))
        if gone.any():
            return cls(whole.rows(~gone), whole.rows(gone), total, None)
        scatter = None
        if tied:
            one = np.zeros(len(table), dtype=np.intp)
            scatter = ClassMoments.of(table, one, 1, weights).scatter(0)
        return cls(whole, None, total, scatter)

    def iterate(self, components: Components, reg_covar: float) -> tuple[float, Components]:
        """Return the mean log likelihood of the components, and the updated components."""
        kind, means = components.kind, components.means
        if self.incomplete is None:
            total, sums = _native_sums(components, self.complete, matrices=kind == "full")
        else:
            total, sums = _native_sums(components, self.complete, matrices=True)
            part = self.incomplete
            more, others = expectation(components, part.table, part.weights, part.known)
            total += more
            sums = Sums(*(a + b for a, b in zip(sums, others, strict=True)))
            if kind in ("diag", "spherical"):
                sums = sums._replace(second=np.einsum("kjj->kj", sums.second))
        return total / self.weight, maximised(kind, means, sums, reg_covar, self.scatter)


def expected_sums(
    components: Components, table: Matrix, weights: Weights | None
) -> tuple[float, Sums]:
    """Return the log likelihood of rows and their sums: matrices, or squares if they suffice."""
    square = components.kind in ("diag", "spherical")
    whole = Part(table, weights, None)
    gone = cast("Mask", np.isnan(table).any(axis=1))
    if not gone.any():
        return _native_sums(components, whole, matrices=not square)
    total, sums = _native_sums(components, whole.rows(~gone), matrices=True)
    part = whole.rows(gone)
    more, others = expectation(components, part.table, part.weights, None)
    sums = Sums(*(a + b for a, b in zip(sums, others, strict=True)))
    if square:
        sums = sums._replace(second=np.einsum("kjj->kj", sums.second))
    return total + more, sums


def _native_sums(components: Components, part: Part, *, matrices: bool) -> tuple[float, Sums]:
    """Return the log likelihood of complete rows and their sums: matrices, or only squares."""
    K, d = components.means.shape
    native = components.scorer().native
    if not len(part.table):
        return 0.0, Sums(np.zeros(K), np.zeros((K, d)), np.zeros((K, d, d)))
    arguments = (native_table(part.table), part.weights, part.known)
    if matrices:
        grams = np.zeros((K, d + 1, d + 1))
        total = native.expectation_full(*arguments, grams)
        return total, Sums(grams[:, -1, -1], grams[:, :-1, -1], grams[:, :-1, :-1])
    sums = Sums(np.zeros(K), np.zeros((K, d)), np.zeros((K, d)))
    return native.expectation_diagonal(*arguments, *sums), sums
