r"""The leading singular values and right singular vectors of centred rows, X - 1 m' = U D V'.

covariance   eigenpairs of (X - 1 m')'(X - 1 m') = V D^2 V', one pass over the rows  (few columns)
gram         eigenpairs of (X - 1 m')(X - 1 m')' = U D^2 U', then V = X'U / D        (few rows)
krylov       a block Krylov space of the smaller side, then the SVD of its image     (many of both)
full         QR of the rows block by block and the SVD of R, or the SVD of the rows

A product of X with itself squares the condition: singular values below about 1e-8 of the largest
are lost. Where one that was asked for is that small, `exact` callers go on to "full".
"""

from collections.abc import Callable
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp

from gramian.base.randomness import stream
from gramian.base.rows.moments import Rows, Summary
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.decomposition.centred_table import CentredTable
from gramian.linalg import block_krylov
from gramian.linalg.block_krylov import orthonormal, pairs_of
from gramian.linalg.symmetric import largest_entry_positive

Solver: TypeAlias = Literal["covariance", "gram", "krylov", "full"]
_Map: TypeAlias = Callable[[Floats], Floats]

SMALL = 1e-5  # of the largest: smaller singular values have too few digits after squaring
_FAR = 1e4  # as in base/rows/column_moments.py
_FEW = 500  # rows and columns up to which a full decomposition is as quick as anything
_CONVERGED = 1e-12  # residual of a converged pair, of the largest


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


def best_solver(n: int, d: int, k: int, *, sparse: bool) -> Solver:
    """Return what is quickest for k of min(n, d) triplets."""
    small = min(n, d)
    if sparse:
        return "covariance" if d <= 1000 and d <= n else "krylov" if 2 * k < small else "gram"
    if max(n, d) <= _FEW:
        return "full"
    if small > 40 * (k + 10):
        return "krylov"
    return "covariance" if d <= n else "gram"


def by_covariance(summary: Summary, k: int, *, about_zero: bool = False) -> Triplets:
    """Return triplets from the moments of the rows."""
    scatter = summary.about(np.zeros_like(summary.shift)).gram[:-1, :-1] if about_zero else None
    values, V = pairs_of(summary.centred() if scatter is None else scatter, k)
    return _triplets(values, V)


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
    squares, U = pairs_of(table.gram(), k)
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
    guard: int = 10,
    products: int | None = None,
    tol: float = _CONVERGED,
) -> Triplets:
    """Return triplets from a block Krylov space of the smaller side.

    With `products`, of so many multiplications by X X' or X' X; None: until the residuals are below
    `tol` times the largest.
    """
    n, d = table.shape
    b = min(k + guard, n, d)
    tall = d <= n
    # The operator is X' X, or X X'.
    times: _Map = table.transposed_times if tall else table.times
    back: _Map = table.times if tall else table.transposed_times
    first = times(stream(seed).standard_normal((n if tall else d, b)))
    # A power of two, so that squares of very large or small numbers stay numbers.
    unit = 2.0 ** -np.frexp(np.abs(first).max(initial=0.0))[1]
    first = unit * first
    tol = max(tol, 1e-6) if table.X.dtype == np.float32 else tol
    found = block_krylov(
        lambda Q: unit * times(unit * back(Q)),
        first + _scatter(first, seed),
        b if products is not None else k,
        tol=0.0 if products is not None else tol,
        max_products=products or 20 + min(n, d) // b,
        max_columns=(products + 1) * b if products is not None else 0,
    )
    basis = found.vectors  # (small side, b or k)
    image = unit * back(basis)
    Q, R = orthonormal(image)
    left, values, right = np.linalg.svd(R)  # X' basis, or X basis, = (Q left) values right
    V = basis @ right.T if tall else Q @ left
    return Triplets(values[:k] / unit, largest_entry_positive(V[:, :k]).T)


def krylov_products(power_iterations: int) -> int:
    """Return how many products keep about as much of the squares as so many power iterations.

    p products span all polynomials of X X' of degree p - 1 times the first block. A power of
    degree q is one of them if p > q, and Chebyshev's of a lower degree is better if q is large.
    """
    return 1 + ceil(0.6 * power_iterations)


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
