"""What a pass over targets and weights has seen."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import DataError
from gramian.base.rows.chunks import Chunks
from gramian.ensemble.hist_boosting.part_targets import Targets, look
from tests.scale.methods import ListParts, pieces

rng = np.random.default_rng(0)
X = rng.integers(0, 3, size=(200, 2)).astype(float)
y = rng.normal(size=200)
weights = rng.integers(0, 2, size=200).astype(float)
NONE = [None, None]


def seen(model, target, omega=None, chosen=(False, True)):
    gate = Chunks.of(model, ListParts(pieces(X, target, omega)))
    return look(gate, np.array(chosen)), gate


def test_labels_levels_and_ends():
    found, _ = seen(HistGradientBoostingRegressor(), y, weights)
    assert sum(part[None] for part in found.counts) == weights.sum()
    assert (found.low, found.high) == (y[weights > 0].min(), y[weights > 0].max())
    assert found.levels[0] == {}
    assert sum(found.levels[1].values()) == weights.sum()
    found, _ = seen(HistGradientBoostingClassifier(), np.where(y > 0, "p", "n"), weights)
    assert float(found.weights["p"]) == weights[y > 0].sum()


def test_rows_of_weight_zero_are_dropped():
    model = HistGradientBoostingClassifier(class_weight={"n": 0.0})
    found, gate = seen(model, np.where(y > 0, "p", "n"), weights)
    targets = Targets.of(model, found, NONE)
    assert sum(targets.kept) == ((y > 0) & (weights > 0)).sum()
    part = next(iter(Chunks.of(model, [gate.given.chunks[0]])))
    rows = targets.rows(model, part)
    assert len(rows.y) == targets.kept[0]
    assert (rows.weights > 0).all()


def test_weights_of_extreme_size():
    model = HistGradientBoostingRegressor(l2_regularization=1.0)
    found, _ = seen(model, y, weights * 1e30)
    with pytest.raises(DataError, match="sample_weight must hold numbers of size"):
        Targets.of(model, found, NONE)
    targets = Targets.of(HistGradientBoostingRegressor(), found, NONE)
    assert 0.5 <= 1e30 / 2.0**targets.weight_exponent < 1
