"""Every linkage against its definition, and SciPy's heights."""

import numpy as np
import pytest
import scipy.cluster.hierarchy as scipy_hierarchy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits, load_iris

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.cluster import AgglomerativeClustering, Dendrogram, linkage
from gramian.cluster.hierarchy.linkage import METHODS, OF_POINTS, tree_of_rows
from tests.cluster.conftest import tables
from tests.cluster.hierarchy.reference import excess, naive_linkage

SCIPYS = [m for m in METHODS if m != "medoid"]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 14), d=st.integers(1, 4))
def test_without_ties_the_tree_is_the_naive_one(method, seed, n, d):
    X = np.random.default_rng(seed).normal(size=(n, d))
    Z, naive = linkage(X, method), naive_linkage(X, method)
    np.testing.assert_allclose(Z[:, 2], naive[:, 2], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(Z[:, [0, 1, 3]], naive[:, [0, 1, 3]])


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=25)
@given(X=tables(rows=(1, 9), columns=(1, 2)))
def test_with_ties_every_merge_joins_a_nearest_pair(method, X):
    X = np.round(X)
    Z = linkage(X, method)
    assert excess(X, Z, method) <= 1e-7 * (1 + np.abs(X).max())
    if method == "single":  # whose heights do not depend on which pair is joined
        np.testing.assert_allclose(Z[:, 2], naive_linkage(X, method)[:, 2], atol=1e-9)


