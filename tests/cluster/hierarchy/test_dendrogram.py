"""Dendrograms: cuts, cophenetic distances, order and formats."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
import scipy.cluster.hierarchy as scipy_hierarchy
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from gramian.base.errors import DataError, ParameterError
from gramian.cluster import Dendrogram, linkage
from gramian.cluster.hierarchy.linkage import METHODS


def random_tree(seed, n, method="average"):
    return linkage(np.random.default_rng(seed).normal(size=(n, 2)), method)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 999), n=st.integers(2, 30), method=st.sampled_from(METHODS))
def test_cuts_and_cophenetic_distances_are_scipys(seed, n, method):
    Z = random_tree(seed, n, method)
    tree = Dendrogram(Z)
    np.testing.assert_allclose(tree.cophenetic(), scipy_hierarchy.cophenet(Z))
    for k in {1, 2, n // 2 + 1, n}:
        labels = tree.cut(n_clusters=k)
        assert len(np.unique(labels)) == k
        firsts = [int(np.flatnonzero(labels == c)[0]) for c in range(k)]
        assert firsts == sorted(firsts)
    for height in (0.0, Z[n // 2 - 1, 2], Z[:, 2].max()):
        theirs = scipy_hierarchy.fcluster(Z, height, "distance")
        assert adjusted_rand_score(theirs, tree.cut(height=height)) == 1.0


def test_a_cut_into_k_is_the_cut_below_the_kth_last_merge():
    Z = random_tree(0, 20)
    for k in range(1, 21):
        height = np.inf if k == 1 else np.nextafter(Z[20 - k, 2], 0)
        np.testing.assert_array_equal(
            Dendrogram(Z).cut(n_clusters=k), Dendrogram(Z).cut(height=height)
        )


def test_the_order_of_the_leaves_keeps_clusters_together():
    Z = random_tree(1, 25)
    tree = Dendrogram(Z)
    order = tree.leaf_order()
    assert sorted(order) == list(range(25))
    for k in range(1, 26):
        changes = np.count_nonzero(np.diff(tree.cut(n_clusters=k)[order]))
        assert changes == k - 1


def test_branches_stand_over_the_middle_of_their_parts():
    across, up = Dendrogram(linkage([[0.0], [1.0], [5.0]], "single")).branches()
    np.testing.assert_array_equal(across, [[1, 1, 2, 2], [0, 0, 1.5, 1.5]])
    np.testing.assert_array_equal(up, [[0, 1, 1, 0], [0, 4, 4, 1]])


def test_newick_and_svg():
    Z = linkage([[0.0], [1.0], [5.0]], "single")
    tree = Dendrogram(Z, names=["a b", "it's", "<c>"])
    assert tree.newick() == "(<c>:4,('a b':1,'it''s':1):3);"
    picture = ET.fromstring(tree.svg(cut=2.0))
    kinds = [element.tag.partition("}")[2] for element in picture]
    assert kinds.count("polyline") == 2
    assert kinds.count("line") == 1
    assert [e.text for e in picture if e.tag.endswith("text")] == ["<c>", "a b", "it's"]


def test_one_row_is_drawn_too():
    tree = Dendrogram(np.empty((0, 4)))
    assert tree.cut(n_clusters=1).tolist() == [0]
    assert tree.newick() == "0;"
    ET.fromstring(tree.svg())


@pytest.mark.parametrize(
    ("Z", "message"),
    [
        (np.ones((2, 3)), "shape \\(n - 1, 4\\)"),
        ([[0, 1, np.nan, 2]], "finite"),
        ([[0, 2, 1.0, 2]], "two of the clusters"),
        ([[0, 1, 1.0, 2], [0, 3, 2.0, 3]], "joined twice"),
        ([[0, 1, 1.0, 3]], "sizes"),
        ([["a", "b", "c", "d"]], "numbers"),
    ],
)
def test_what_is_no_tree_is_refused(Z, message):
    with pytest.raises(DataError, match=message):
        Dendrogram(Z)


def test_bad_cuts_and_names_are_refused():
    tree = Dendrogram(random_tree(2, 5))
    with pytest.raises(ParameterError, match="exactly one of"):
        tree.cut()
    with pytest.raises(ParameterError, match="from 1 to 5"):
        tree.cut(n_clusters=6)
    with pytest.raises(ParameterError, match="must contain 5 names, one per row; got 2"):
        Dendrogram(random_tree(2, 5), names=["a", "b"])


def test_a_cut_at_nan_is_refused():
    with pytest.raises(ParameterError, match="height must be a number"):
        Dendrogram(linkage([[0.0], [1.0], [3.0]])).cut(height=float("nan"))


def test_names_may_be_numbers():
    tree = Dendrogram([[0, 1, 1.0, 2]], names=[7, 8])
    assert tree.newick() == "(7:1,8:1);"
    assert ">7</text>" in tree.svg()


def test_cuts_that_are_no_numbers_are_refused():
    tree = Dendrogram([[0, 1, 1.0, 2]])
    for bad in (1.5, "2"):
        with pytest.raises(ValueError, match=r"n_clusters must be an integer from 1 to 2"):
            tree.cut(n_clusters=bad)
    for bad in (np.nan, "low"):
        with pytest.raises(ValueError, match=r"height must be a number"):
            tree.cut(height=bad)
        with pytest.raises(ValueError, match=r"cut must be a number"):
            tree.svg(cut=bad)
