"""Graphs of neighbours against scikit-learn's."""

import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose

import gramian.neighbors as ours


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize("include_self", [True, False])
def test_graphs_equal_scikit_learns(mode, include_self, table):
    X = table[0]
    a = ours.kneighbors_graph(X, 4, mode=mode, include_self=include_self)
    b = theirs.kneighbors_graph(X, 4, mode=mode, include_self=include_self)
    assert_allclose(a.toarray(), b.toarray())
    a = ours.radius_neighbors_graph(X, 1.0, mode=mode, include_self=include_self)
    b = theirs.radius_neighbors_graph(X, 1.0, mode=mode, include_self=include_self)
    assert_allclose(a.toarray(), b.toarray())
    with pytest.raises(ValueError, match="Unsupported mode"):
        ours.kneighbors_graph(X, 4, mode="lines")
