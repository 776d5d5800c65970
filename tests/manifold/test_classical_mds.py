import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn import manifold as peer
from sklearn.datasets import load_iris

from gramian import PCA
from gramian.base.errors import DataError
from gramian.manifold import ClassicalMDS

X = load_iris().data
TRIANGLE = np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])


def test_t40_the_triangle_of_three_four_five():
    with pytest.warns(UserWarning, match="part of the inner products, which is 2"):
        model = ClassicalMDS(3, metric="precomputed").fit(TRIANGLE)
    np.testing.assert_allclose(model.eigenvalues_, [12.96415, 3.70252, 0], atol=5e-6)
    np.testing.assert_allclose(squareform(pdist(model.embedding_)), TRIANGLE, atol=1e-7)


def test_rows_and_their_distances_have_the_same_points_which_match_pca():
    by_rows = ClassicalMDS(2).fit(X)
    by_distances = ClassicalMDS(2, metric="precomputed").fit(squareform(pdist(X)))
    np.testing.assert_allclose(by_rows.eigenvalues_, by_distances.eigenvalues_)
    np.testing.assert_allclose(
        np.abs(by_rows.embedding_), np.abs(by_distances.embedding_), atol=1e-7
    )
    np.testing.assert_allclose(
        np.abs(by_rows.embedding_), np.abs(PCA(2).fit_transform(X)), atol=1e-9
    )
    np.testing.assert_allclose(by_rows.dissimilarity_matrix_, squareform(pdist(X)), atol=1e-6)


@pytest.mark.filterwarnings("ignore:ClassicalMDS")
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_points_are_scikit_learns(metric):
    ours, theirs = (c(2, metric=metric).fit(X) for c in (ClassicalMDS, peer.ClassicalMDS))
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_)
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(theirs.embedding_), atol=1e-6)


@pytest.mark.filterwarnings("ignore:ClassicalMDS")
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
def test_training_rows_are_placed_where_they_are(metric):
    table = squareform(pdist(X)) if metric == "precomputed" else X
    model = ClassicalMDS(2, metric=metric).fit(table)
    np.testing.assert_allclose(model.transform(table), model.embedding_, atol=1e-7)


def test_distances_that_are_not_euclidean_are_reported():
    bent = np.array([[0.0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0]])
    with pytest.warns(UserWarning, match="not Euclidean: .* eigenvalue -0.25"):
        model = ClassicalMDS(metric="precomputed").fit(bent)
    assert model.least_eigenvalue_ == pytest.approx(-0.25)
    assert np.isfinite(model.embedding_).all()


def test_many_rows_take_few_products():
    rows = np.random.default_rng(0).normal(size=(600, 3))
    model = ClassicalMDS(3, metric="precomputed").fit(squareform(pdist(rows)))
    np.testing.assert_allclose(pdist(model.embedding_), pdist(rows), atol=1e-6)


def test_more_coordinates_than_rows_are_refused_and_than_columns_are_zero():
    with pytest.raises(DataError, match="n_components=4 must be at most n_samples=3"):
        ClassicalMDS(4, metric="precomputed").fit(TRIANGLE)
    with pytest.warns(UserWarning, match="rank of the centred rows, which is 4"):
        points = ClassicalMDS(6).fit_transform(X)
    np.testing.assert_allclose(points[:, 4:], 0, atol=1e-9)


def test_points_of_equal_distances_are_placed():
    D = np.ones((150, 150)) - np.eye(150)
    model = ClassicalMDS(2, metric="precomputed").fit(D)
    np.testing.assert_allclose(model.eigenvalues_, [0.5, 0.5], rtol=1e-10)


@pytest.mark.parametrize("value", [False, True])
def test_more_coordinates_than_the_rank_are_reported(value):
    X = np.random.default_rng(0).normal(size=(40, 3))
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    model = ClassicalMDS(5, metric="precomputed" if value else "euclidean")
    with pytest.warns(UserWarning, match=r"n_components=5 exceeds the rank of .*, which is 3"):
        model.fit(D if value else X)
    ClassicalMDS(3, metric=model.metric).fit(D if value else X)  # no warning
