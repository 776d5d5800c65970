"""Means of the k nearest neighbours, against scikit-learn."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import KNeighborsRegressor


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_equal_scikit_learns(weights, outputs, table):
    X, _, z, Q = table
    targets = z if outputs == 1 else np.column_stack([z, -2 * z])
    ours, peer = (
        model(n_neighbors=7, weights=weights).fit(X, targets)
        for model in (KNeighborsRegressor, theirs.KNeighborsRegressor)
    )
    assert_allclose(ours.predict(Q), peer.predict(Q))


def test_weights_that_are_all_zero_are_refused(table):
    X, _, z, Q = table
    model = KNeighborsRegressor(weights=np.zeros_like).fit(X, z)
    with pytest.raises(ValueError, match=r"KNeighborsRegressor: .*zero weights"):
        model.predict(Q)


def test_targets_keep_their_digits_beside_float32_rows(X):
    y = np.arange(300) + 16777217.0
    model = KNeighborsRegressor(1).fit(X.astype(np.float32), y)
    assert_array_equal(model.predict(X.astype(np.float32)), y)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_means_of_the_largest_float32_targets_do_not_overflow(weights):
    X, y = np.arange(5.0)[:, None], np.full(5, 3.3e38, np.float32)
    found = KNeighborsRegressor(3, weights=weights).fit(X, y).predict([[1.2], [2.6]])
    assert found.dtype == np.float32
    assert_allclose(found, y[:2], rtol=1e-6)
