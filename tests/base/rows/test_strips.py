"""Strips of rows: where they lie, and whether the rows lie in no order."""

import numpy as np
import pytest

from gramian import KMeans
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.strips import in_no_order, pieces, strips

rng = np.random.default_rng(0)
X = rng.normal(size=(80_000, 2)).astype(np.float32)


def gate(*chunks):
    return Chunks.of(KMeans(), list(chunks))


@pytest.mark.parametrize("cuts", [[], [100], [1, 2, 30_000, 79_999]])
def test_strips_do_not_depend_on_the_chunks(cuts):
    whole, n = strips(gate(X), 1200, seed=3)
    cut, again = strips(gate(*np.split(X, cuts)), 1200, seed=3)
    assert n == again == 80_000
    assert len(whole) >= 1200
    np.testing.assert_array_equal(whole, cut)


def test_strips_come_from_all_over_the_table():
    numbers = np.arange(80_000.0)
    shuffled = np.c_[X, rng.permutation(numbers)]
    found, _ = strips(gate(shuffled), 1200, seed=0)
    places = np.flatnonzero(np.isin(shuffled[:, 2], found[:, 2]))
    assert np.unique(places // 5000).tolist() == list(range(16))


def test_rows_in_an_order_need_a_pass():
    assert strips(gate(X[np.argsort(X[:, 0])]), 1200, seed=0) is None
    wide = np.concatenate([X[:40_000], 9 * X[40_000:]])  # the same means, another spread
    assert strips(gate(wide), 1200, seed=0) is None


@pytest.mark.parametrize(
    "chunks", [[X[:10_000]], [(X, None, np.ones(80_000))], [X[:100].tolist() * 800]]
)
def test_few_or_weighted_rows_or_lists_need_a_pass(chunks):
    assert strips(gate(*chunks), 1200, seed=0) is None


def test_what_cannot_be_used_is_left_to_the_pass_to_name():
    assert strips(gate(np.where(X < 9, np.nan, X).astype(np.float32)), 1200, seed=0) is None


def test_constant_columns_lie_in_no_order():
    numbers = np.repeat(np.arange(16), 10)
    assert in_no_order(np.ones((160, 1)), numbers)
    assert not in_no_order(numbers[:, None].astype(float), numbers)


def test_ranges_beyond_one_chunk_are_cut():
    assert pieces([5, 0, 5], [(3, 7), (8, 9)]) == [(0, 3, 5), (2, 0, 2), (2, 3, 4)]
    assert pieces([4], [(0, 4)]) == [(0, 0, 4)]
