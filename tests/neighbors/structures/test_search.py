"""The k-d tree and the exhaustive search: the same neighbours, and the choice between them."""

import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import gramian.neighbors as ours
from gramian.neighbors import NearestNeighbors


@given(st.floats(1, 50) | st.just(float("inf")), st.integers(1, 8), st.integers(0, 2**32))
def test_tree_and_exhaustive_search_agree_for_every_p(p, d, seed):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(200, d)), rng.normal(size=(5, d))
    tree = NearestNeighbors(n_neighbors=6, p=p, algorithm="kd_tree", leaf_size=3).fit(X)
    brute = NearestNeighbors(n_neighbors=6, p=p, algorithm="brute").fit(X)
    a, b = tree.kneighbors(Q), brute.kneighbors(Q)
    assert_array_equal(a[1], b[1])
    assert_allclose(a[0], b[0], rtol=1e-12)
    radius = float(a[0][:, 3].max()) * 1.0001
    a, b = (m.radius_neighbors(Q, radius, sort_results=True) for m in (tree, brute))
    for i in range(len(Q)):
        assert_array_equal(a[1][i], b[1][i])
        assert_allclose(a[0][i], b[0][i], rtol=1e-12)


def test_sparse_rows_in_several_blocks(rng, monkeypatch):
    """CSR rows are made dense a block at a time; the blocks do not show in the answer."""
    monkeypatch.setattr("gramian.neighbors.structures.pairwise_search._BLOCK", 40)
    X = np.round(rng.normal(size=(70, 5)))
    sparse = sp.csr_array(X)
    plain = NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X)
    model = NearestNeighbors(n_neighbors=4).fit(sparse)
    for queries in (None, 9):
        q, s = (None, None) if queries is None else (X[:queries], sparse[:queries])
        for a, b in zip(model.kneighbors(s), plain.kneighbors(q), strict=True):
            assert_array_equal(a, b)
        a = model.radius_neighbors(s, 2.0, sort_results=True)
        b = plain.radius_neighbors(q, 2.0, sort_results=True)
        for i in range(len(b[0])):
            assert_array_equal(a[0][i], b[0][i])
            assert_array_equal(a[1][i], b[1][i])


def test_auto_takes_the_tree_in_few_and_the_exhaustive_search_in_many_dimensions(rng):
    few = ours.NearestNeighbors().fit(rng.normal(size=(5000, 3)))
    many = ours.NearestNeighbors().fit(rng.normal(size=(5000, 30)))
    more = ours.NearestNeighbors().fit(rng.normal(size=(500, 100)))
    assert (few.algorithm_, many.algorithm_, more.algorithm_) == ("kd_tree", "brute", "brute")
    # many columns that hold three dimensions only
    flat = rng.normal(size=(5000, 3)) @ rng.normal(size=(3, 30))
    assert ours.NearestNeighbors().fit(flat).algorithm_ == "kd_tree"
