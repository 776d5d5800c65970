"""From eigenvectors to clusters: rotations to indicator vectors, without k-means."""

import numpy as np
import scipy.linalg

from gramian.base.types import Floats, RowNumbers
from gramian.cluster.centers import Labels


def rotated_labels(vectors: Floats) -> Labels:
    """Return clusters by a pivoted QR factorisation of the eigenvectors.

    The k rows that QR picks are as orthogonal as possible, one in each cluster; the orthogonal
    matrix nearest to them rotates the eigenvectors towards indicator vectors. Each row's cluster is
    its largest entry. Reference: Damle, Minden and Ying, Information and Inference 8, 2019.

    Examples
    --------
    >>> rotated_labels(np.array([[1.0, 1.0], [1.0, 1.1], [1.0, -1.0]])).tolist()
    [0, 0, 1]
    """
    k = vectors.shape[1]
    chosen = scipy.linalg.qr(vectors.T, mode="r", pivoting=True)[1][:k]
    left, _, right = np.linalg.svd(vectors[chosen].T)
    turned = np.abs(vectors @ (left @ right))
    return _in_order(turned.argmax(axis=1))


def discrete_labels(vectors: Floats, draws: np.random.Generator, max_iter: int = 100) -> Labels:
    """Return clusters by alternating between a partition and the rotation nearest to it.

    Rows are scaled to length 1. Given a rotation R, each row's cluster is the largest entry of V R;
    given the partition P, R is the orthogonal matrix that brings V R nearest to P, from the
    singular vectors of P^T V. Reference: Yu and Shi, Multiclass Spectral Clustering, ICCV 2003.

    Examples
    --------
    >>> V = np.array([[1.0, 1.0], [1.0, 1.1], [1.0, -1.0]])
    >>> discrete_labels(V, np.random.default_rng(0)).tolist()
    [0, 0, 1]
    """
    n, k = vectors.shape
    rows = unit_rows(vectors)
    picked = [int(draws.integers(n))]  # then repeatedly the row most orthogonal to the earlier ones
    alike = np.zeros(n)
    for _ in range(k - 1):
        alike += np.abs(rows @ rows[picked[-1]])
        picked.append(int(alike.argmin()))
    rotation = rows[picked].T
    before, labels = -np.inf, np.zeros(n, dtype=np.intp)
    for _ in range(max_iter):
        labels = (rows @ rotation).argmax(axis=1)
        sums = np.zeros((k, k))
        np.add.at(sums, labels, rows)  # P^T V
        left, sizes, right = np.linalg.svd(sums)
        if sizes.sum() <= before * (1 + 1e-12):
            break
        before, rotation = float(sizes.sum()), (left @ right).T
    return _in_order(labels)


def unit_rows(vectors: Floats) -> Floats:
    """Scale rows to length 1; zero rows stay zero."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors / np.where(lengths > 0, lengths, 1.0)


def _in_order(labels: RowNumbers) -> Labels:
    """Renumber the clusters 0, 1, ... in the order of their first rows."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return np.asarray(rank[codes])
