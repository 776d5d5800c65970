"""Hash tables against obvious NumPy, and the search against a float64 one of all rows."""

from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gramian
from gramian import _native
from gramian.neighbors.structures.lsh_tables import HashTables, draw_functions, project

DTYPES = [np.float32, np.float64]
KINDS = ["hyperplane", "p_stable"]


def tables_of(X, kind, tables=3, per_table=4, width=None, seed=0):
    return HashTables.build(X, draw_functions(X, kind, tables, per_table, width, seed))


def cells(built, rows):
    """The cell of every row along every function, and the place inside it, by NumPy."""
    functions = built.functions
    tables, per_table = functions.multipliers.shape
    along = project(rows, functions.directions)[:, : tables * per_table].astype(np.float64)
    v = (along - functions.offsets).reshape(len(rows), tables, per_table)
    if functions.width == 0:
        return (v > 0).astype(np.int64), v
    return np.floor(v / functions.width).astype(np.int64), v / functions.width


def bucket(built, table, cell):
    """The number of the bucket of one table."""
    key = sum(
        int(m) * int(c) for m, c in zip(built.functions.multipliers[table], cell, strict=True)
    )
    bits = (built.arrays[0].shape[1] - 1).bit_length() - 1
    return (key % 2**64) >> (64 - bits)


def members(built, table, number):
    starts, rows = built.arrays[0][table], built.arrays[1][table]
    return rows[starts[number] : starts[number + 1]]


def nearest_by_sorting(X, Q, k, own=False):
    D = np.sqrt(((Q[:, None].astype(np.float64) - X[None].astype(np.float64)) ** 2).sum(axis=2))
    if own:
        np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, order, axis=1), order


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "d", "m"), [(1, 1, 16), (7, 3, 32), (600, 65, 48)])
def test_projections_are_products(rng, dtype, n, d, m):
    X, A = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(d, m)).astype(dtype)
    along = project(X, A)
    np.testing.assert_allclose(along, X @ A, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(along[-1:], project(X[-1:], A))  # a row's own affair


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_row_is_in_the_bucket_of_its_cells(rng, dtype, kind):
    X = rng.normal(size=(500, 6)).astype(dtype)
    built = tables_of(X, kind)
    found, _ = cells(built, X)
    for table in range(3):
        np.testing.assert_array_equal(np.sort(built.arrays[1][table]), np.arange(len(X)))
        for i in range(0, len(X), 7):
            assert i in members(built, table, bucket(built, table, found[i, table]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("probes", [1, 3, 5, 20, 60])
def test_buckets_are_visited_by_the_borders_crossed(rng, kind, probes):
    """The rows found are those of the cheapest sets of moves, all sets written out and sorted."""
    X, Q = rng.normal(size=(800, 5)), rng.normal(size=(20, 5))
    built = tables_of(X, kind)
    at, v = cells(built, Q)
    expected = 0
    for q in range(len(Q)):
        costs = []
        for table in range(3):
            if kind == "hyperplane":
                moves = [
                    [(0, 0.0), (1 - 2 * c, x**2)]
                    for c, x in zip(at[q, table], v[q, table], strict=True)
                ]
            else:
                into = v[q, table] - at[q, table]
                moves = [[(0, 0.0), (-1, x**2), (1, (1 - x) ** 2)] for x in into]
            for steps in product(*moves):
                cost = sum(c for _, c in steps)
                moved = at[q, table] + [s for s, _ in steps]
                costs.append((cost, table, bucket(built, table, moved)))
        costs.sort()
        rows = [members(built, table, number) for _, table, number in costs[:probes]]
        expected += len(set(chain.from_iterable(r.tolist() for r in rows)))
    _, _, looked_at = built.nearest(Q, 1, probes)
    assert looked_at == pytest.approx(expected / len(Q), rel=0.02)  # equal but for empty buckets


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("offset", "scale"), [(0, 1), (1000, 1), (0, 1e18), (0, 1e-18)])
@pytest.mark.parametrize("own", [False, True])
def test_with_all_buckets_the_search_is_exhaustive(rng, dtype, offset, scale, own):
    """The rounding to bytes changes no answer."""
    X = (rng.normal(size=(700, 17)) * scale + offset).astype(dtype)
    X[::50] += 30 * scale  # rows beyond the bytes' range
    Q = X if own else (rng.normal(size=(40, 17)) * scale + offset).astype(dtype)
    distances, indices, looked_at = tables_of(X, "hyperplane").nearest(None if own else Q, 9, 48)
    assert looked_at == len(X) - own
    expected, order = nearest_by_sorting(X, Q, 9, own)
    np.testing.assert_allclose(distances, expected, rtol=1e-12 if dtype == np.float64 else 1e-6)
    if offset == 0:
        np.testing.assert_array_equal(indices, order)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 60),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
    st.sampled_from(KINDS),
    st.integers(1, 5),
)
def test_what_is_found_is_measured_and_sorted(n, d, seed, kind, k):
    """Whatever the buckets: k different rows with their distances, by (distance, index)."""
    rng = np.random.default_rng(seed)
    X, Q = rng.integers(-3, 4, size=(n, d)) / 2, rng.integers(-3, 4, size=(5, d)) / 2
    k = min(k, n)
    distances, indices, _ = tables_of(X, kind, tables=2, per_table=2).nearest(Q, k, 2)
    D = np.sqrt(((Q[:, None] - X[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(distances, np.take_along_axis(D, indices, axis=1))
    for row, far in zip(indices.tolist(), distances.tolist(), strict=True):
        assert len(set(row)) == k
        assert list(zip(far, row, strict=True)) == sorted(zip(far, row, strict=True))


def test_too_few_rows_in_the_buckets_are_made_up_for(rng):
    X = rng.normal(size=(300, 4))
    built = tables_of(X, "p_stable", tables=1, per_table=1, width=1e-9)  # every row alone
    distances, indices, looked_at = built.nearest(X[:10] + 0.1, 50, 1)
    expected, order = nearest_by_sorting(X, X[:10] + 0.1, 50)
    assert looked_at == len(X)
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_allclose(distances, expected)


def test_numbers_beyond_all_cells_do_no_harm():
    X = np.array([[1e300, -1e300], [-1e300, 1e300], [0.0, 0.0]])
    for kind in KINDS:
        functions = draw_functions(np.eye(2), kind, 2, 3, 1e-300 if kind == "p_stable" else None, 0)
        _, indices, _ = HashTables.build(X, functions).nearest(X, 3, 4)
        assert all(sorted(row) == [0, 1, 2] for row in indices.tolist())


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_same_bits_for_any_number_of_threads(rng, dtype):
    X = rng.normal(size=(3000, 12)).astype(dtype)
    answers = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        built = tables_of(X, "hyperplane", per_table=8)
        answers.append([*built.arrays[:2], *built.nearest(None, 4, 10)])
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_arrays_that_do_not_fit_are_refused(rng):
    X = rng.normal(size=(50, 4))
    built = tables_of(X, "hyperplane")
    answer = np.empty((3, 2)), np.empty((3, 2), np.int64)
    with pytest.raises(ValueError, match="shapes do not fit"):
        _native.lsh_nearest(
            X, tuple(built.functions), built.arrays, X[:3, :2].copy(), 1, False, *answer
        )
    with pytest.raises(ValueError, match="buckets do not fit"):
        _native.lsh_nearest(
            X[:20].copy(), tuple(built.functions), built.arrays, X[:3], 1, False, *answer
        )
