r"""Multiplicative updates of X ~ W H with W, H >= 0 for beta divergences (Lee and Seung 2001).

    W <- W * [(X (W H)^(beta-2)) H'] / [(W H)^(beta-1) H' + penalties]

For sparse X, W H is computed at the stored entries only; the denominator is a sum of H for the
Kullback-Leibler divergence (beta = 1), W (H H') for squares (beta = 2), and computed from blocks of
rows for other divergences.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.rows.table_products import times
from gramian.base.types import Data, Floats, is_sparse

_TINY = 1e-25  # lower limit of fits and denominators
_STEP = 1 << 13  # stored entries whose fits are computed at once
_BLOCK = 1 << 20  # fits of a block of rows


@dataclass(frozen=True)
class Target:
    """X in float64, dense or CSR, with the row of each stored entry."""

    X: Data
    rows: npt.NDArray[np.intp] | None

    @classmethod
    def of(cls, X: Data) -> "Target":
        """Convert a checked X."""
        if not is_sparse(X):
            return cls(np.asarray(X, dtype=np.float64), None)
        table = sp.csr_array(X).astype(np.float64, copy=False)
        return cls(table, np.repeat(np.arange(X.shape[0]), np.diff(table.indptr)))

    def transposed(self) -> "Target":
        """Return X'."""
        return Target(self.X.T, None) if self.rows is None else Target.of(sp.csr_array(self.X.T))

    def fitted(self, W: Floats, Ht: Floats) -> Floats:
        """Return W H at the entries of X: (n, d), or one value per stored entry."""
        if self.rows is None or not is_sparse(self.X):
            return np.asarray(W @ Ht.T)
        found, ones = np.empty(self.X.nnz), np.ones(W.shape[1])
        for start in range(0, self.X.nnz, _STEP):
            part = slice(start, start + _STEP)
            products = W.take(self.rows[part], axis=0)
            products *= Ht.take(self.X.indices[part], axis=0)
            found[part] = products @ ones
        return found


def multiply(target: Target, W: Floats, Ht: Floats, beta: float, l1: float, l2: float) -> Floats:
    """Return W (n, k) after one update; Ht is H' (d, k)."""
    X = target.X
    if beta == 2:
        up = times(X, Ht) if target.rows is not None else X @ Ht
    else:
        fit = np.maximum(target.fitted(W, Ht), _TINY)
        if not is_sparse(X):
            up = (X * fit ** (beta - 2)) @ Ht
        else:
            scaled = X.data / fit if beta == 1 else X.data * fit ** (beta - 2)
            up = times(sp.csr_array((scaled, X.indices, X.indptr), shape=X.shape), Ht)
    ratio = up / np.maximum(_denominator(W, Ht, beta) + l1 + l2 * W, _TINY)
    power = 1 / (2 - beta) if beta < 1 else 1 / (beta - 1) if beta > 2 else 1.0
    return np.asarray(W * (ratio if power == 1.0 else ratio**power))


def divergence(target: Target, W: Floats, Ht: Floats, beta: float) -> float:
    """Return the beta divergence of X and W H; 1 is Kullback-Leibler, 2 half the squares."""
    fit = np.maximum(target.fitted(W, Ht), 1e-16)
    numbers = target.X.data if is_sparse(target.X) else target.X
    if beta == 0:
        ratio = np.maximum(numbers, 1e-16) / fit
        return float((ratio - np.log(ratio) - 1).sum())
    some = numbers > 0
    x, at = numbers[some], fit[some]
    if beta == 1:
        everywhere = float(W.sum(axis=0) @ Ht.sum(axis=0))
        return float((x * np.log(x / at)).sum() + everywhere - x.sum())
    everywhere = sum(float((block**beta).sum()) for _, block in _fits(W, Ht, 1e-16))
    powers = (x**beta).sum() + (beta - 1) * everywhere
    return float((powers - beta * (x * at ** (beta - 1)).sum()) / (beta * (beta - 1)))


def _denominator(W: Floats, Ht: Floats, beta: float) -> Floats:
    """Return (W H)^(beta-1) H'."""
    if beta == 1:
        return np.asarray(Ht.sum(axis=0))
    if beta == 2:
        return np.asarray(W @ (Ht.T @ Ht))
    found = np.empty_like(W)
    for rows, block in _fits(W, Ht, _TINY):
        found[rows] = block ** (beta - 1) @ Ht
    return found


def _fits(W: Floats, Ht: Floats, least: float) -> Iterator[tuple[slice, Floats]]:
    """Yield W H in blocks of rows, bounded below by `least`."""
    step = max(16, _BLOCK // len(Ht))
    for start in range(0, len(W), step):
        rows = slice(start, start + step)
        yield rows, np.maximum(W[rows] @ Ht.T, least)
