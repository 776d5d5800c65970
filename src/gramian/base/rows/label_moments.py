"""Moments of the classes of labelled rows in chunks, part by part."""

import numpy as np

from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.moments import Summary


def columns_of(rows: LabelChunks) -> ColumnMoments:
    """Return the moments of the columns in each class, of the rows of one part."""
    K, d = len(rows.classes), rows.chunks.n_features
    found = ColumnMoments(np.zeros(K), np.zeros((K, d)), np.zeros((K, d)))
    for X, codes, weights in rows:
        found = found.merge(ColumnMoments.of(X, codes, K, weights))
    return found


def moments_of(rows: LabelChunks) -> ClassMoments:
    """Return the moments of each class, of the rows of one part."""
    K, d = len(rows.classes), rows.chunks.n_features
    none = Summary(np.zeros((d + 1, d + 1)), np.zeros(d), 0, 0)
    found = ClassMoments((none,) * K)
    for X, codes, weights in rows:
        found = found.merge(ClassMoments.of(X, codes, K, weights))
    return found
