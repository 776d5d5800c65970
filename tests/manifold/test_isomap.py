import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn import manifold as peer
from sklearn.datasets import load_digits, make_swiss_roll

from gramian.base.errors import DataError, ParameterError
from gramian.manifold import Isomap
from gramian.neighbors import kneighbors_graph

DIGITS = load_digits().data[:150]
ROLL, ANGLE = make_swiss_roll(500, random_state=0)


@pytest.mark.parametrize("metric", ["minkowski", "precomputed"])
def test_points_and_errors_are_scikit_learns(metric):
    table = squareform(pdist(DIGITS)) if metric == "precomputed" else DIGITS
    ours, theirs = (c(n_neighbors=8, metric=metric).fit(table) for c in (Isomap, peer.Isomap))
    np.testing.assert_allclose(ours.dist_matrix_, theirs.dist_matrix_, rtol=1e-6)
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(theirs.embedding_), atol=1e-4)
    new = table[::9]
    np.testing.assert_allclose(
        np.abs(ours.transform(new)), np.abs(theirs.transform(new)), atol=1e-3
    )


def test_a_rolled_sheet_is_unrolled():
    points = Isomap(n_neighbors=8).fit_transform(ROLL)
    assert abs(np.corrcoef(points[:, 0], ANGLE)[0, 1]) > 0.95


def test_all_rows_as_neighbours_are_classical_scaling():
    few = DIGITS[:30]
    model = Isomap(n_neighbors=29, n_components=29).fit(few)
    np.testing.assert_allclose(pdist(model.embedding_), pdist(few), rtol=1e-5)
    assert model.reconstruction_error() == pytest.approx(0, abs=1e-3)


def test_parts_are_joined_by_their_nearest_rows():
    X = np.r_[np.arange(5.0), 20 + np.arange(5.0)][:, None]
    with pytest.warns(UserWarning, match="number of connected components .* is 2"):
        model = Isomap(n_neighbors=2, n_components=1).fit(X)
    assert model.dist_matrix_[0, 9] == pytest.approx(24)
    with pytest.warns(UserWarning, match="number of connected components .* is 2"):
        precomputed = Isomap(n_neighbors=2, n_components=1, metric="precomputed").fit(
            np.abs(X - X.T)
        )
    np.testing.assert_allclose(precomputed.dist_matrix_, model.dist_matrix_)


def test_a_radius_replaces_the_number_of_neighbours():
    X = np.arange(10.0)[:, None]
    model = Isomap(n_neighbors=None, radius=1.5, n_components=1).fit(X)
    np.testing.assert_allclose(pdist(model.embedding_), pdist(X), atol=1e-6)
    with pytest.raises(DataError, match="row 0 has no neighbour"):
        model.transform([[99.0]])
    with pytest.raises(ParameterError, match="either n_neighbors or radius"):
        Isomap(radius=1.0).fit(X)
    with pytest.raises(DataError, match="n_components=20 must be at most"):
        Isomap(n_components=20).fit(X)


@pytest.mark.parametrize("scale", [1e-100, 1e150])
def test_the_reconstruction_error_has_the_scale_of_squared_distances(scale):
    error = Isomap(n_neighbors=8).fit(scale * DIGITS).reconstruction_error()
    expected = Isomap(n_neighbors=8).fit(DIGITS).reconstruction_error()
    assert error / scale / scale == pytest.approx(expected)


def test_a_given_graph_must_be_connected():
    X = np.array([0.0, 1, 2, 5, 6, 7])[:, None]
    graph = kneighbors_graph(X, 2, mode="distance")
    with pytest.raises(DataError, match="number of connected components is 2"):
        Isomap(n_neighbors=1, metric="precomputed").fit(graph)
