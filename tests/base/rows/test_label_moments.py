"""Moments of labelled chunks are those of all rows, also of a class that comes late."""

import numpy as np

from gramian import GaussianNB
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.label_moments import columns_of, moments_of


def test_moments_of_chunks_match_all_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)) + 1e6
    y = np.r_[
        np.zeros(30, int),
        np.arange(60) % 2,
    ]
    y[-3:] = 7  # a class of the last chunk
    chunks = [(X[:30], y[:30]), (X[30:80], y[30:80]), (X[80:], y[80:])]
    rows = LabelChunks.of(GaussianNB(), chunks)
    codes = np.searchsorted([0, 1, 7], y)
    assert rows.row_counts.tolist() == np.bincount(codes).tolist()
    columns, whole = columns_of(rows), ColumnMoments.of(X, codes, 3, None)
    np.testing.assert_allclose(columns.means, whole.means, rtol=1e-13)
    np.testing.assert_allclose(columns.squares, whole.squares, rtol=1e-6)
    moments, all_rows = moments_of(rows), ClassMoments.of(X, codes, 3, None)
    for k in range(3):
        np.testing.assert_allclose(moments.scatter(k), all_rows.scatter(k), rtol=1e-6, atol=1e-6)
