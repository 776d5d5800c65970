"""Moments of each class: weights, means and scatter matrices, for discriminants.

The sums of a class are a `Summary` about a point near its rows, so that parts of the rows can be
summarised anywhere and merged. One native pass makes those of all classes.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.inputs.targets import Codes
from gramian.base.rows.column_moments import class_pilots, narrow
from gramian.base.rows.moments import NATIVE_COLUMNS, Rows, Summary
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Matrix, Weights


@dataclass(frozen=True)
class ClassMoments:
    """One summary per class, in the order of the codes; moments of parts of the rows merge.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [5.0], [9.0]])
    >>> moments = ClassMoments.of(X, np.array([0, 0, 1, 1]), 2, None)
    >>> moments.means.tolist(), moments.within().tolist(), moments.between().tolist()
    ([[1.0], [7.0]], [[10.0]], [[36.0]])
    """

    classes: tuple[Summary, ...]

    @classmethod
    def of(cls, X: Data, codes: Codes, n_classes: int, weights: Weights | None) -> "ClassMoments":
        """Summarise checked rows; a class without rows has weight 0."""
        if sp.issparse(X) or X.shape[1] >= NATIVE_COLUMNS:
            return cls._one_by_one(X, codes, n_classes, weights)
        counts = np.bincount(codes, minlength=n_classes)
        shifts = class_pilots(X, codes, n_classes)
        grams = _grams(X, codes, weights, shifts)
        if _is_far(grams):
            shifts = shifts + grams[:, :-1, -1] / np.where(counts, grams[:, -1, -1], 1.0)[:, None]
            grams = _grams(X, codes, weights, shifts)
        parts = zip(grams, shifts, counts.tolist(), strict=True)
        return cls(tuple(Summary(gram, shift, count, 0) for gram, shift, count in parts))

    @classmethod
    def _one_by_one(
        cls, X: Data, codes: Codes, n_classes: int, weights: Weights | None
    ) -> "ClassMoments":
        """Summarise sparse rows, or those of many columns, class after class."""
        none = np.empty((X.shape[0], 0))
        shifts = class_pilots(X, codes, n_classes)
        parts = []
        for k, shift in enumerate(shifts):
            here = np.flatnonzero(codes == k)
            held = None if weights is None else weights[here]
            rows = Rows.of(X[here], none[here], held)
            empty = Summary(np.zeros((len(shift) + 1,) * 2), shift, 0, 0)
            parts.append(rows.summarise(shift=shift) if len(here) else empty)
        return cls(tuple(parts))

    def merge(self, other: "ClassMoments") -> "ClassMoments":
        """Return the moments of both sets of rows together."""
        if len(self.classes) != len(other.classes):
            raise DataError(
                "ClassMoments.merge: both must have the same classes; got "
                f"{len(self.classes)} here, {len(other.classes)} there."
            )
        pairs = zip(self.classes, other.classes, strict=True)
        return ClassMoments(tuple(a.merge(b) for a, b in pairs))

    @property
    def weights(self) -> Floats:
        """The total weight of each class, (K,)."""
        return np.array([part.weight for part in self.classes])

    @property
    def means(self) -> Floats:
        """The weighted mean of each class, (K, d); zero for a class of weight 0."""
        return np.array([p.means if p.weight else np.zeros(p.n_features) for p in self.classes])

    def scatter(self, k: int) -> Matrix:
        """Return sum_i w_i (x_i - m_k)(x_i - m_k)' over the rows of class k."""
        part = self.classes[k]
        return part.centred() if part.weight else np.zeros((part.n_features,) * 2)

    def within(self) -> Matrix:
        """Return the scatter within the classes, the sum over the classes."""
        return np.asarray(sum(self.scatter(k) for k in range(len(self.classes))))

    def total(self) -> Summary:
        """Return the summary of the rows of all classes."""
        first, *others = self.classes
        for part in others:
            first = first.merge(part)
        return first

    def between(self) -> Matrix:
        """Return the scatter of the class means about the mean of all rows."""
        away = self.means - self.total().means
        return np.asarray((away.T * self.weights) @ away)


_FAR = 1e4  # as for column_moments.py


def _grams(X: Data, codes: Codes, weights: Weights | None, shifts: Floats) -> Floats:
    K, d = shifts.shape
    grams = np.zeros((K, d + 1, d + 1))
    _native.class_gram(native_table(X), narrow(codes), weights, shifts, grams)
    return grams


def _is_far(grams: Floats) -> bool:
    """Return whether a point about which a class was summed is far from its mean."""
    weight = np.where(grams[:, -1, -1] > 0, grams[:, -1, -1], 1.0)[:, None]
    with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses what is too large
        shifted = grams[:, :-1, -1] ** 2 / weight
        squares = np.einsum("kjj->kj", grams)[:, :-1]
        return bool((shifted > _FAR * np.maximum(squares - shifted, 0.0)).any())
