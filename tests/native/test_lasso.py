"""The lasso's kernels, and the search for best subsets, against their obvious NumPy."""

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit

from gramian import _native
from gramian.base.runtime.threads import get_num_threads, set_num_threads

FORMS = ("float32", "float64", "csc float32", "csc float64", "csc float64 int64")
N, D = 50, 30


def columns(form, seed=0, n=N, d=D):
    X = np.random.default_rng(seed).normal(size=(n, d)) + 1
    X[np.abs(X) < 0.8] = 0
    X[:, 5] = 2.0  # constant
    return X.astype("float32" if "float32" in form else float)


def native_table(form, X, weights, *, centre):
    if "csc" not in form:
        return _native.LassoTable(np.ascontiguousarray(X.T), weights, centre)
    table = sp.csc_array(X)
    kind = np.int64 if "int64" in form else np.int32
    return _native.LassoTable(
        table.data, table.indices.astype(kind), table.indptr.astype(kind), weights, centre
    )


def weighted(X, weights, *, centre):
    """Columns root(weights) o (x_j - mean_j), and their means."""
    X = X.astype(float)
    means = weights @ X if centre else np.zeros(X.shape[1])
    return np.sqrt(weights)[:, None] * (X - means), means


def shares(seed=1, n=N):
    w = np.random.default_rng(seed).random(n)
    w[3] = 0.0
    return w / w.sum()


