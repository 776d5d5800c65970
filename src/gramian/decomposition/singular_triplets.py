r"""The leading singular values and right singular vectors of centred rows, X - 1 m' = U D V'.

covariance   eigenpairs of (X - 1 m')'(X - 1 m') = V D^2 V', one pass over the rows  (few columns)
gram         eigenpairs of (X - 1 m')(X - 1 m')' = U D^2 U', then V = X'U / D        (few rows)
krylov       a block Krylov space of X'X or X X', then the SVD of its image         (many of both)
full         QR of the rows block by block and the SVD of R, or the SVD of the rows

A product of X with itself squares the condition: singular values below about 1e-8 of the largest
are lost. Where one that was asked for is that small, `exact` callers go on to "full".
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.gate import check_size, check_values
from gramian.base.kinds import Estimator
from gramian.base.randomness import stream
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.moments import Rows, Summary
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats
from gramian.decomposition.centred_table import CentredTable
from gramian.linalg.block_krylov import (
    cholesky_root,
    orthonormal,
    small_block_krylov,
    top_eigenpairs,
)
from gramian.linalg.symmetric import largest_entry_positive, signs_of_largest

Solver: TypeAlias = Literal["covariance", "gram", "krylov", "full"]
_Map: TypeAlias = Callable[[Floats], Floats]

SMALL = 1e-5  # of the largest: smaller singular values have too few digits after squaring
_FAR = 1e4  # as in base/rows/column_moments.py
_LARGE = 1e150  # sizes whose squares are far from overflow
_FEW = 500  # rows and columns up to which a full decomposition is as quick as anything
_DIRECT = 1000  # of the smaller side of sparse rows, up to which all products are made
_ONE_READING = 8  # rows of X'X for each of X X' up to which it is preferred: it reads X once

CONVERGED = 1e-12  # residual of a converged pair, of the largest


class Triplets(NamedTuple):
    """Singular values, the largest first, and right singular vectors.

    Attributes
    ----------
    values
        Array (k,).
    vectors
        Orthonormal rows, (k, d); the entry of largest size of each is positive.
    """

    values: Floats
    vectors: Floats


def best_solver(n: int, d: int, k: int, *, sparse: bool, columns: int | None = None) -> Solver:
    """Return what is quickest for k of min(n, d) triplets.

    `columns` of a Krylov space of sparse rows are enough; None: as many as it takes to converge.
    """
    small = min(n, d)
    if sparse:
        if small > _DIRECT or (columns is not None and _is_cheap(columns, small, k)):
            return "krylov" if 2 * k < small else "gram"
        return "covariance" if d <= n else "gram"
    if max(n, d) <= _FEW:
        return "full"
    if small > 40 * (k + 10):
        return "krylov"
    return "covariance" if d <= n else "gram"


def _is_cheap(columns: int, small: int, k: int) -> bool:
    """Tell whether a Krylov space of so many columns costs less than LAPACK's k eigenpairs.

    In operations of a tridiagonal form; measured with some hundred to some thousand columns. A
    column of the space costs about the same whatever there is to be multiplied.
    """
    return 1000 * columns * (500 + 5 * columns) < small**2 * (small + 9 * k)


def by_covariance(summary: Summary, k: int, *, about_zero: bool = False) -> Triplets:
    """Return triplets from the moments of the rows."""
    scatter = summary.about(np.zeros_like(summary.shift)).gram[:-1, :-1] if about_zero else None
    values, V = top_eigenpairs(summary.centred() if scatter is None else scatter, k)
    return _triplets(values, V)


def moments_of(estimator: Estimator, table: Data) -> Summary:
    """Return the moments of rows whose values the gate has not looked at.

    One pass serves both: a sum of squares is not finite if a value is not.
    """
    rows = Rows.of(table, np.empty((table.shape[0], 0)), None)
    with np.errstate(all="ignore"):
        summary = summarise(rows, table.dtype)
        sizes = np.append(np.sqrt(np.diag(summary.gram)), np.abs(summary.shift))
    if (sizes <= _LARGE).all():
        return summary
    check_values(estimator, table)
    check_size(estimator, "X", table)
    return summarise(rows, np.float64)  # squares of float32 may have been too large for it


def moments_in_chunks(gate: Chunks) -> Summary:
    """Return the moments of rows in chunks; as `moments_of`, with one pass for most tables."""
    with np.errstate(all="ignore"), suppress(DataError):  # a second pass says what is wrong
        summary = summarise(Rows.in_chunks(replace(gate, values=False), 0), gate.dtype)
        sizes = np.append(np.sqrt(np.diag(summary.gram)), np.abs(summary.shift))
        if (sizes <= _LARGE).all():
            return summary
    return summarise(Rows.in_chunks(gate, 0), gate.dtype)


def summarise(rows: Rows, dtype: object) -> Summary:
    """Make the moments in one pass; in two where the first rows are far from the others."""
    wide = dtype != np.float32
    summary = rows.summarise(wide=wide)
    away = summary.gram[:-1, -1]
    squares = np.diag(summary.gram)[:-1]
    shifted = away**2 / summary.weight
    if (shifted > _FAR * np.maximum(squares - shifted, 0.0)).any() and summary.shift.any():
        return rows.summarise(wide=wide, shift=summary.means)
    return summary


def by_gram(table: CentredTable, k: int) -> Triplets:
    """Return triplets from the products of pairs of rows."""
    squares, U = top_eigenpairs(table.gram(), k)
    values = np.sqrt(np.maximum(squares, 0.0))
    some = np.where(values > 0, values, 1.0)
    V = table.transposed_times(U) / some
    # The small ones have lost their orthogonality, or are nothing at all.
    Q = np.linalg.qr(_completed(V, values))[0]
    return Triplets(values, largest_entry_positive(Q).T)


def by_krylov(
    table: CentredTable,
    k: int,
    *,
    seed: int,
    block: int = 8,
    most: int | None = None,
    tol: float = CONVERGED,
) -> Triplets:
    """Return triplets from a block Krylov space of X'X, or of X X' where there are few rows.

    Until the residuals are below `tol` times the largest square, or products with `most` columns
    were made; None: as many as it takes.
    """
    n, d = table.shape
    across = d <= (n if sp.issparse(table.X) else _ONE_READING * n)  # of X'X
    times: _Map = table.transposed_times if across else table.times
    back: _Map = table.times if across else table.transposed_times
    square: _Map = table.gram_times if across else (lambda Q: times(back(Q)))
    side = d if across else n
    first = times(stream(seed).standard_normal((n if across else d, min(block, side))))
    # A power of two, so that squares of very large or small numbers stay numbers.
    unit = 2.0 ** -np.frexp(np.abs(first).max(initial=0.0))[1]
    first = unit * first
    found = small_block_krylov(
        lambda Q: unit * square(unit * Q),
        first + _scatter(first, seed),
        k,
        tol=tol,
        max_columns=most or krylov_columns(k),
        max_total_columns=most or 20 * (k + side),
        seed=seed,
    )
    basis = found.vectors  # (side, k)
    W, turn, values, right = _svd_of_image(back(unit * basis))
    V = basis @ right.T if across else W @ turn
    V *= signs_of_largest(V)
    return Triplets(values / unit, V.T)


def _svd_of_image(W: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return A, B, D and V' of the SVD W = (A B) D V', where W is tall and A is as tall."""
    root = cholesky_root(W)
    if root is not None and root.exact:
        left, values, right = np.linalg.svd(root.factor)
        return W, np.linalg.solve(root.factor, left), values, right
    Q, R = orthonormal(W)
    left, values, right = np.linalg.svd(R)
    return Q, left, values, right


