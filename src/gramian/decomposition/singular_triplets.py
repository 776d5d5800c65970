r"""The leading singular values and right singular vectors of centred rows, X - 1 m' = U D V'.

covariance   eigenpairs of (X - 1 m')'(X - 1 m') = V D^2 V', one pass over the rows  (few columns)
gram         eigenpairs of (X - 1 m')(X - 1 m')' = U D^2 U', then V = X'U / D        (few rows)
krylov       a block Krylov space of X'X or X X', then the SVD of its image         (many of both)
full         QR of the rows block by block and the SVD of R, or the SVD of the rows

A product of X with itself squares the condition: singular values below about 1e-8 of the largest
are lost. If a requested one is that small, callers that need it exactly use "full".
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_size, check_values
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

SMALL = 1e-5  # relative to the largest: smaller singular values lose too many digits by squaring
_FAR = 1e4  # same as in base/rows/column_moments.py
_LARGE = 1e150  # sizes whose squares are far from overflow
_FEW = 500  # rows and columns up to which a full decomposition is fast
_DIRECT = 1000  # smaller side of sparse rows up to which all products are computed
_ONE_READING = 8  # rows of X'X for each of X X' up to which it is preferred: it reads X once

CONVERGED = 1e-12  # residual of a converged pair, relative to the largest


class Triplets(NamedTuple):
    """Singular values in decreasing order, and right singular vectors.

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
    """Return the fastest solver for k of min(n, d) triplets.

    `columns` of a Krylov space of sparse rows suffice; None for as many as convergence needs.
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
    """Return whether a Krylov space of this many columns costs less than LAPACK's k eigenpairs.

    In operations of a tridiagonal reduction; measured with hundreds to thousands of columns. The
    cost per column hardly depends on the matrix.
    """
    return 1000 * columns * (500 + 5 * columns) < small**2 * (small + 9 * k)


def by_covariance(summary: Summary, k: int, *, about_zero: bool = False) -> Triplets:
    """Return triplets from the moments of the rows."""
    scatter = summary.about(np.zeros_like(summary.shift)).gram[:-1, :-1] if about_zero else None
    values, V = top_eigenpairs(summary.centred() if scatter is None else scatter, k)
    return _triplets(values, V)


def moments_of(estimator: Estimator, table: Data) -> Summary:
    """Return the moments of rows whose values have not been checked.

    One pass does both: a sum of squares is not finite if a value is not.
    """
    rows = Rows.of(table, np.empty((table.shape[0], 0)), None)
    with np.errstate(all="ignore"):
        summary = summarise(rows, table.dtype)
        sizes = np.append(np.sqrt(np.diag(summary.gram)), np.abs(summary.shift))
    if (sizes <= _LARGE).all():
        return summary
    check_values(estimator, table)
    check_size(estimator, "X", table)
    return summarise(rows, np.float64)  # squares may have overflowed float32


def moments_in_chunks(gate: Chunks) -> Summary:
    """Return the moments of rows in chunks, like `moments_of`; usually in one pass."""
    with np.errstate(all="ignore"), suppress(DataError):  # a second pass reports the error
        summary = summarise(Rows.in_chunks(replace(gate, values=False), 0), gate.dtype)
        sizes = np.append(np.sqrt(np.diag(summary.gram)), np.abs(summary.shift))
        if (sizes <= _LARGE).all():
            return summary
    return summarise(Rows.in_chunks(gate, 0), gate.dtype)


def summarise(rows: Rows, dtype: object) -> Summary:
    """Compute the moments in one pass, or in two if the first rows are far from the others."""
    double = dtype != np.float32
    summary = rows.summarise(double=double)
    away = summary.gram[:-1, -1]
    squares = np.diag(summary.gram)[:-1]
    shifted = away**2 / summary.weight
    if (shifted > _FAR * np.maximum(squares - shifted, 0.0)).any() and summary.shift.any():
        return rows.summarise(double=double, shift=summary.means)
    return summary


def by_gram(table: CentredTable, k: int) -> Triplets:
    """Return triplets from the products of pairs of rows."""
    squares, U = top_eigenpairs(table.gram(), k)
    values = np.sqrt(np.maximum(squares, 0.0))
    some = np.where(values > 0, values, 1.0)
    V = table.transposed_times(U) / some
    # Vectors of small singular values have lost their orthogonality, or are zero.
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
    """Return triplets from a block Krylov space of X'X, or of X X' if there are few rows.

    Stops when the residuals are below `tol` times the largest square, or after products with `most`
    columns; None for no limit.
    """
    n, d = table.shape
    across = d <= (n if sp.issparse(table.X) else _ONE_READING * n)  # use X'X
    times: _Map = table.transposed_times if across else table.times
    back: _Map = table.times if across else table.transposed_times
    square: _Map = table.gram_times if across else (lambda Q: times(back(Q)))
    side = d if across else n
    first = times(stream(seed).standard_normal((n if across else d, min(block, side))))
    # A power of two, so that squares neither overflow nor underflow.
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
    """Return A, B, D and V' of the SVD W = (A B) D V' of a tall W, with A of its height."""
    root = cholesky_root(W)
    if root is not None and root.exact:
        left, values, right = np.linalg.svd(root.factor)
        return W, np.linalg.solve(root.factor, left), values, right
    Q, R = orthonormal(W)
    left, values, right = np.linalg.svd(R)
    return Q, left, values, right


def krylov_columns(k: int, power_iterations: float = 24, guard: int = 10) -> int:
    """Return the number of columns that preserves as much as this many power iterations.

    p blocks of k + guard columns span all polynomials of X X' of degree p - 1 times the first
    block. A power of degree q is among them if p > q; for large q, Chebyshev polynomials of lower
    degree are better; smaller blocks with the same total number of columns are better still.
    """
    return (1 + ceil(0.6 * power_iterations)) * (k + guard)


def by_full(table: CentredTable, k: int, *, centre: bool = True) -> Triplets:
    """Return triplets with the full precision of LAPACK."""
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
    """Return whether a singular value is too small for a method that squares them."""
    return bool(len(values)) and bool(values[-1] < SMALL * values[0])


def _cut(values: Floats, Vt: Floats, k: int) -> Triplets:
    return Triplets(values[:k].copy(), largest_entry_positive(Vt[:k].T).T)


def _triplets(squares: Floats, V: Floats) -> Triplets:
    return Triplets(np.sqrt(np.maximum(squares, 0.0)), V.T)


def _scatter(block: Floats, seed: int) -> Floats:
    """Return small random numbers that give a block of low rank full rank."""
    size = np.abs(block).max(initial=0.0) or 1.0
    return np.asarray(1e-14 * size * stream(seed, 1).standard_normal(block.shape))


def _completed(V: Floats, values: Floats) -> Floats:
    """Replace the vectors of zero singular values with random ones, orthogonalised by QR."""
    none = values <= 1e-7 * values.max(initial=0.0)
    if not none.any():
        return V
    filled = V.copy()
    filled[:, none] = stream(0).standard_normal((len(V), int(none.sum())))
    return filled
