"""Means of the neighbours within a radius, and queries without neighbours."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose

from gramian.neighbors import RadiusNeighborsRegressor


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_equal_scikit_learns(weights, outputs, table):
    X, _, z, Q = table
    targets = z if outputs == 1 else np.column_stack([z, -2 * z])
    ours, peer = (
        model(radius=5.0, weights=weights).fit(X, targets)
        for model in (RadiusNeighborsRegressor, theirs.RadiusNeighborsRegressor)
    )
    assert_allclose(ours.predict(Q), peer.predict(Q))


def test_a_kernel_of_the_distance_gives_nadaraya_watson(table):
    X, _, z, Q = table
    model = RadiusNeighborsRegressor(radius=2.5, weights=lambda d: 1 - (d / 2.5) ** 2).fit(X, z)
    kernel = np.maximum(1 - (np.linalg.norm(Q[:, None] - X, axis=2) / 2.5) ** 2, 0)
    assert (kernel.sum(axis=1) > 0).all()
    assert_allclose(model.predict(Q), kernel @ z / kernel.sum(axis=1))


def test_a_query_without_neighbours_is_predicted_as_nan(table):
    X, _, z, _ = table
    model = RadiusNeighborsRegressor(radius=1.0).fit(X, z)
    with pytest.warns(UserWarning, match="predicting NaN"):
        assert np.isnan(model.predict([[50.0, 0, 0, 0]])[0])
