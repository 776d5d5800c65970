"""Sums of kernel weights over rows in the leaves of a k-d tree.

Densities, their leave-one-out likelihood for many bandwidths, and kernel regression use these
sums. No matrix of distances is stored.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gramian import _native
from gramian.base.types import Floats, Weights
from gramian.neighbors.density.kernels import KernelShape
from gramian.neighbors.structures.kdtree import Tree, build_tree

_ROUNDING = 53 * np.log(2.0)
_MIN_LEAF_SIZE = 16  # minimum rows of a leaf, so that it contains rows other than the query

_BAND = 500  # powers of two
_MODERATE = 340  # powers of two within which the largest weight is left unchanged


class Sums(NamedTuple):
    """Sums of weights relative to exp(-shift), for each query and bandwidth."""

    values: Floats  # (queries, bandwidths, left, right)
    shifts: Floats  # (queries, bandwidths)

    @property
    def log_weights(self) -> Floats:
        """Return the logarithm of the sum of the weights, (queries, bandwidths)."""
        with np.errstate(divide="ignore"):
            return np.log(self.values[:, :, 0, 0]) - self.shifts


@dataclass(frozen=True)
class KernelSums:
    """Rows, weights and values, packed by the leaves of a k-d tree."""

    X: Floats
    tree: Tree
    points: Floats  # (leaves, columns, capacity)
    weights: Floats  # (leaves, capacity); 0 beyond the rows of a leaf
    values: Floats  # (leaves, outputs, capacity)
    least_proportion: float  # smallest positive weight, as a fraction of the sum

    @classmethod
    def of(
        cls, X: Floats, weights: Weights | None, leaf_size: int, Y: Floats | None = None
    ) -> "KernelSums":
        """Pack rows; `Y` has one row of values per row, and None as weights means 1.

        For kernels of unbounded support, weights must be at least 2^-900 of their sum: native code
        divides by the smallest one, and its exponential function is never below exp(-708). A leaf
        has at most 5 max(`leaf_size`, 16) rows in any number of dimensions: a kernel weight is
        cheap compared with the visit of a leaf.
        """
        leaf_size = max(min(leaf_size, len(X)), _MIN_LEAF_SIZE)
        tree = build_tree(X, leaf_size if X.shape[1] > 4 else 5 * leaf_size)
        order, capacity = tree[0], tree[1].shape[2]
        leaves, n = len(tree[1]), len(X)
        begin = np.arange(leaves + 1) * n // leaves
        places = begin[:-1, None] + np.arange(capacity)
        real = places < begin[1:, None]
        rows = order[np.minimum(places, begin[1:, None] - 1)]
        w = np.ones(n) if weights is None else weights
        values = np.empty((n, 0)) if Y is None else Y
        return cls(
            X,
            tree,
            np.ascontiguousarray(X[rows].transpose(0, 2, 1)),
            np.where(real, w[rows], 0.0),
            np.ascontiguousarray(values[rows].transpose(0, 2, 1)),
            float(w[w > 0].min() / w.sum()),
        )

    def at(
        self,
        queries: Floats | None,
        kernel: KernelShape,
        bandwidths: Floats,
        *,
        p: float = 2.0,
        rtol: float = 0.0,
        straight: bool = False,
        each: bool = False,
    ) -> Sums:
        """Return the sums at the queries; None means the rows, each excluding itself.

        With `each`, query i has bandwidth i; otherwise every query has all bandwidths. The relative
        error is below `rtol`, or below rounding if rtol=0.
        """
        own = queries is None
        at = self.X if queries is None else queries
        left = 1 + straight * self.X.shape[1]
        right = left + self.values.shape[1]
        cut = _ROUNDING if rtol <= 2.0**-53 else -np.log(min(rtol, 0.5))
        scales = np.stack(
            [
                kernel.scale(bandwidths),
                kernel.max_distance(bandwidths, cut - np.log(self.least_proportion)),
            ]
        )
        count = 1 if each else scales.shape[1]
        sums = np.empty((len(at), count * left * right))
        references = np.empty(len(at))
        _native.kernel_sums(
            (self.X, *self.tree),
            (self.points, self.weights, self.values),
            at,
            (kernel.shape, kernel.squared, p, each),
            scales,
            (own, straight),
            sums,
            references,
        )
        shifts = references[:, None] * (scales[0][:, None] if each else scales[0])
        return Sums(sums.reshape(len(at), count, left, right), shifts)


@dataclass(frozen=True)
class BandedKernelSums:
    """Sums whose weights may differ by more than a double's range.

    The rows are divided into bands of weights that differ by at most 2^500; usually there is one.
    """

    bands: list[tuple[KernelSums, float]]  # and the logarithms of the unit of their weights

    @classmethod
    def of(
        cls, X: Floats, weights: Weights | None, leaf_size: int, Y: Floats | None = None
    ) -> "BandedKernelSums":
        """Pack rows; `Y` has one row of values per row, and None as weights means 1."""
        if weights is None:
            return cls([(KernelSums.of(X, None, leaf_size, Y), 0.0)])
        exponents = np.frexp(weights)[1]
        top = int(exponents[weights > 0].max())
        band = np.where(weights > 0, (top - exponents) // _BAND, 0)
        bands = []
        for b in np.unique(band).tolist():
            rows = np.flatnonzero(band == b)
            unit = top - b * _BAND if b or abs(top) > _MODERATE else 0
            scaled: Weights = np.ldexp(weights[rows], -unit)
            of_rows = None if Y is None else Y[rows]
            packed = KernelSums.of(X[rows], scaled, leaf_size, of_rows)
            bands.append((packed, unit * np.log(2.0)))
        return cls(bands)

    def at(
        self,
        queries: Floats,
        kernel: KernelShape,
        bandwidths: Floats,
        *,
        p: float = 2.0,
        rtol: float = 0.0,
        straight: bool = False,
    ) -> Sums:
        """Return the sums at the queries, as `KernelSums.at`."""
        parts = []
        for packed, unit in self.bands:
            values, shifts = packed.at(
                queries, kernel, bandwidths, p=p, rtol=rtol, straight=straight
            )
            parts.append(Sums(values, shifts - unit))
        if len(parts) == 1:
            return parts[0]
        # relative to the band with the largest sum; a band that does not reach a query counts as 0
        logs = np.stack([part.log_weights for part in parts])
        largest = logs.max(axis=0)
        shifts = np.where(np.isfinite(largest), -largest, 0.0)
        values = np.zeros_like(parts[0].values)
        for part, log_weight in zip(parts, logs, strict=True):
            reached = np.isfinite(log_weight)
            factor = np.where(reached, np.exp(np.where(reached, shifts - part.shifts, 0.0)), 0.0)
            values += part.values * factor[:, :, None, None]
        return Sums(values, shifts)
