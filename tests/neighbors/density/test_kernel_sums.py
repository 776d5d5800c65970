"""Packing rows for kernel sums; their values are tested in tests/native/test_kernel_sums.py."""

import numpy as np
import pytest

from gramian.neighbors.density.kernel_sums import KernelSums


@pytest.mark.parametrize(("n", "d"), [(1, 1), (15, 2), (1000, 3), (700, 6)])
def test_every_row_lies_in_one_leaf_with_its_weight_and_values(rng, n, d):
    X, w, Y = rng.normal(size=(n, d)), 1 + rng.random(n), rng.normal(size=(n, 2))
    packed = KernelSums.of(X, w, 1, Y)
    real = packed.weights > 0
    assert real.sum() == n
    rows = packed.tree[0]  # the rows of the leaves, one after the other
    np.testing.assert_array_equal(packed.points.transpose(0, 2, 1)[real], X[rows])
    np.testing.assert_array_equal(packed.values.transpose(0, 2, 1)[real], Y[rows])
    np.testing.assert_array_equal(packed.weights[real], w[rows])
    assert packed.least_proportion == pytest.approx(w.min() / w.sum())


@pytest.mark.parametrize("d", [1, 4, 5, 9])
@pytest.mark.parametrize(("leaf_size", "most"), [(1, 80), (16, 80), (40, 200)])
def test_a_leaf_holds_five_times_the_leaf_size_in_any_dimension(rng, d, leaf_size, most):
    packed = KernelSums.of(rng.normal(size=(5000, d)), None, leaf_size)
    largest = (packed.weights > 0).sum(axis=1).max()
    assert most / 2 < largest <= most
