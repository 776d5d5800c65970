"""The condensed tree: worked by hand."""

import numpy as np

from gramian.cluster import linkage
from gramian.cluster.density.condensed import CondensedTree, label_rows, select_clusters


def test_a_tree_of_two_groups():
    """Two groups of three rows, a gap of 1 within and of 8 between them."""
    X = np.array([[0.0], [1], [2], [10], [11], [12]])
    tree = CondensedTree.of(linkage(X, "single"), 3)
    assert tree.n_clusters == 3
    rows = list(zip(tree.parent, tree.child, tree.lam, tree.size, strict=True))
    assert sorted(r for r in rows if r[1] >= 6) == [(6, 7, 0.125, 3), (6, 8, 0.125, 3)]
    assert sorted(r[1] for r in rows if r[0] == 7) in ([0, 1, 2], [3, 4, 5])
    np.testing.assert_allclose(tree.stabilities(), [6 * 0.125, 3 * 0.875, 3 * 0.875])
    np.testing.assert_allclose(tree.last_densities(), [0.125, 1, 1])
    chosen = select_clusters(tree, "eom", False, 0.0, None)
    assert chosen == [1, 2]
    labels, strength = label_rows(tree, chosen, False, 0.0)
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1
    assert labels[0] != labels[3]
    np.testing.assert_array_equal(strength, 1.0)
    assert select_clusters(tree, "eom", False, 9.0, None) == [1, 2]
    assert select_clusters(tree, "eom", True, 9.0, None) == [0]


def test_small_parts_leave_as_rows():
    tree = CondensedTree.of(linkage(np.array([[0.0], [1], [2], [9]]), "single"), 2)
    assert tree.n_clusters == 1
    assert sorted(tree.child) == [0, 1, 2, 3]
    assert tree.lam[tree.child == 3] == 1 / 7
