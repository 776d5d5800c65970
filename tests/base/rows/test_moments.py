"""Summaries are the weighted sums of their definition, merge, and do not depend on chunks."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.rows.chunks import Chunk
from gramian.base.rows.moments import Rows

N, D, M = 700, 4, 2


@pytest.fixture
def table(rng):
    X = rng.normal(3.0, 2.0, size=(N, D))
    return X, X[:, :M] + rng.normal(size=(N, M)), rng.uniform(0.5, 2.0, size=N)


def brute_gram(X, Y, w, shift):
    Z = np.hstack([np.hstack([X, Y]) - shift, np.ones((len(X), 1))])
    return (Z * w[:, None]).T @ Z


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_the_gram_matrix_matches_its_definition(table, form, weighted):
    X, Y, w = table
    summary = Rows.of(form(X), Y, w if weighted else None).summarise()
    w = w if weighted else np.ones(N)
    np.testing.assert_allclose(summary.gram, brute_gram(X, Y, w, summary.shift), rtol=1e-10)
    assert (summary.n_rows, summary.n_features, summary.n_targets) == (N, D, M)
    assert summary.weight == pytest.approx(w.sum())
    np.testing.assert_allclose(summary.means, np.average(np.hstack([X, Y]), axis=0, weights=w))
    centred = np.cov(np.hstack([X, Y]).T, aweights=w, ddof=0) * w.sum()
    np.testing.assert_allclose(summary.centred(), centred, rtol=1e-9)


def test_many_columns_give_the_same_sums(rng):
    X, Y, w = rng.normal(size=(90, 600)), rng.normal(size=(90, 1)), rng.uniform(size=90)
    summary = Rows.of(X, Y, w).summarise(shift=np.ones(601))
    np.testing.assert_allclose(summary.gram, brute_gram(X, Y, w, np.ones(601)), atol=1e-9)


def test_merged_summaries_are_the_summary_of_all_rows(table):
    X, Y, w = table
    whole = Rows.of(X, Y, w).summarise()
    left, right = (Rows.of(X[s], Y[s], w[s]).summarise() for s in (slice(250), slice(250, None)))
    merged = left.merge(right)
    assert merged.n_rows == N
    np.testing.assert_allclose(merged.about(whole.shift).gram, whole.gram, rtol=1e-9)


def test_summaries_of_other_columns_do_not_merge(table):
    X, Y, w = table
    one, two = Rows.of(X, Y, w).summarise(), Rows.of(X[:, :3].copy(), Y, w).summarise()
    with pytest.raises(DataError, match="4 features and 2 targets here, 3 and 2 there"):
        one.merge(two)


def test_the_shift_moves_nothing_but_the_sums(table):
    summary = Rows.of(*table).summarise()
    moved = summary.about(np.full(D + M, 100.0))
    np.testing.assert_allclose(moved.gram, brute_gram(*table, 100.0), rtol=1e-9)
    np.testing.assert_allclose(moved.means, summary.means)
    assert summary.about(summary.shift) is summary


@pytest.mark.parametrize("cuts", [[100], [1, 2, 3, 8999], [4096], [4000, 5000, 8191]])
def test_the_sums_do_not_depend_on_the_chunks_in_any_bit(cuts, rng):
    """The rows are cut into blocks of 4,096, wherever the chunks end."""
    X, Y, w = rng.normal(3.0, size=(9000, 3)), rng.normal(size=(9000, 1)), rng.uniform(size=9000)
    parts = [Chunk(*part) for part in zip(*(np.split(a, cuts) for a in (X, Y, w)), strict=True)]
    chunked, whole = Rows(lambda: iter(parts), 3, 1), Rows.of(X, Y, w)
    assert chunked.summarise().gram.tobytes() == whole.summarise().gram.tobytes()
    shift, scale = np.ones(4), np.ones(4)
    R = chunked.root(shift, scale, ones=True)
    assert R.tobytes() == whole.root(shift, scale, ones=True).tobytes()
    Z = np.hstack([np.ones((9000, 1)), np.hstack([X, Y]) - 1.0]) * np.sqrt(w)[:, None]
    np.testing.assert_allclose(R.T @ R, Z.T @ Z, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_residuals_and_largest_distances(table, form, rng):
    X, Y, w = table
    rows = Rows.of(form(X), Y, w)
    model = rng.normal(size=(M, D + 1))
    gradient, rss = rows.residuals(model, np.zeros_like(model), extended=False)
    R = Y - X @ model[:, :D].T - model[:, D]
    np.testing.assert_allclose(gradient, (R * w[:, None]).T @ np.c_[X, np.ones(N)])
    np.testing.assert_allclose(rss, w @ R**2)
    np.testing.assert_allclose(
        rows.largest(np.ones(D + M)), np.abs(np.hstack([X, Y]) - 1.0).max(axis=0)
    )


def test_the_pilot_is_not_moved_by_an_outlier(table):
    """The sums are taken about the median of the first rows, also where one of them is far off."""
    X, Y, w = table
    far = X.copy()
    far[0] = 1e9
    pilot = Rows.of(far, Y, w).pilot()
    assert np.abs(pilot).max() < 10
