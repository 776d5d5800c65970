"""Strips of rows: their positions, and the test for random row order."""

import numpy as np
import pytest

from gramian import KMeans
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.strip_sample import locate_ranges, looks_shuffled, sample_strips

rng = np.random.default_rng(0)
X = rng.normal(size=(80_000, 2)).astype(np.float32)


def gate(*chunks):
    return Chunks.of(KMeans(), list(chunks))


@pytest.mark.parametrize("cuts", [[], [100], [1, 2, 30_000, 79_999]])
def test_strips_do_not_depend_on_the_chunks(cuts):
    whole, n = sample_strips(gate(X), 1200, seed=3)
    cut, again = sample_strips(gate(*np.split(X, cuts)), 1200, seed=3)
    assert n == again == 80_000
    assert len(whole) >= 1200
    np.testing.assert_array_equal(whole, cut)


def test_strips_come_from_all_over_the_table():
    numbers = np.arange(80_000.0)
    shuffled = np.c_[X, rng.permutation(numbers)]
    found, _ = sample_strips(gate(shuffled), 1200, seed=0)
    places = np.flatnonzero(np.isin(shuffled[:, 2], found[:, 2]))
    assert np.unique(places // 5000).tolist() == list(range(16))


def test_sorted_rows_need_a_pass():
    assert sample_strips(gate(X[np.argsort(X[:, 0])]), 1200, seed=0) is None
    spread = np.concatenate([X[:40_000], 9 * X[40_000:]])  # the same means, another spread
    assert sample_strips(gate(spread), 1200, seed=0) is None


@pytest.mark.parametrize(
    "chunks", [[X[:10_000]], [(X, None, np.ones(80_000))], [X[:100].tolist() * 800]]
)
def test_few_or_weighted_rows_or_lists_need_a_pass(chunks):
    assert sample_strips(gate(*chunks), 1200, seed=0) is None


def test_invalid_values_are_left_to_the_pass_to_report():
    assert sample_strips(gate(np.where(X < 9, np.nan, X).astype(np.float32)), 1200, seed=0) is None


def test_constant_columns_look_shuffled():
    numbers = np.repeat(np.arange(16), 10)
    assert looks_shuffled(np.ones((160, 1)), numbers)
    assert not looks_shuffled(numbers[:, None].astype(float), numbers)


def test_ranges_over_several_chunks_are_split():
    assert locate_ranges([5, 0, 5], [(3, 7), (8, 9)]) == [(0, 3, 5), (2, 0, 2), (2, 3, 4)]
    assert locate_ranges([4], [(0, 4)]) == [(0, 0, 4)]
