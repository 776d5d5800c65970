"""Growers from a model's parameters."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor, _native
from gramian.base.errors import ParameterError
from gramian.ensemble.common.bins import BinnedTable, Bins
from gramian.ensemble.hist_boosting.growers import distributed_grower, local_grower, native_rows

X = np.arange(20.0).reshape(10, 2)
BINS = Bins.of(X, None, [None, None], 255, 0)
CODED = BinnedTable(BINS, *BINS.codes(X))


def model(kind, y, **settings):
    return kind(max_iter=1, min_samples_leaf=1, **settings).fit(X, y)


def test_trees_of_several_classes_grow_in_parallel():
    three = model(HistGradientBoostingClassifier, np.arange(10) % 3)
    assert isinstance(local_grower(three, CODED, three._loss()), _native.IterationGrower)
    one = model(HistGradientBoostingRegressor, np.arange(10.0))
    assert isinstance(local_grower(one, CODED, one._loss()), _native.TreeGrower)


def test_workers_and_grower_use_the_same_histogram_size():
    one = model(HistGradientBoostingRegressor, np.arange(10.0))
    grower = distributed_grower(one, BINS, CODED.has_missing, 10, 0.5)
    assert native_rows(BINS, CODED.codes).hist_size == grower.hist_size == 3 * 11 * 8


def test_invalid_constraints_are_rejected():
    with pytest.raises(ParameterError, match="leaf_steps must be 1"):
        model(HistGradientBoostingRegressor, X[:, 0], monotonic_cst=[1, 0], leaf_steps=2)
