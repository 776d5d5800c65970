"""C4.5 trees as deep as they have rows: pruning must not recurse by depth."""

import numpy as np
import pytest

from gramian import _native

DEPTH = 300_000


def chain(counts_inside):
    """Return a tree in which every test has a leaf of class 0 and the next test below it."""
    n = 2 * DEPTH + 1
    tests = np.zeros((n, 6), dtype=np.int32)
    inside = np.arange(0, n - 1, 2)
    tests[:, 3:5] = -1
    tests[inside, 0], tests[inside, 1] = inside + 1, 2
    tests[inside, 2], tests[inside, 3] = 1, 0
    counts = np.tile([1.0, 0.0], (n, 1))
    counts[inside] = counts_inside
    words, bit_counts = np.zeros(0, dtype=np.uint64), np.zeros(n, dtype=np.int32)
    samples = np.ones(n, dtype=np.int64)
    return _native.c45_read(tests, np.zeros(n), words, bit_counts, samples, counts)


@pytest.mark.parametrize(("counts", "left"), [((1.0, 1.0), 2 * DEPTH + 1), ((2.0, 0.0), 1)])
def test_collapsing_a_chain_takes_one_pass(counts, left):
    tree = chain(counts)
    tree.collapse()
    assert tree.sizes()[0] == left


def test_pruning_a_chain_does_not_recurse():
    tree = chain((2.0, 0.0))
    ranks = np.zeros((1, 1), dtype=np.int32)
    values, starts = np.zeros(1), np.array([0, 1])
    levels, labels = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    table = _native.C45Table(ranks, values, starts, levels, labels, np.ones(1), 2)
    _native.c45_prune(tree, table, 0, 0.25, 0.6744897501960817, False)
    assert tree.sizes()[0] == 1
