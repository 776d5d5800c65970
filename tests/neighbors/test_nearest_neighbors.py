"""The search estimator: every metric and algorithm against NumPy and scikit-learn."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import NearestNeighbors
from tests.neighbors.conftest import exhaustive


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 4, 7, np.inf])
def test_a_row_at_its_own_distance_is_within_it(X, algorithm, p):
    model = NearestNeighbors(algorithm=algorithm, p=p).fit(X)
    distances, indices = model.kneighbors(X, 6)
    for row in range(0, 300, 7):
        found = model.radius_neighbors(X[[row]], distances[row, 5], return_distance=False)[0]
        assert indices[row, 5] in found


L_P = {
    "l1": 1,
    "manhattan": 1,
    "cityblock": 1,
    "l2": 2,
    "euclidean": 2,
    "linf": np.inf,
    "infinity": np.inf,
    "chebyshev": np.inf,
}


@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
@pytest.mark.parametrize("metric", L_P)
def test_named_norms_in_every_back_end(metric, algorithm, rng):
    X, Q = rng.normal(size=(300, 3)), rng.normal(size=(20, 3))
    distances, indices = exhaustive(X, Q, 5, L_P[metric])
    model = NearestNeighbors(n_neighbors=5, metric=metric, algorithm=algorithm).fit(X)
    found = model.kneighbors(Q)
    assert_array_equal(found[1], indices)
    assert_allclose(found[0], distances, rtol=1e-14)


@pytest.mark.parametrize(
    "metric", ["cosine", "sqeuclidean", "canberra", "braycurtis", "correlation"]
)
@pytest.mark.parametrize("as_", [np.asarray, sp.csr_array])
def test_other_metrics_equal_scikit_learns(metric, as_, rng):
    X, Q = np.abs(rng.normal(size=(80, 5))), np.abs(rng.normal(size=(7, 5)))
    peer = theirs.NearestNeighbors(n_neighbors=6, metric=metric, algorithm="brute").fit(X)
    ours = NearestNeighbors(n_neighbors=6, metric=metric).fit(as_(X))
    a, b = ours.kneighbors(as_(Q)), peer.kneighbors(Q)
    assert_array_equal(a[1], b[1])
    assert_allclose(a[0], b[0], rtol=1e-7, atol=1e-12)
    radius = float(b[0][:, 4].mean())
    a, b = (
        m.radius_neighbors(q, radius, sort_results=True) for m, q in ((ours, as_(Q)), (peer, Q))
    )
    for i in range(len(Q)):
        assert_array_equal(a[1][i], b[1][i])


@pytest.mark.parametrize(
    ("settings_", "phrase"),
    [
        ({"p": 0.5}, "p must be at least 1"),
        ({"metric_params": {"w": [1.0, 2.0]}}, "must have 3 weights"),
        ({"metric_params": {"w": [1.0, -2.0, 0.0]}}, "finite weight >= 0"),
        ({"metric_params": {"V": 1}}, r"unknown keys \['V'\]"),
        ({"metric": "canberra", "algorithm": "kd_tree"}, "algorithm='kd_tree' supports"),
        ({"metric": "manhatan"}, "Did you mean 'manhattan'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings_, phrase, rng):
    with pytest.raises(ValueError, match=phrase) as error:
        NearestNeighbors(**settings_).fit(rng.normal(size=(10, 3)))
    assert "NearestNeighbors" in str(error.value)