def descend(G, q, l1, l2, *, positive=False, cycles=3000):
    """Coordinate descent on b'Gb/2 - q'b + l1 |b|_1 + l2 |b|^2/2, one formula a line."""
    b = np.zeros(len(q))
    for _ in range(cycles):
        for j in range(len(q)):
            if G[j, j] > 1e-20:
                c = q[j] - G[j] @ b + G[j, j] * b[j]
                size = max(c - l1, 0) if positive else np.sign(c) * max(abs(c) - l1, 0)
                b[j] = size / (G[j, j] + l2)
    return b


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_means_and_first_correlations(form, centre):
    X, w = columns(form), shares()
    Z, means = weighted(X, w, centre=centre)
    table, found = native_table(form, X, w, centre=centre), np.empty(D)
    table.means(found)
    np.testing.assert_allclose(found, means, rtol=1e-6 if "float32" in form else 1e-13)
    table.squares(found)
    np.testing.assert_allclose(found, (Z**2).sum(axis=0), atol=1e-6 if "float32" in form else 1e-13)
    y = np.random.default_rng(2).normal(size=N)
    _native.LassoPath(table, y).start(found)
    np.testing.assert_allclose(found, Z.T @ y, atol=1e-6 if "float32" in form else 1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_a_path_ends_where_coordinate_descent_does(form, centre, positive):
    X, w = columns(form), shares()
    Z, _ = weighted(X, w, centre=centre)
    y = Z[:, :6] @ np.arange(1.0, 7) + 0.1 * np.random.default_rng(2).normal(size=N)
    path, coef = _native.LassoPath(native_table(form, X, w, centre=centre), y), np.empty(D)
    for l1, l2 in ((0.3, 0.0), (0.03, 0.0), (0.01, 0.1), (0.2, 0.0)):  # down, and up again
        tol = 1e-13 * (1 + y @ y)
        gap, _, converged = path.solve(l1, l2, positive, tol, 100_000, coef)
        assert converged
        assert gap <= tol
        obvious = descend(Z.T @ Z, Z.T @ y, l1, l2, positive=positive)
        np.testing.assert_allclose(coef, obvious, atol=2e-5)


def test_a_tolerance_below_rounding_ends_at_the_minimum():
    X, w = columns("float64"), shares()
    y = 1e3 * np.random.default_rng(2).normal(size=N)
    path, coef = _native.LassoPath(native_table("float64", X, w, centre=True), y), np.empty(D)
    gap, cycles, converged = path.solve(1.0, 0.0, False, 0.0, 100_000, coef)
    assert cycles < 100
    assert gap <= 1e-13 * (y @ y)
    assert converged == (gap <= 0)


@pytest.mark.parametrize("form", FORMS)
def test_a_path_goes_on_from_given_coefficients(form):
    X, w = columns(form), shares()
    y = np.random.default_rng(2).normal(size=N)
    path, there, back = (
        _native.LassoPath(native_table(form, X, w, centre=True), y),
        *np.empty((2, D)),
    )
    path.solve(0.01, 0.0, False, 1e-13, 100_000, there)
    path.solve(0.1, 0.0, False, 1e-13, 100_000, back)
    path.restart(there)
    _, cycles, _ = path.solve(0.01, 0.0, False, 1e-12, 100_000, back)
    assert cycles == 0
    np.testing.assert_allclose(back, there, atol=1e-12)


@pytest.mark.slow
def test_gram_paths_of_several_problems_end_where_coordinate_descent_does():
    rng = np.random.default_rng(0)
    tables = rng.normal(size=(3, 40, 12))
    tables[1, :, 4] = tables[1, :, 3]  # a column twice
    tables[2, :, 7] = 0.0
    grams = np.array([A.T @ A / 40 for A in tables])
    targets = rng.normal(size=(3, 40))
    q = np.einsum("kni,kn->ki", tables, targets) / 40
    yy = (targets**2).sum(axis=1) / 40
    l1, l2 = np.array([0.2, 0.05, 0.01]), np.array([0.0, 0.02, 0.0])
    coef, gaps, sweeps = np.empty((9, 12)), np.empty((3, 3)), np.empty((3, 3), dtype=np.int64)
    tol = np.full(3, 1e-14)
    _native.lasso_gram_paths(
        (grams.reshape(-1), q, yy), (l1, l2), False, tol, 100_000, coef, gaps, sweeps
    )
    assert (gaps <= 1e-14).all()
    for k in range(3):
        for t in range(3):
            obvious = descend(grams[k], q[k], l1[t], l2[t])
            fit, best = tables[k] @ coef[3 * k + t], tables[k] @ obvious
            np.testing.assert_allclose(fit, best, atol=1e-5)  # b itself where it is unique
            cost = [np.abs(b).sum() for b in (coef[3 * k + t], obvious)]
            assert cost[0] == pytest.approx(cost[1], abs=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_a_logistic_path_meets_its_conditions(form):
    X, s = columns(form), shares()
    y = (np.random.default_rng(3).random(N) < expit(X[:, 0] - X[:, 1])).astype(float)
    table = native_table(form, X, np.ones(N), centre=False)
    path, pulls, coef = _native.LogisticPath(table, y, s, True), np.empty(D), np.empty(D)
    rate = s @ y
    null = path.start(pulls)
    assert null == pytest.approx(-(rate * np.log(rate) + (1 - rate) * np.log1p(-rate)))
    np.testing.assert_allclose(pulls, (s * (y - rate)) @ X.astype(float), atol=1e-7)
    for l1, l2 in ((0.05, 0.0), (0.01, 0.0), (0.01, 0.05)):
        gap, _, converged, bias = path.solve(l1, l2, 1e-12, 1000, coef)
        assert converged
        assert gap <= 1e-12
        slack = s * (y - expit(X.astype(float) @ coef + bias))
        pull = slack @ X.astype(float) - l2 * coef
        assert abs(slack.sum()) <= 1e-10
        assert np.abs(pull).max() <= l1 + 1e-6
        np.testing.assert_allclose(pull[coef != 0], l1 * np.sign(coef[coef != 0]), atol=1e-6)


@pytest.mark.slow
def test_the_same_bits_for_any_threads():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(4000, 300)), rng.normal(size=4000), np.full(4000, 1 / 4000)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            path, coef = _native.LassoPath(native_table("float64", X, w, centre=True), y), []
            for l1 in (0.03, 0.02, 0.01):
                coef.append(np.empty(300))
                path.solve(l1, 0.0, False, 1e-10, 1000, coef[-1])
            found.append(np.array(coef))
    finally:
        set_num_threads(before)
    assert found[0].any()
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("largest", [3, 8])
def test_leaps_and_bounds_find_what_exhaustive_search_finds(largest):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(30, 8)) + rng.normal(size=(30, 1))
    y = X[:, 2] - X[:, 5] + rng.normal(size=30)
    inverse, total = np.linalg.inv(X.T @ X), float(y @ y)
    b = inverse @ (X.T @ y)
    best, sets = np.full(9, np.inf), np.zeros(9, dtype=np.uint64)
    best[0] = total
    nodes = _native.best_subsets(inverse, b, total - b @ (X.T @ y), largest, best, sets)
    assert 0 < nodes < 2**8
    for size in range(1, largest + 1):

        def rss(at):
            return np.linalg.lstsq(X[:, list(at)], y, rcond=None)[1][0]

        least = min(combinations(range(8), size), key=rss)
        assert best[size] == pytest.approx(rss(least))
        assert int(sets[size]) == sum(1 << j for j in least)
