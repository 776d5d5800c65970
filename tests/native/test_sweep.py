"""Dual coordinate sweeps against their obvious Python."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize_scalar

from gramian import _native
from gramian.base.runtime.threads import get_num_threads, set_num_threads
from gramian.solvers.coordinate.dual_sweeps import DualSweeps, squared_norms

FORMS = ("float32", "float64", "csr float32", "csr float64", "csr float64 int64")


def table(form, seed=0, n=40, d=9):
    X = np.random.default_rng(seed).normal(size=(n, d))
    X[np.abs(X) < 0.6] = 0
    X[3] = 0
    X = X.astype("float32" if "float32" in form else float)
    if "csr" not in form:
        return X
    X = sp.csr_array(X)
    if "int64" in form:
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def dense(X):
    return np.asarray(X.toarray() if sp.issparse(X) else X, dtype=float)


@pytest.mark.parametrize("form", FORMS)
def test_squared_norms(form):
    X = table(form)
    np.testing.assert_allclose(squared_norms(X), (dense(X) ** 2).sum(axis=1), rtol=1e-14)


def dual_value(machine, X, y, c, beta):
    """The dual to be minimised, written out."""
    w = np.r_[X, 0 * X[:1]][: len(X)].T @ beta
    square = (w @ w + (machine.ones * beta.sum()) ** 2) / 2 + machine.offset * beta.sum()
    if machine.dual == "logistic":
        a = np.clip(y * beta / c, 0, 1)
        entropy = sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0) for p in (a, 1 - a))
        return square + c * entropy.sum()
    ridge, target = machine._table[:, 4], machine._table[:, 1]
    return square + (ridge * beta**2 / 2 - target * beta + machine.epsilon * np.abs(beta)).sum()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["hinge", "squared hinge", "tube", "logistic"])
def test_sweeps_end_where_no_coordinate_can_lower_the_dual(form, kind):
    X, c = table(form), 0.7
    rng = np.random.default_rng(1)
    y = np.where(rng.random(X.shape[0]) < 0.5, 1.0, -1.0)
    low, high = np.minimum(y * c, 0), np.maximum(y * c, 0)
    free = np.where(y > 0, np.inf, 0.0), np.where(y > 0, 0.0, -np.inf)
    machine = {
        "hinge": lambda: DualSweeps(X, "box", y, low, high, ones=1.0),
        "squared hinge": lambda: DualSweeps(X, "box", y, free[1], free[0], 0.5 / c, ones=0.5),
        "tube": lambda: DualSweeps(X, "box", 3 * rng.normal(size=len(y)), -c, c, epsilon=0.3),
        "logistic": lambda: DualSweeps(X, "logistic", y, 0.0, c, ones=1.0),
    }[kind]()
    machine.offset = 0.1
    for _ in range(300):
        largest, _ = machine.sweep()
    assert largest < 1e-6

    rows, beta = dense(X), machine.beta.copy()
    np.testing.assert_allclose(machine.w[:-1], rows.T @ beta, atol=1e-9)
    assert machine.w[-1] == pytest.approx(machine.ones * beta.sum(), abs=1e-9)
    if kind == "logistic":
        low, high = np.minimum(y * c, 0), np.maximum(y * c, 0)
    else:
        low, high = machine._table[:, 2], machine._table[:, 3]
    best = dual_value(machine, rows, y, c, beta)
    for i in range(len(y)):

        def along(b, i=i):
            moved = beta.copy()
            moved[i] = b
            return dual_value(machine, rows, y, c, moved)

        ends = max(low[i], beta[i] - 1), min(high[i], beta[i] + 1)
        if ends[0] < ends[1]:
            found = minimize_scalar(along, bounds=ends, method="bounded")
            assert best <= found.fun + 1e-7


def test_shrinking_changes_nothing_in_the_end():
    X = table("csr float64", n=200)
    y = np.where(np.random.default_rng(2).random(200) < 0.5, 1.0, -1.0)
    low, high = np.minimum(y, 0), np.maximum(y, 0)
    plain, shrunk = (DualSweeps(X, "box", y, low, high, ones=1.0) for _ in range(2))
    while plain.sweep()[0] > 1e-9:
        assert plain.sweeps < 20_000
    bound, left_out = np.inf, 0
    while bound > 1e-9 or not shrunk.visits_all:
        bound, _ = shrunk.sweep(bound)
        left_out = max(left_out, 200 - shrunk._n_active)
        if bound <= 1e-9 and not shrunk.visits_all:
            shrunk.visit_all()
            bound = np.inf
        assert shrunk.sweeps < 20_000
    assert left_out > 20
    np.testing.assert_allclose(shrunk.w, plain.w, atol=1e-6)


def test_the_same_bits_for_any_number_of_threads():
    X = np.random.default_rng(0).normal(size=(9000, 5))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    found, before = [], get_num_threads()
    for threads in (1, 2, 3):
        set_num_threads(threads)
        machine = DualSweeps(X, "logistic", y, 0.0, 1.0, ones=1.0)
        for _ in range(3):
            machine.sweep()
        found.append(machine.w.copy())
    set_num_threads(before)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_shapes_that_do_not_fit_are_refused():
    X, rows = np.ones((3, 2)), np.arange(3, dtype=np.int32)
    options = _native.SweepOptions("box", ones=0.0, epsilon=0.0, seed=0)
    good = [X, np.ones((3, 6)), np.zeros(3), rows, 0.0, np.inf, 0]
    _native.dual_sweep(options, *good)
    for at, wrong, words in (
        (1, np.ones((2, 6)), "six numbers per row"),
        (1, np.ones((3, 5)), "six numbers per row"),
        (2, np.zeros(2), "one weight per column"),
        (3, rows + 1, "row numbers"),
    ):
        bad = list(good)
        bad[at] = wrong
        with pytest.raises(ValueError, match=words):
            _native.dual_sweep(options, *bad)
    with pytest.raises(ValueError, match="box or logistic"):
        _native.SweepOptions("other", ones=0.0, epsilon=0.0, seed=0)
    with pytest.raises(ValueError, match="one norm per row"):
        _native.squared_norms(X, np.empty(2))