@pytest.mark.parametrize("method", SCIPYS)
def test_heights_are_scipys_on_real_data(method):
    for X in (load_iris().data[::2] * [1, 2.1, 3.3, 4.7], load_digits().data[:400]):
        Z, theirs = linkage(X, method), scipy_hierarchy.linkage(X, method)
        assert scipy_hierarchy.is_valid_linkage(Z)
        if method in ("single", "complete"):  # integers of digits tie; these cannot differ
            np.testing.assert_allclose(np.sort(Z[:, 2])[:-1:50], np.sort(theirs[:, 2])[:-1:50])
    X = np.random.default_rng(0).normal(size=(500, 4)) + load_iris().data[np.arange(500) % 150]
    np.testing.assert_allclose(linkage(X, method), scipy_hierarchy.linkage(X, method), rtol=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_rows_and_their_distances_have_one_tree(method):
    X = np.random.default_rng(1).normal(size=(120, 3))
    Z = linkage(X, method)
    condensed = pdist(X)
    np.testing.assert_allclose(linkage(condensed, method), Z, rtol=1e-9)
    np.testing.assert_allclose(linkage(squareform(condensed), method, "precomputed"), Z, rtol=1e-9)


@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted", "ward"])
def test_wide_rows_are_measured_by_one_product(method):
    X = load_digits().data[:300, :, None] + np.random.default_rng(2).normal(size=(300, 64, 4))
    X = X.reshape(300, 256)
    np.testing.assert_allclose(linkage(X, method), scipy_hierarchy.linkage(X, method), rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_equal_rows_are_joined_at_height_zero(method):
    Z = linkage(np.ones((40, 3)), method)
    np.testing.assert_array_equal(Z[:, 2], 0.0)
    assert Z[-1, 3] == 40


@pytest.mark.parametrize("method", METHODS)
def test_scale_and_place_do_not_change_the_tree(method):
    X = np.random.default_rng(3).normal(size=(60, 3))
    Z = linkage(X, method)
    for factor in (2.0**300, 2.0**-300):
        scaled = linkage(X * factor, method)
        np.testing.assert_allclose(scaled[:, 2] / factor, Z[:, 2], rtol=1e-12)
    far = linkage(X + 1e6, method)
    np.testing.assert_allclose(far[:, 2], Z[:, 2], rtol=1e-6)


def test_ward_looks_twice_where_float32_cannot_tell():
    """A row far away makes the frame of float32 coarse."""
    X = np.random.default_rng(4).normal(size=(200, 2))
    X[0] = 1e9
    np.testing.assert_allclose(
        linkage(X, "ward")[:-1, 2], scipy_hierarchy.linkage(X, "ward")[:-1, 2], rtol=1e-10
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted"])
@pytest.mark.parametrize("form", ["rows", "distances"])
def test_many_rows_have_scipys_heights(method, form):
    """Rows of dissimilarities are read in parts, made shorter, and measured again."""
    X = np.random.default_rng(7).normal(size=(3500, 3))
    X[3000:] = X[:500] + 0.01 * X[500:1000]
    theirs = scipy_hierarchy.linkage(X, method)[:, 2]
    Z = linkage(X if form == "rows" else pdist(X), method)
    np.testing.assert_allclose(Z[:, 2], theirs, rtol=1e-10)
    assert scipy_hierarchy.is_valid_linkage(Z)


@pytest.mark.parametrize("method", ["complete", "average", "weighted"])
def test_many_rows_have_one_tree_for_any_number_of_threads(method):
    X = np.round(np.random.default_rng(8).normal(size=(3300, 3)), 1)  # with ties
    before = gramian.get_num_threads()
    try:
        trees = []
        for threads in (1, 2):
            gramian.set_num_threads(threads)
            trees.append(linkage(X, method))
    finally:
        gramian.set_num_threads(before)
    np.testing.assert_array_equal(trees[0], trees[1])


@pytest.mark.parametrize("method", METHODS)
def test_float32_rows_have_the_tree_of_their_values(method):
    X = np.random.default_rng(5).normal(size=(50, 2)).astype(np.float32)
    np.testing.assert_allclose(linkage(X, method), linkage(X.astype(float), method), rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_bits_for_any_number_of_threads(method):
    X = np.random.default_rng(6).normal(size=(400, 3))
    before = gramian.get_num_threads()
    try:
        trees = []
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            trees.append(linkage(X, method))
    finally:
        gramian.set_num_threads(before)
    np.testing.assert_array_equal(trees[0], trees[1])
    np.testing.assert_array_equal(trees[0], trees[2])


def test_other_metrics_and_functions():
    X = np.random.default_rng(7).normal(size=(40, 3))
    Z = linkage(X, "average", "cityblock")
    np.testing.assert_allclose(Z, scipy_hierarchy.linkage(X, "average", "cityblock"))
    np.testing.assert_allclose(linkage(X, "average", lambda a, b: np.abs(a - b).sum()), Z)
    Z = linkage(X, "single", "minkowski", metric_params={"p": 3})
    np.testing.assert_allclose(Z, scipy_hierarchy.linkage(pdist(X, "minkowski", p=3), "single"))


def test_three_rows_of_equal_sides_have_an_inversion_under_centroid_linkage():
    """The mean of two corners of an equilateral triangle is nearer to the third than they are."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75) + 1e-9]])
    Z = linkage(X, "centroid")
    assert Z[1, 2] == pytest.approx(np.sqrt(0.75))
    assert Dendrogram(Z).inversions.tolist() == [1]
    assert not len(Dendrogram(linkage(X, "average")).inversions)


def test_medoids_are_the_rows_of_least_sum():
    X = np.random.default_rng(8).normal(size=(30, 2))
    tree = tree_of_rows(AgglomerativeClustering(), X, "medoid", "euclidean")
    members = {i: [i] for i in range(30)}
    D = squareform(pdist(X))
    for i, (a, b) in enumerate(tree.Z[:, :2].astype(int)):
        own = sorted(members[a] + members[b])
        members[30 + i] = own
        assert tree.medoids[i] == own[np.argmin(D[np.ix_(own, own)].sum(axis=0))]


def test_one_row_is_a_tree_without_merges():
    for method in METHODS:
        assert linkage([[1.0, 2.0]], method).shape == (0, 4)


@pytest.mark.parametrize(
    ("X", "arguments", "message"),
    [
        (np.ones(5), {}, "n \\(n - 1\\) / 2 numbers; got 5"),
        (np.array([1.0, -1.0, 2.0]), {}, "must be >= 0; got -1"),
        (np.array([1.0, np.nan, 2.0]), {}, "contains NaN"),
        (np.array([[0.0, 1], [2, 0]]), {"metric": "precomputed"}, "must be symmetric"),
        (np.array([[0.0, -1], [-1, 0]]), {"metric": "precomputed"}, "Negative values"),
        (np.array([[1.0, 1], [1, 1]]), {"metric": "precomputed"}, "diagonal .* must be 0"),
        (np.ones((3, 2)), {"metric": "precomputed"}, "must be square"),
        (np.array([[0, np.nan], [np.nan, 0]]), {"metric": "precomputed"}, "contains NaN"),
        (np.ones((3, 2)), {"metric": "yule", "method": "complete"}, "finite|cannot measure"),
    ],
)
def test_bad_input_is_refused(X, arguments, message):
    if arguments.get("metric") == "yule":
        arguments = {"metric": lambda a, b: np.nan, "method": "complete"}
    with pytest.raises((DataError, ParameterError), match=message):
        linkage(X, **arguments)


@pytest.mark.parametrize("method", OF_POINTS)
def test_linkages_of_points_refuse_other_metrics(method):
    with pytest.raises(ParameterError, match="requires Euclidean distances"):
        linkage(np.eye(3), method, "manhattan")


def test_a_wrong_name_is_refused():
    with pytest.raises(ParameterError, match="Did you mean 'average'"):
        linkage(np.eye(3), "avrage")
