"""The sums over rows that least squares requires: one Gram matrix, and passes over the rows.

With z = (x - s, y - t, 1) for a fixed shift (s, t) near the data,

    G = sum_i w_i z_i z_i'

contains X'WX, X'WY, Y'WY, the weighted sums and the total weight about that shift. Gram matrices
of parts of the rows add, so they can be computed anywhere and merged. `Rows` are training rows in
memory or in chunks that can be read again. They are cut into blocks at fixed row numbers, so the
results do not depend, in any bit, on the chunks. For rows on several workers
(`gramian.base.rows.parts`) every sum is computed part by part and merged.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.rows.chunks import Chunk, Chunks, joined, rows_of_chunk
from gramian.base.rows.native_table import native_table
from gramian.base.rows.parts import add, either, largest
from gramian.base.runtime.blas import gram_of
from gramian.base.runtime.interruptible import interruptible
from gramian.base.runtime.lapack import threads_for_size
from gramian.base.types import Data, Matrix, Weights, is_sparse

Vector: TypeAlias = npt.NDArray[np.float64]
_S = TypeVar("_S")

_BLOCK = _native.gram_rows()
NATIVE_COLUMNS = 512  # with more columns, BLAS computes one large product per block
_PILOT_ROWS = 15


@dataclass(frozen=True)
class Summary:
    """The Gram matrix of some rows, from which least squares and ridge are fitted; can be merged.

    Attributes
    ----------
    gram
        Array (d + m + 1, d + m + 1): sum of w z z' with z = (x, y, 1) - (shift, 0).
    shift
        Array (d + m): the point about which the sums are taken.
    n_rows
        Number of rows.
    n_targets
        m, the number of target columns.
    feature_names
        The names of the columns of X if a frame had them, else None; a merge keeps the first.

    Examples
    --------
    >>> from gramian import LinearRegression
    >>> model = LinearRegression()
    >>> left = model.summarise([[0.0], [1.0]], [1.0, 3.0])
    >>> right = model.summarise([[2.0], [3.0]], [5.0, 7.0])
    >>> model.solve(left.merge(right)).coef_.round(6)
    array([2.])
    """

    gram: Matrix
    shift: Vector
    n_rows: int
    n_targets: int
    feature_names: npt.NDArray[np.object_] | None = None

    @property
    def n_features(self) -> int:
        """The number of columns of X."""
        return len(self.shift) - self.n_targets

    @property
    def weight(self) -> float:
        """The total weight."""
        return float(self.gram[-1, -1])

    @property
    def means(self) -> Vector:
        """The weighted means of the columns of X and of y."""
        mean: Vector = self.shift + self.gram[:-1, -1] / self.weight
        return mean

    def merge(self, other: "Summary") -> "Summary":
        """Return the summary of both sets of rows together."""
        if (self.n_features, self.n_targets) != (other.n_features, other.n_targets):
            raise DataError(
                "Summary.merge: both must have the same columns; got "
                f"{self.n_features} features and {self.n_targets} targets here, "
                f"{other.n_features} and {other.n_targets} there."
            )
        if self.n_rows == 0 or other.n_rows == 0:  # its shift is arbitrary
            return other if self.n_rows == 0 else self
        total = self.gram + other.about(self.shift).gram
        return replace(self, gram=total, n_rows=self.n_rows + other.n_rows)

    def about(self, shift: Vector) -> "Summary":
        """Return the same sums about another point."""
        if np.array_equal(shift, self.shift):
            return self
        move = np.append(self.shift - shift, 0.0)  # z becomes z + move
        cross = np.outer(move, self.gram[-1])
        gram = self.gram + cross + cross.T + self.weight * np.outer(move, move)
        return replace(self, gram=gram, shift=shift)

    def centred(self) -> Matrix:
        """Return the sums of products about the means, (d + m, d + m)."""
        sums = self.gram[:-1, -1]
        centred: Matrix = self.gram[:-1, :-1] - np.outer(sums, sums) / self.weight
        return centred


@dataclass(frozen=True)
class Rows:
    """Training rows that can be read repeatedly.

    `chunks` starts a pass; every chunk is checked, and its y is two-dimensional and float64. If the
    rows are on several workers, `gate` has access to them, and only `total` and its callers work.
    """

    chunks: Callable[[], Iterator[Chunk]]
    n_features: int
    n_targets: int
    gate: Chunks | None = None
    targets: tuple[int, ...] | None = None  # columns of y to use; None: all
    in_memory: bool = False  # one chunk
    cheap_to_reread: bool = True  # whether another pass reads memory only

    @classmethod
    def of(cls, X: Data, Y: Matrix, weights: Weights | None) -> "Rows":
        """Rows in memory."""
        columns: Matrix = np.ascontiguousarray(Y if Y.ndim == 2 else Y[:, None], dtype=np.float64)
        chunk = Chunk(X, columns, weights)
        return cls(lambda: iter([chunk]), X.shape[1], columns.shape[1], in_memory=True)

    @classmethod
    def in_chunks(
        cls, gate: Chunks, n_targets: int, targets: tuple[int, ...] | None = None
    ) -> "Rows":
        """Rows in chunks with `n_targets` columns of y; if 0, y and weights are ignored."""
        checked = partial(_with_targets, gate, targets, n_targets)
        read = checked if n_targets else partial(_without, gate)
        where = gate if gate.distributed else None
        cheap_to_reread = gate.in_memory or gate.sparse
        return cls(
            read, gate.n_features, n_targets, where, targets, cheap_to_reread=cheap_to_reread
        )

    def of_targets(self, targets: Any) -> "Rows":
        """Return the same rows with some of the columns of y."""
        m = len(targets)
        if m == self.n_targets:
            return self
        if self.gate is not None:
            return Rows.in_chunks(self.gate, m, tuple(int(t) for t in targets))
        return replace(self, chunks=partial(_some_targets, self, targets), n_targets=m)

    @property
    def distributed(self) -> bool:
        """Whether the rows are spread over several workers or files."""
        return self.gate is not None

    def first(self) -> Chunk:
        """Return the first chunk, or the first rows of a remote one."""
        return next(self._local().chunks())

    def _local(self) -> "Rows":
        """Return rows in this process; of parts, the first few rows."""
        if self.gate is None:
            return self
        return Rows.in_chunks(self.gate.local(), self.n_targets, self.targets)

    def total(self, step: Callable[["Rows"], _S], merge: Callable[[_S, _S], _S]) -> _S:
        """Run a step over the rows of every part and merge the results."""
        if self.gate is None:
            return step(self)
        work = partial(_over_rows, step, self.n_targets, self.targets)
        return self.gate.total(work, merge)

    def pieces(self) -> Iterator[Chunk]:
        """Yield the rows cut at multiples of the native block size, independent of the chunks."""
        waiting: list[Chunk] = []
        for chunk in self.chunks():
            n = len(chunk.y)
            held = sum(len(part.y) for part in waiting)
            fill = min((_BLOCK - held) % _BLOCK if held else 0, n)
            if held:
                waiting.append(_rows(chunk, 0, fill))
                if held + fill < _BLOCK:
                    continue
                yield joined(waiting)
                waiting = []
            whole = fill + (n - fill) // _BLOCK * _BLOCK
            if whole > fill:
                yield _rows(chunk, fill, whole)
            if whole < n:
                waiting.append(_rows(chunk, whole, n))
        if waiting:
            yield joined(waiting)

    def dense_pieces(self) -> Iterator[Chunk]:
        """Yield the pieces; convert sparse ones to dense block by block."""
        for piece in self.pieces():
            if not is_sparse(piece.X):
                yield piece
                continue
            for block in _blocks(piece):
                yield block._replace(X=sp.csr_array(block.X).toarray())

    def blocks(self) -> Iterator[Chunk]:
        """Yield the native blocks one by one, X dense and float64."""
        for piece in self.pieces():
            for block in _blocks(piece):
                dense = block.X.toarray() if is_sparse(block.X) else block.X
                yield block._replace(X=dense.astype(np.float64, copy=False))

    def summarise(
        self, *, double: bool = True, shifted: bool = True, shift: Vector | None = None
    ) -> Summary:
        """Compute the Gram matrix in one pass, in double precision unless `double` is False.

        It is taken about `shift`; by default about a point near the first rows if `shifted`, else
        about 0. Without `double`, float32 rows are multiplied in float32.
        """
        if shift is None and self.distributed:
            shift = self.pilot() if shifted else np.zeros(self.n_features + self.n_targets)
        step = partial(_summary, double=double, shifted=shifted, shift=shift)
        return self.total(step, Summary.merge)

    def pilot(self) -> Vector:
        """Return a point near the data: the median of a few of the first rows."""
        X, Y, _ = next(self._local().pieces())
        return _pilot(X, Y)

    def root(self, shift: Vector, scale: Vector, *, ones: bool) -> Matrix:
        """Return R of Z = QR, Z the weighted rows (1, ((x, y) - shift) * scale).

        Each block is stacked under the current R, so the rows are never copied.
        """
        return self.total(partial(_root, shift=shift, scale=scale, ones=ones), merged_roots)

    def largest(self, shift: Vector) -> Vector:
        """Return the largest distance of each column of (X, Y) from the shift."""
        return self.total(partial(_largest, shift=shift), largest)

    def vary(self, columns: npt.NDArray[np.intp], values: Vector) -> bool:
        """Return whether a column differs from its value (0 if sparse) in a row of weight > 0."""
        return self.total(partial(_vary, columns=columns, values=values), either)

    def residuals(self, model: Matrix, low: Matrix, *, extended: bool) -> tuple[Matrix, Vector]:
        """Return sum_i w_i r_i (x_i, 1), (m, d + 1), and the weighted sums of squares r_i^2.

        `model` + `low` are the (coefficients, intercept) of each target; with `extended` the sums
        are computed in twice double precision.
        """
        step = partial(_residuals, model=model, low=low, extended=extended)
        gradient, gradient_low, rss = self.total(step, add)
        return gradient + gradient_low, rss


# The steps of a pass over the rows of one part


def _over_rows(
    step: Callable[[Rows], _S], n_targets: int, targets: tuple[int, ...] | None, gate: Chunks
) -> _S:
    return step(Rows.in_chunks(gate, n_targets, targets))


def _with_targets(gate: Chunks, targets: tuple[int, ...] | None, n_targets: int) -> Iterator[Chunk]:
    for X, raw, weights in gate:
        y = gate.named(check_targets, raw, X.shape[0], columns=True)
        Y = y.reshape(len(y), -1)
        if targets is None and Y.shape[1] != n_targets:
            raise DataError(
                f"{type(gate.estimator).__name__}: a chunk has {Y.shape[1]} columns of y and the "
                f"first one {n_targets}; use the same number in every chunk. This is chunk "
                f"{gate.at[0]}, counted from 0."
            )
        yield Chunk(X, Y if targets is None else np.ascontiguousarray(Y[:, targets]), weights)


def _some_targets(rows: Rows, targets: Any) -> Iterator[Chunk]:
    for X, Y, weights in rows.chunks():
        yield Chunk(X, np.ascontiguousarray(Y[:, targets]), weights)


def _without(gate: Chunks) -> Iterator[Chunk]:
    for X, _, _ in gate:
        check_size(gate.estimator, "X", X)
        yield Chunk(X, np.empty((X.shape[0], 0)), None)


def _summary(rows: Rows, *, double: bool, shifted: bool, shift: Vector | None) -> Summary:
    d, m = rows.n_features, rows.n_targets
    gram = np.zeros((d + m + 1, d + m + 1))
    n_rows = 0
    for X, Y, w in rows.pieces():
        if shift is None:
            shift = _pilot(X, Y) if shifted else np.zeros(d + m)
        n_rows += len(Y)
        if is_sparse(X) or d + m < NATIVE_COLUMNS:
            _native.gram(native_table(X), Y, w, shift, double, gram)
        else:
            _add_gram(gram, X, Y, w, shift, double=double)
    return Summary(gram, np.zeros(0) if shift is None else shift, n_rows, m)


def _root(rows: Rows, *, shift: Vector, scale: Vector, ones: bool) -> Matrix:
    width = len(scale) + ones
    R: Matrix = np.zeros((width, width))
    for X, Y, w in rows.blocks():
        Z = np.hstack([np.ones((len(Y), int(ones))), (np.hstack([X, Y]) - shift) * scale])
        if w is not None:
            Z *= np.sqrt(w)[:, None]
        R = merged_roots(R, Z)
    return R


def merged_roots(R: Matrix, Z: Matrix) -> Matrix:
    """Return R of both sets of rows together, by QR of one factor stacked on the other."""
    stack = np.vstack([R, Z])
    width = stack.shape[1]
    work = 2 * len(stack) * width**2
    with threads_for_size(width**2):
        (found,) = interruptible(
            work, lambda: scipy.linalg.qr(stack, mode="r", overwrite_a=True, check_finite=False)
        )
    return np.asarray(found[:width])


def _largest(rows: Rows, *, shift: Vector) -> Vector:
    top = np.zeros(len(shift))
    for X, Y, _ in rows.blocks():
        top = np.maximum(top, np.abs(np.hstack([X, Y]) - shift).max(axis=0))
    return top


def _vary(rows: Rows, *, columns: npt.NDArray[np.intp], values: Vector) -> bool:
    for X, _, w in rows.pieces():
        part = X[:, columns] if w is None else X[w > 0][:, columns]
        if part.count_nonzero() if is_sparse(part) else np.any(part != values):
            return True
    return False


def _residuals(
    rows: Rows, *, model: Matrix, low: Matrix, extended: bool
) -> tuple[Matrix, Matrix, Vector]:
    gradient, gradient_low = np.zeros_like(model), np.zeros_like(model)
    rss = np.zeros(rows.n_targets)
    for X, Y, w in rows.pieces():
        table, gradients = native_table(X), (gradient, gradient_low)
        _native.residuals(table, Y, w, (model, low), extended, gradients, rss)
    return gradient, gradient_low, rss


def _rows(chunk: Chunk, start: int, stop: int) -> Chunk:
    whole = (start, stop) == (0, len(chunk.y))
    return chunk if whole else rows_of_chunk(chunk, slice(start, stop))


def _blocks(piece: Chunk) -> Iterator[Chunk]:
    n = len(piece.y)
    return (_rows(piece, start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))


def _pilot(X: Data, Y: Matrix) -> Vector:
    """Return a point near the data: the median of the first rows, so an outlier does no harm.

    The number of rows is odd, so the median is a value of the column and a constant column
    becomes exactly zero. Sparse columns stay where they are.
    """
    rows = min(_PILOT_ROWS, len(Y) - 1 + len(Y) % 2)
    middle = np.zeros(X.shape[1]) if is_sparse(X) else np.median(X[:rows], axis=0)
    return np.concatenate([middle, np.median(Y[:rows], axis=0)]).astype(np.float64)


def _add_gram(
    gram: Matrix, X: Data, Y: Matrix, w: Weights | None, shift: Vector, *, double: bool
) -> None:
    """Add Z'WZ for many columns, a block at a time by BLAS."""
    dtype = np.float64 if double else X.dtype
    for x, y, v in _blocks(Chunk(X, Y, w)):
        Z = np.hstack([x, y, np.ones((len(y), 1))], dtype=dtype)
        Z[:, :-1] -= shift.astype(dtype)
        if v is not None:
            Z *= np.sqrt(v).astype(dtype)[:, None]
        gram += gram_of(Z.T)
