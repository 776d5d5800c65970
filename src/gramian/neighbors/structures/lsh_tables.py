"""Hash functions that map near rows to the same value, and their tables of buckets.

cpp/core/hashing/lsh.hpp describes the arrays and the order in which a query visits the buckets.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.randomness import stream
from gramian.base.types import Matrix
from gramian.neighbors.structures.radius_results import Indices

Kind: TypeAlias = Literal["hyperplane", "p_stable"]

_SAMPLE_ROWS = 4096  # rows used to estimate medians and widths
_PADDING = 16  # the number of directions is a multiple of this
_MAX_BITS = 24  # maximum bits of a bucket index
_MAX_BUCKETS = 2**28  # maximum over all tables (1 GiB), unless there are many rows
_BUCKETS_PER_ROW = 64
_MAX_COORDINATE = 1e307  # limit of coordinates, so that sums of a few stay finite


class Functions(NamedTuple):
    """The hash functions of all tables."""

    directions: Matrix  # (d, tables * per table, padded)
    offsets: npt.NDArray[np.float64]
    width: float  # width of a cell; 0 for hyperplanes
    multipliers: npt.NDArray[np.uint64]  # (tables, per table)


def default_functions(n: int) -> int:
    """Return the number of functions for about four rows per bucket, if each halves the rows."""
    return int(np.clip(np.log2(n) - 2, 1, _MAX_BITS))


def draw_functions(
    X: Matrix, kind: Kind, tables: int, per_table: int, width: float | None, seed: int
) -> Functions:
    """Draw hash functions suited to the rows of X.

    Hyperplanes are random rotations of orthogonal ones (Ji et al., NIPS 2012), shifted to the
    median of the rows along each normal. p-stable functions have Gaussian directions; by default
    the width gives a Gaussian with the spread of the rows one bit of entropy.
    """
    d, count = X.shape[1], tables * per_table
    draw = stream(seed)
    normals = draw.normal(size=(tables, d, per_table))
    if kind == "hyperplane":
        parts = [normals[:, :, i : i + d] for i in range(0, per_table, d)]
        normals = np.concatenate([np.linalg.qr(part)[0] for part in parts], axis=2)
    directions = np.zeros((d, -(-count // _PADDING) * _PADDING), X.dtype)
    directions[:, :count] = np.moveaxis(normals, 0, 1).reshape(d, count)
    along = project(_sample(X), directions)[:, :count].astype(np.float64)
    along = np.clip(np.nan_to_num(along), -_MAX_COORDINATE, _MAX_COORDINATE)

    if kind == "hyperplane":
        side_by_side = np.uint64(1) << np.arange(64 - per_table, 64, dtype=np.uint64)
        multipliers = np.tile(side_by_side, (tables, 1))
        return Functions(directions, np.median(along, axis=0), 0.0, multipliers)
    if width is None:
        largest = float(np.abs(along).max()) or 1.0  # scaled by this, squares do not overflow
        spread = largest * float(np.sqrt((along / largest).var(axis=0).mean()))
        # the entropy of a bucket is log2(spread (2 pi e)^1/2 / width), here 1 bit
        width = spread * math.sqrt(2 * math.pi * math.e) / 2 or 1.0
    offsets = draw.uniform(0.0, width, size=count)
    multipliers = draw.integers(2**63, size=(tables, per_table), dtype=np.uint64)
    return Functions(directions, offsets, float(width), 2 * multipliers + np.uint64(1))


def project(X: Matrix, directions: Matrix) -> Matrix:
    """Return the rows' coordinates along the directions."""
    along = np.empty((len(X), directions.shape[1]), X.dtype)
    _native.lsh_project(X, directions, along)
    return along


def bucket_bits(n: int, functions: Functions) -> int:
    """Return the number of bits of a bucket index, for n rows.

    Hyperplanes have 2^K buckets; hashed cells need about one bucket per row.
    """
    tables, per_table = functions.multipliers.shape
    bits = int(np.clip(np.ceil(np.log2(n)), 1, _MAX_BITS)) if functions.width else per_table
    if tables * 2**bits > max(_MAX_BUCKETS, _BUCKETS_PER_ROW * tables * n):
        raise ParameterError(
            f"LSHNeighbors: n_tables * 2^n_functions buckets must be at most {_MAX_BUCKETS}, or "
            f"{_BUCKETS_PER_ROW} per row; got {tables} * 2^{bits} for {n} rows. Decrease "
            "n_functions."
        )
    return bits


def _as_tuple(functions: Functions) -> Any:
    return tuple(functions)  # the element types depend on X


def _sample(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X[:: -(-len(X) // _SAMPLE_ROWS)])


@dataclass(frozen=True)
class HashTables:
    """Rows, their buckets, and a copy of the rows rounded to bytes."""

    X: Matrix
    functions: Functions
    arrays: tuple[Any, ...]

    @classmethod
    def build(cls, X: Matrix, functions: Functions) -> "HashTables":
        """Hash the rows of X into buckets."""
        n, d = X.shape
        tables = len(functions.multipliers)
        bits = bucket_bits(n, functions)
        low, high = (
            np.asarray(end(_sample(X), axis=0), dtype=np.float64) for end in (np.min, np.max)
        )
        step = float(np.max(high / 255 - low / 255)) or 1.0  # the range itself may overflow
        half = np.maximum(low / 4 + high / 4 - 63.75 * step, -np.finfo(np.float64).max / 2)
        arrays = (
            np.empty((tables, 2**bits + 1), np.int32),  # starts
            np.empty((tables, n), np.int32),  # members
            2 * half,  # low
            step,
            np.empty((n, d), np.uint8),  # codes
            np.empty(n, np.float32),  # errors
        )
        _native.lsh_build(X, _as_tuple(functions), arrays)
        return cls(X, functions, arrays)

    def nearest(self, queries: Matrix | None, k: int, probes: int) -> tuple[Matrix, Indices, float]:
        """Return distances and indices of the k nearest rows found, and the mean rows compared.

        None as queries means the rows themselves, each excluding itself.
        """
        own = queries is None
        at = self.X if queries is None else queries
        distances, indices = np.empty((len(at), k), self.X.dtype), np.empty((len(at), k), np.int64)
        if not len(at):
            return distances, indices, 0.0
        found = _native.lsh_nearest(
            self.X, _as_tuple(self.functions), self.arrays, at, probes, own, distances, indices
        )
        return distances, indices, found / len(at)


@dataclass(frozen=True)
class HashSearch:
    """Searches a fixed number of buckets."""

    tables: HashTables
    probes: int

    def nearest(self, queries: Matrix | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows found, by (distance, index)."""
        distances, indices, _ = self.tables.nearest(queries, k, self.probes)
        return distances, indices
