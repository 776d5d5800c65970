"""Labelled rows in chunks: classes counted once, codes the same on every pass."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.base.rows import label_chunks
from gramian.base.rows.label_chunks import LabelChunks

X = np.arange(10.0).reshape(5, 2)
CHUNKS = [(X[:2], ["b", "a"], [2.0, 1.0]), (X[2:], ["c", "b", "b"], [1.0, 0.5, 4.0])]


def test_classes_and_their_weights_are_counted_over_all_chunks():
    rows = LabelChunks.of(LogisticRegression(), CHUNKS)
    assert rows.classes.tolist() == ["a", "b", "c"]
    assert rows.counts.tolist() == [1.0, 6.5, 1.0]
    assert rows.dtype == np.float64


def test_every_pass_gives_the_codes_in_the_order_of_all_classes():
    rows = LabelChunks.of(LogisticRegression(), CHUNKS)
    for _ in range(2):
        passes = [(codes.tolist(), weights.tolist()) for _, codes, weights in rows]
        assert passes == [([1, 0], [2.0, 1.0]), ([2, 1, 1], [1.0, 0.5, 4.0])]


def test_a_class_without_rows_counts_zero_and_weights_are_1_by_default():
    rows = LabelChunks.of(LogisticRegression(), [(X, [0, 1, 1, 0, 1])], classes=[0, 1, 7])
    assert rows.counts.tolist() == [2.0, 3.0, 0.0]
    assert next(iter(rows))[2].tolist() == [1.0] * 5


def test_labels_beyond_the_given_classes_are_refused():
    with pytest.raises(
        DataError, match=r"classes must contain every label of the chunks; it lacks .b., .c."
    ):
        LabelChunks.of(LogisticRegression(), CHUNKS, classes=["a"])


def test_labels_of_two_kinds_are_named():
    chunks = [(np.eye(3), [0, 1, 0]), (np.eye(3), ["a", "b", "a"])]
    with pytest.raises(DataError, match="text in some chunks and numbers in others"):
        LabelChunks.of(LogisticRegression(), chunks)


def test_rows_that_are_read_come_in_blocks(monkeypatch):
    monkeypatch.setattr(label_chunks, "BLOCK_ROWS", 2)

    class Read:
        def __iter__(self):
            return iter(CHUNKS)

    rows = LabelChunks.of(LogisticRegression(), Read())
    found = [(len(table), codes.tolist(), weights.tolist()) for table, codes, weights in rows]
    assert found == [(2, [1, 0], [2.0, 1.0]), (2, [2, 1], [1.0, 0.5]), (1, [1], [4.0])]
