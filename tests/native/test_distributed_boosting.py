"""Trees over rows of several workers, and their sums, against one worker and NumPy."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from gramian import _native

rng = np.random.default_rng(0)
N, D = 20_000, 11
BINS = rng.integers(3, 250, size=D).astype(np.int32)
VALUES = np.stack([rng.integers(0, b + 1, size=N) for b in BINS], axis=1)
GROUPS = -(-D // 8)
padded = np.zeros(GROUPS * 8, dtype=np.int32)
padded[:D] = BINS
MISSING = padded.reshape(-1, 8).max(axis=1).astype(np.uint8)
CODES = np.zeros((GROUPS, N, 8), dtype=np.uint8)
for j in range(D):
    CODES[j // 8, :, j % 8] = np.where(VALUES[:, j] == BINS[j], MISSING[j // 8], VALUES[:, j])
CATEGORICAL = (np.arange(D) == 3).astype(np.uint8)
MONOTONE = (np.arange(D) == 5).astype(np.int8)
NO_SETS = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))
CUTS = [[0, N], [0, 7001, N], [0, 100, 100, 12_001, N]]


def columns(codes):
    ones = np.ones(D, dtype=np.uint8)
    codes = np.ascontiguousarray(codes)
    return _native.BinnedColumns(codes, BINS, MISSING, ones, CATEGORICAL, MONOTONE, NO_SETS)


def options(**changed):
    settings = {"max_leaves": 31, "max_depth": 0, "min_samples_leaf": 20, "l2": 0.1}
    return _native.BoostingOptions(**{**settings, "max_features": 0.6, **changed})


def written(grower, n):
    node_fields, sums = np.empty((n, 5), dtype=np.int32), np.empty((n, 5))
    left = np.empty((n, 4), dtype=np.uint64)
    grower.nodes(node_fields, sums, left)
    return node_fields, sums, left


class Workers:
    """The workers of a cluster, in one process."""

    def __init__(self, gradient, hessian, cuts):
        self.slices = [slice(a, b) for a, b in pairwise(cuts)]
        self.rows = [_native.WorkerRows(columns(CODES[:, s])) for s in self.slices]
        cut = [(gradient[s], None if hessian is None else hessian[s]) for s in self.slices]
        self.slopes = cut
        self.largest = np.max([_native.boost_largest(*pair) for pair in cut], axis=0)
        sums = np.sum([_native.boost_size_sums(*pair, self.largest) for pair in cut], axis=0)
        sizes = (self.largest[0], sums[0] + sums[1], self.largest[1], sums[2] + sums[3])
        self.layout = np.array(_native.cell_layout(sizes, N, hessian is not None))
        self.rounds = 0

    def divide(self, divisions, n_hists):
        self.rounds += 1
        found = []
        for rows, pair in zip(self.rows, self.slopes, strict=True):
            found.append(np.zeros((n_hists, rows.hist_size)))
            if divisions:
                rows.divide(np.array(divisions, dtype=np.int64), found[-1])
            else:
                rows.begin(*pair, self.layout, found[-1][0])
        return np.sum(found, axis=0)

    def sums(self, n_keys):
        total = np.zeros((n_keys, 6))
        for rows, pair in zip(self.rows, self.slopes, strict=True):
            found = np.zeros((n_keys, 6))
            rows.sums(*pair, self.largest, found)
            total += found
        return total


@pytest.mark.parametrize("curved", [True, False])
@pytest.mark.parametrize("heavy", [True, False])
@pytest.mark.parametrize("limits", [{}, {"max_leaves": 0, "max_depth": 5}, {"max_features": 1.0}])
def test_the_tree_matches_one_worker(curved, heavy, limits):
    gradient = (rng.normal(size=N) + VALUES[:, 0] / 100).astype(np.float32)
    gradient[::1000] *= 1e4 if heavy else 1.0
    hessian = rng.random(N).astype(np.float32) if curved else None
    whole = _native.TreeGrower(columns(CODES), options(**limits))
    n = whole.grow(gradient, hessian, False, 3, 5)
    expected, score = written(whole, n), np.zeros(N)
    whole.add(expected[1][:, 0].copy(), score)
    for cuts in CUTS:
        workers = Workers(gradient, hessian, cuts)
        grower = _native.DistributedGrower(columns(CODES[:, :0]), N, options(**limits))
        found = grower.grow(workers.layout, False, 3, 5, workers.divide, workers.sums)
        assert found == n
        for a, b in zip(written(grower, n), expected, strict=True):
            np.testing.assert_array_equal(a, b)
        assert workers.rounds <= n // 2 + 1  # several leaves at a time
        values = expected[1][:, 0][grower.node_of_key()]
        for rows, part in zip(workers.rows, workers.slices, strict=True):
            here = np.zeros(part.stop - part.start)
            rows.add(values, here)
            np.testing.assert_array_equal(here, score[part])


def test_sums_do_not_depend_on_the_order_and_are_nearly_exact():
    gradient = (rng.normal(size=N) * 10.0 ** rng.integers(-6, 6, size=N)).astype(np.float32)
    hessian = np.abs(gradient[::-1]).copy()
    largest = np.array(_native.boost_largest(gradient, hessian))
    np.testing.assert_array_equal(largest, [np.abs(gradient).max(), hessian.max()])
    sums = np.array(_native.boost_size_sums(gradient, hessian, largest))
    order = rng.permutation(N)
    again = _native.boost_size_sums(gradient[order], hessian[order], largest)
    np.testing.assert_array_equal(again, sums)
    exact = float(sum(map(Fraction, np.abs(gradient).tolist())))
    assert sums[0] + sums[1] == pytest.approx(exact, rel=1e-12)


def test_what_does_not_fit_is_refused():
    rows = _native.WorkerRows(columns(CODES[:, :50]))
    gradient, layout = np.ones(50, dtype=np.float32), np.array([13.0, 0.0, 4096.0, 1e-9, 1.0])
    rows.begin(gradient, None, layout, np.zeros(rows.hist_size))
    none = np.zeros((0, rows.hist_size))
    for bad in ([7, 1, -1, 0], [0, 5, -1, 0], [0, 1, -1, 99], [0, 1, 0, 0]):
        with pytest.raises(ValueError, match=r"a leaf, a column|a histogram for each"):
            rows.divide(np.array([[*bad, 0, 0, 0, 0]]), none)
    with pytest.raises(ValueError, match="five numbers"):
        rows.begin(gradient, None, layout[:2], np.zeros(rows.hist_size))
