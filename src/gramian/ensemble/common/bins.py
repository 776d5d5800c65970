"""Binning: a table as 8-bit codes, the input of histograms.

A numeric feature with at most ``max_bins`` distinct values has a cut between all neighbours;
one with more values is cut at its quantiles. Each category has a bin; if there are too many, the
rarest ones share the last bin. One further code stands for missing values.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.inputs.categorical import Categories
from gramian.base.randomness import stream
from gramian.base.types import Matrix, Weights

Ints: TypeAlias = npt.NDArray[np.int32]
Codes: TypeAlias = npt.NDArray[np.uint8]  # (groups, rows, 8)

Counts: TypeAlias = list[npt.NDArray[np.int64]]  # the rows of each category, per column

QUANTILE_ROWS = 200_000  # rows used to compute quantiles
_COLUMNS_PER_GROUP = 8
_STREAM = 1


@dataclass(frozen=True)
class Bins:
    """The bins of each column: the code of x is the number of cuts below it."""

    cuts: npt.NDArray[np.float64]  # (columns, max_bins - 1)
    n_cuts: Ints
    n_bins: Ints
    category_bin: Codes  # the bin of every category, concatenated over the columns
    category_start: npt.NDArray[np.int64]
    missing: Codes  # the code of missing values, one per group of eight columns

    @classmethod
    def of(
        cls,
        X: Matrix,
        weights: Weights | None,
        categories: Categories,
        max_bins: int,
        seed: int,
        sample: int = QUANTILE_ROWS,
        counts: Counts | None = None,
    ) -> "Bins":
        """Choose the bins of every column; quantiles use at most `sample` rows.

        `counts` are the rows per category, needed if X is only a sample of all rows.
        """
        d = X.shape[1]
        categorical = np.array([levels is not None for levels in categories])
        cuts = np.full((d, max_bins - 1), np.inf)
        n_cuts = np.empty(d, dtype=np.int32)
        _native.find_cuts(
            X,
            weights,
            sampled_rows(len(X), sample, seed),
            max_bins,
            categorical.view(np.uint8),
            cuts,
            n_cuts,
        )
        n_bins = n_cuts + 1
        category_bins: list[Codes] = []
        for j, levels in enumerate(categories):
            column_bins = np.empty(0, np.uint8)
            if levels is not None:
                row_counts = _category_counts(X[:, j], len(levels)) if counts is None else counts[j]
                column_bins = _category_bins(row_counts, max_bins)
                n_bins[j] = int(column_bins.max(initial=0)) + 1
            category_bins.append(column_bins)
        padded = np.zeros(-(-d // _COLUMNS_PER_GROUP) * _COLUMNS_PER_GROUP, dtype=np.int32)
        padded[:d] = n_bins
        return cls(
            cuts,
            n_cuts,
            n_bins,
            np.concatenate(category_bins),
            np.cumsum([0, *map(len, category_bins)], dtype=np.int64),
            padded.reshape(-1, _COLUMNS_PER_GROUP).max(axis=1).astype(np.uint8),
        )

    def codes(self, X: Matrix) -> tuple[Codes, Codes]:
        """Return the codes of all values, and which columns have missing values."""
        n, d = X.shape
        codes = np.empty((-(-d // _COLUMNS_PER_GROUP), n, _COLUMNS_PER_GROUP), dtype=np.uint8)
        has_missing = np.zeros(d, dtype=np.uint8)
        _native.apply_bins(
            X,
            self.cuts,
            self.n_cuts,
            self.category_bin,
            self.category_start,
            self.missing,
            codes,
            has_missing,
        )
        return codes, has_missing

    def categories_of(self, column: int, bin_set: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return which categories of a column are in a set of bins, given as four 64-bit words."""
        start, end = self.category_start[column : column + 2]
        in_set = np.unpackbits(bin_set.view(np.uint8), bitorder="little")
        return in_set[self.category_bin[start:end]].astype(bool)


@dataclass(frozen=True)
class BinnedTable:
    """A binned table."""

    bins: Bins
    codes: Codes
    has_missing: Codes

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.codes.shape[1], len(self.has_missing)


def sampled_rows(n: int, size: int, seed: int) -> npt.NDArray[np.int64]:
    """Return one random row from each of `size` equal intervals; empty means all rows."""
    if n <= size:
        return np.empty(0, dtype=np.int64)
    positions = np.arange(size) + stream(seed, _STREAM).random(size)
    return np.minimum((positions * (n / size)).astype(np.int64), n - 1)


def _category_counts(column: npt.NDArray[Any], n_levels: int) -> npt.NDArray[np.int64]:
    """Return the number of rows of each category."""
    codes = column[~np.isnan(column)].astype(np.int64)
    return np.bincount(codes, minlength=n_levels)


def _category_bins(counts: npt.NDArray[np.int64], max_bins: int) -> Codes:
    """Assign a bin to each category; the rarest share one if there are too many."""
    n_levels = len(counts)
    if n_levels <= max_bins:
        return np.arange(n_levels, dtype=np.uint8)
    order = np.argsort(-counts, kind="stable")
    bins = np.full(n_levels, max_bins - 1, dtype=np.uint8)
    bins[order[: max_bins - 1]] = np.arange(max_bins - 1, dtype=np.uint8)
    return bins
