r"""The generalised eigenproblem of a graph, L v = lambda M v, in its symmetric form.

With :math:`u = M^{1/2} v` it reads :math:`B u = \lambda u`, :math:`B = M^{-1/2} L M^{-1/2}`. The
eigenvectors of 0 are known: one for each connected component, constant in v on its vertices. They
are removed, and solvers compute the other eigenpairs in their orthogonal complement.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from gramian.base.rows.table_products import times
from gramian.base.runtime.blas import product
from gramian.base.types import Floats, Table
from gramian.graph.graph import Labels

_SMALL = 1e-3  # relative to a diagonal entry: smaller sums are computed without it


class Eigenproblem:
    """B, its null vectors, and a bound on its eigenvalues.

    Parameters
    ----------
    weights
        Symmetric weights without negative entries, CSR or dense; the diagonal is ignored.
    masses
        Masses of the vertices, where 0 counts as 1; None uses the degrees.
    """

    def __init__(self, weights: Any, masses: Floats | None) -> None:
        self.sparse = sp.issparse(weights)
        degrees = _degrees(weights)
        values = degrees if masses is None else masses
        self.masses: Floats = np.where(values > 0, values, 1.0)
        root = 1 / np.sqrt(self.masses)
        self.diagonal: Floats = degrees / self.masses
        self.similarity = _scaled(weights, root)
        self.bound = max(2 * float(self.diagonal.max(initial=0.0)), np.finfo(np.float64).tiny)
        self.n = len(degrees)
        self.n_components, self.components = _components(weights)
        totals = np.bincount(self.components, self.masses).astype(np.float64)
        self.constant: Floats = np.sqrt(self.masses / totals[self.components])
        self.component_masses: Floats = totals

    def apply(self, U: Floats) -> Floats:
        """Return B U."""
        moved: Floats = self.similarity @ U if self.sparse else times(self.similarity, U)
        np.subtract(self.diagonal[:, None] * U, moved, out=moved)
        return moved

    def project(self, U: Floats) -> Floats:
        """Remove the null vectors from the columns of U, in place."""
        members = sp.csr_array(
            (self.constant, self.components, np.arange(self.n + 1)),
            shape=(self.n, self.n_components),
        )
        U -= members @ (members.T @ U)
        return U

    def null_vectors(self, count: int) -> Floats:
        """Return eigenvectors of 0 of the components of largest mass, in decreasing order."""
        chosen = np.argsort(-self.component_masses, kind="stable")[:count]
        vectors = np.zeros((self.n, len(chosen)))
        for j, component in enumerate(chosen):
            inside = self.components == component
            vectors[inside, j] = self.constant[inside]
        return vectors

    def matrix(self, shift: float = 0.0) -> Any:
        """Return B + shift, CSR or dense."""
        diagonal = self.diagonal + shift
        if self.sparse:
            return sp.csr_array(sp.diags_array(diagonal) - self.similarity)
        dense = -self.similarity
        dense.flat[:: self.n + 1] += diagonal
        return dense


def rayleigh_ritz(U: Floats, applied: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the Ritz values of a block, ascending, its orthonormal Ritz vectors U, and B U.

    Directions that the columns do not span, up to rounding, are dropped.
    """
    lengths = np.sqrt((U * U).sum(axis=0))
    scale = 1 / np.where(lengths > 0, lengths, 1.0)
    gram = product(U.T, U) * scale * scale[:, None]
    sizes, axes = np.linalg.eigh(gram)
    kept = sizes > 1e-12 * len(sizes)
    basis = (scale[:, None] * axes[:, kept]) / np.sqrt(sizes[kept])
    inner = basis.T @ (product(U.T, applied) @ basis)
    values, turned = np.linalg.eigh((inner + inner.T) / 2)
    turn = basis @ turned
    return values, product(U, turn), product(applied, turn)


def residual_norms(values: Floats, U: Floats, applied: Floats) -> Floats:
    """Return |B u - lambda u| of each column."""
    difference = applied - U * values
    return np.asarray(np.sqrt((difference * difference).sum(axis=0)))


def _scaled(weights: Table, root: Floats) -> Any:
    """Return M^(-1/2) A M^(-1/2) with a zero diagonal."""
    if not sp.issparse(weights):
        dense = np.array(weights, dtype=np.float64)
        np.fill_diagonal(dense, 0.0)
        dense *= root
        dense *= root[:, None]
        return dense
    matrix = sp.csr_array(weights, dtype=np.float64)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    values = matrix.data * root[rows] * root[matrix.indices]
    values[rows == matrix.indices] = 0.0
    return sp.csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def _components(weights: Any) -> tuple[int, Labels]:
    if not sp.issparse(weights):
        joined = np.count_nonzero(weights, axis=1) - (weights.diagonal() != 0)
        if (joined == len(weights) - 1).all():
            return 1, np.zeros(len(weights), dtype=np.int32)
        weights = sp.csr_array(weights > 0)
    count, labels = connected_components(weights, directed=False)
    return int(count), labels.astype(np.int32)


def _degrees(weights: Any) -> Floats:
    """Return the sums of rows without the diagonal, which would swamp small weights."""
    own = weights.diagonal()
    sums: Floats = np.asarray(weights.sum(axis=1), dtype=np.float64) - own
    for i in np.flatnonzero(sums < _SMALL * own).tolist():
        row = np.array(weights[[i]].toarray() if sp.issparse(weights) else weights[i])
        row = row.astype(np.float64).ravel()
        row[i] = 0.0
        sums[i] = row.sum()
    return sums
