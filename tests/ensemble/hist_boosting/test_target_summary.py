"""Summary of targets, weights and categories."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import DataError
from gramian.base.rows.chunks import Chunks
from gramian.ensemble.hist_boosting.target_summary import RowEncoding, summarize_targets
from tests.scale.methods import ListParts, pieces

rng = np.random.default_rng(0)
X = rng.integers(0, 3, size=(200, 2)).astype(float)
y = rng.normal(size=200)
weights = rng.integers(0, 2, size=200).astype(float)
NONE = [None, None]


def summarize(model, target, omega=None, chosen=(False, True)):
    chunks = Chunks.of(model, ListParts(pieces(X, target, omega)))
    return summarize_targets(chunks, np.array(chosen)), chunks


def test_labels_categories_and_range():
    found, _ = summarize(HistGradientBoostingRegressor(), y, weights)
    assert sum(part[None] for part in found.counts) == weights.sum()
    assert (found.low, found.high) == (y[weights > 0].min(), y[weights > 0].max())
    assert found.levels[0] == {}
    assert sum(found.levels[1].values()) == weights.sum()
    found, _ = summarize(HistGradientBoostingClassifier(), np.where(y > 0, "p", "n"), weights)
    assert float(found.weights["p"]) == weights[y > 0].sum()


def test_rows_of_weight_zero_are_dropped():
    model = HistGradientBoostingClassifier(class_weight={"n": 0.0})
    found, chunks = summarize(model, np.where(y > 0, "p", "n"), weights)
    targets = RowEncoding.of(model, found, NONE)
    assert sum(targets.part_sizes) == ((y > 0) & (weights > 0)).sum()
    part = next(iter(Chunks.of(model, [chunks.source.chunks[0]])))
    rows = targets.rows(model, part)
    assert len(rows.y) == targets.part_sizes[0]
    assert (rows.weights > 0).all()


def test_weights_of_extreme_size():
    model = HistGradientBoostingRegressor(l2_regularization=1.0)
    found, _ = summarize(model, y, weights * 1e30)
    with pytest.raises(DataError, match="sample_weight must contain numbers of size"):
        RowEncoding.of(model, found, NONE)
    targets = RowEncoding.of(HistGradientBoostingRegressor(), found, NONE)
    assert 0.5 <= 1e30 / 2.0**targets.weight_exponent < 1