def krylov_columns(k: int, power_iterations: float = 24, guard: int = 10) -> int:
    """Return how many columns keep as much of the squares as so many power iterations, or more.

    p blocks of k + guard columns span all polynomials of X X' of degree p - 1 times the first
    block. A power of degree q is one of them if p > q, and Chebyshev's of a lower degree is better
    if q is large; smaller blocks of as many columns in all are better still.
    """
    return (1 + ceil(0.6 * power_iterations)) * (k + guard)


def by_full(table: CentredTable, k: int, *, centre: bool = True) -> Triplets:
    """Return triplets with all digits that LAPACK gives."""
    n, d = table.shape
    if n < d or sp.issparse(table.X) or max(n, d) <= _FEW:
        _, values, Vt = lapack.svd(table.dense())
        return _cut(values, Vt, k)
    rows = Rows.of(table.X, np.empty((n, 0)), None)
    return from_root(rows.root(table.mean, np.ones(d), ones=centre), k, ones=centre)


def from_root(root: Floats, k: int, *, ones: bool = True) -> Triplets:
    """Return triplets from R of the QR decomposition of (1, X - shift), or of X."""
    _, values, Vt = lapack.svd(root[1:, 1:] if ones else root)
    return _cut(values, Vt, k)


def is_small(values: Floats) -> bool:
    """Tell whether one of the singular values is too small for a method that squares them."""
    return bool(len(values)) and bool(values[-1] < SMALL * values[0])


def _cut(values: Floats, Vt: Floats, k: int) -> Triplets:
    return Triplets(values[:k].copy(), largest_entry_positive(Vt[:k].T).T)


def _triplets(squares: Floats, V: Floats) -> Triplets:
    return Triplets(np.sqrt(np.maximum(squares, 0.0)), V.T)


def _scatter(block: Floats, seed: int) -> Floats:
    """Return little random numbers that give a block of low rank full rank."""
    size = np.abs(block).max(initial=0.0) or 1.0
    return np.asarray(1e-14 * size * stream(seed, 1).standard_normal(block.shape))


def _completed(V: Floats, values: Floats) -> Floats:
    """Replace the vectors of vanishing singular values by random ones, for QR to turn."""
    none = values <= 1e-7 * values.max(initial=0.0)
    if not none.any():
        return V
    filled = V.copy()
    filled[:, none] = stream(0).standard_normal((len(V), int(none.sum())))
    return filled
