"""SLINK and CLINK, as printed."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.distance import pdist, squareform

from gramian.base.errors import DataError
from gramian.cluster import Dendrogram, linkage
from gramian.textbook.clustering import CLINK, SLINK
from tests.cluster.conftest import tables


@settings(deadline=None, max_examples=40)
@given(X=tables(rows=(2, 12)))
def test_slink_is_single_linkage(X):
    Z = SLINK(X).linkage()
    np.testing.assert_allclose(Z[:, 2], linkage(X, "single")[:, 2])
    np.testing.assert_allclose(
        Dendrogram(Z).cophenetic(), Dendrogram(linkage(X, "single")).cophenetic()
    )


@settings(deadline=None, max_examples=40)
@given(X=tables(rows=(2, 12)))
def test_no_cluster_of_clink_is_wider_than_its_height(X):
    assert (Dendrogram(CLINK(X).linkage()).cophenetic() >= pdist(X) * (1 - 1e-12)).all()


def test_clink_depends_on_the_order_of_the_rows():
    """And need not be the greedy tree of complete linkage."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 2))
    trees = {tuple(np.round(CLINK(X[rng.permutation(12)]).linkage()[:, 2], 9)) for _ in range(20)}
    assert len(trees) > 1
    for _ in range(20):
        last = CLINK(X[rng.permutation(12)]).linkage()[-1, 2]
        assert last == pytest.approx(pdist(X).max())


def test_the_pointer_representation():
    tree = SLINK(np.random.default_rng(1).normal(size=(15, 2)))
    assert (tree.pointers[:-1] > np.arange(14)).all()
    assert tree.pointers[-1] == 14
    assert (tree.heights[tree.pointers[:-1]] > tree.heights[:-1]).all()


def test_given_dissimilarities():
    D = squareform(pdist(np.random.default_rng(2).normal(size=(9, 2))))
    np.testing.assert_allclose(
        SLINK(D, "precomputed").linkage(), linkage(D, "single", "precomputed")
    )
    with pytest.raises(DataError, match="must be square"):
        SLINK(D[:5], "precomputed")


@pytest.mark.parametrize("method", [SLINK, CLINK])
def test_distances_that_overflow_are_refused(method):
    with pytest.raises(ValueError, match=r"LINK: distances must be finite; .* Scale X down"):
        method([[1e200, 0.0], [0.0, 0.0]])
