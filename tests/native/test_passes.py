"""The passes over rows against the obvious NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, log_softmax, softmax

import gramian
from gramian import _native
from gramian.base.rows.native_table import native_table

LOSSES = ["squared", "logistic", "poisson", "squared_sigmoid", "squared_hinge"]
CONVEX = ["squared", "logistic", "poisson"]


def units_in_the_last_place(found, exact):
    return np.abs(found - exact) / np.spacing(np.abs(exact))


def test_exp_is_right_to_two_units_in_the_last_place(rng):
    x = np.r_[rng.uniform(-708, 709.7, 100_000), rng.uniform(-2, 2, 100_000), 0.0]
    found = np.empty_like(x)
    _native.vector_exp(x, found)
    assert units_in_the_last_place(found, np.exp(x)).max() <= 2


def test_exp_at_the_ends_of_the_range():
    x = np.array([-np.inf, -1e300, -709.0, 0.0, 709.782712893, 709.79, np.inf, np.nan])
    found = np.empty_like(x)
    _native.vector_exp(x, found)
    largest = np.exp(709.782712893)
    np.testing.assert_allclose(found, [0, 0, 0, 1, largest, np.inf, np.inf, np.nan], rtol=1e-15)


def test_log1p_is_right_to_two_units_in_the_last_place(rng):
    u = np.r_[rng.random(100_000), 10 ** rng.uniform(-300, 0, 100_000), 1.0]
    found = np.empty_like(u)
    _native.vector_log1p(u, found)
    assert units_in_the_last_place(found, np.log1p(u)).max() <= 2
    _native.vector_log1p(np.zeros(3), found[:3])
    np.testing.assert_array_equal(found[:3], 0)


def of_margin(loss, y, z):
    """Value, derivative and curvature of a loss, as in the book."""
    p = expit(z)
    slope = p * (1 - p)
    match loss:
        case "squared":
            return (z - y) ** 2 / 2, z - y, np.ones_like(z)
        case "logistic":
            return np.logaddexp(0, z) - y * z, p - y, slope
        case "poisson":
            return np.exp(z) - y * z, np.exp(z) - y, np.exp(z)
        case "squared_hinge":
            slack = np.maximum(0, 1 - y * z)
            return slack**2, -2 * y * slack, np.where(slack > 0, 2.0, 0.0)
        case _:
            curved = slope * (slope + (p - y) * (1 - 2 * p))
            return (p - y) ** 2 / 2, (p - y) * slope, curved


def table(n, d, dtype, view, seed=0):
    """Rows, and the same rows as a dense float64 matrix."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(dtype)
    if view == "dense":
        return X, X.astype(float)
    X[np.abs(X) < 0.7] = 0
    rows = sp.csr_array(X)
    index = np.int32 if view == "csr32" else np.int64
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    return rows, X.astype(float)


def call(name, X, *rest, before=()):
    """Call the pass of that name on dense or CSR rows."""
    return getattr(_native, name)(*before, native_table(X), *rest)


SHAPES = st.tuples(st.integers(1, 70), st.integers(1, 21))
VIEWS = st.sampled_from(["dense", "csr32", "csr64"])
TYPES = st.sampled_from([np.float32, np.float64])


@settings(deadline=None)
@given(SHAPES, TYPES, VIEWS, st.sampled_from(LOSSES), st.booleans(), st.booleans())
def test_value_gradient_and_curvature(shape, dtype, view, loss, intercept, weighted):
    n, d = shape
    rows, X = table(n, d, dtype, view)
    rng = np.random.default_rng(n + d)
    A = np.c_[X, np.ones(n)] if intercept else X
    w = rng.normal(size=A.shape[1])
    y, s = rng.random(n), rng.random(n) if weighted else None
    weight = s if weighted else np.ones(n)
    value, slope, curved = of_margin(loss, y, A @ w)

    gradient, curvature = np.empty(len(w)), np.empty(n)
    found = call("loss_gradient", rows, y, s, w, gradient, curvature, before=(loss,))
    scale = np.abs(weight * slope) @ np.abs(A) + 1e-300
    assert found == pytest.approx(weight @ value, rel=1e-11)
    np.testing.assert_array_less(np.abs(gradient - A.T @ (weight * slope)), 1e-12 * scale + 1e-300)
    np.testing.assert_allclose(curvature, weight * curved, rtol=1e-9, atol=1e-13)

    if loss in CONVEX:
        gram, again = np.empty((len(w), len(w))), np.empty(len(w))
        assert call("loss_newton", rows, y, s, w, again, gram, before=(loss,)) == found
        np.testing.assert_array_equal(again, gradient)
        np.testing.assert_allclose(gram, (A.T * (weight * curved)) @ A, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(gram, gram.T)

    z = np.empty(n)
    call("margins", rows, w, z)
    np.testing.assert_allclose(z, A @ w, rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(SHAPES, TYPES, VIEWS, st.integers(1, 30), st.booleans(), st.booleans(), st.booleans())
def test_softmax_value_and_gradient(shape, dtype, view, classes, intercept, weighted, soft):
    n, d = shape
    rows, X = table(n, d, dtype, view)
    rng = np.random.default_rng(n + d)
    A = np.c_[X, np.ones(n)] if intercept else X
    W = rng.normal(size=(A.shape[1], classes))
    codes = rng.integers(0, classes, n).astype(np.int32)
    shares = rng.dirichlet(np.ones(classes), n) if soft else np.eye(classes)[codes]
    s = rng.random(n) if weighted else None
    weight = s if weighted else np.ones(n)

    gradient = np.empty_like(W)
    targets = (None, shares) if soft else (codes, None)
    found = call("softmax_gradient", rows, *targets, s, W, gradient)
    value = -weight @ (shares * log_softmax(A @ W, axis=1)).sum(axis=1)
    assert found == pytest.approx(value, rel=1e-11, abs=1e-11)
    expected = A.T @ (weight[:, None] * (softmax(A @ W, axis=1) - shares))
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-10)


@settings(deadline=None)
@given(SHAPES, TYPES, st.integers(1, 50), st.booleans(), st.booleans(), st.booleans())
def test_softmax_in_single_precision(shape, dtype, classes, intercept, weighted, soft):
    n, d = shape
    rows, _ = table(n, d, dtype, "dense")
    rng = np.random.default_rng(n + d)
    W = rng.normal(size=(d + intercept, classes))
    codes = rng.integers(0, classes, n).astype(np.int32)
    targets = (None, rng.dirichlet(np.ones(classes), n)) if soft else (codes, None)
    s = rng.random(n) if weighted else None

    exact, rough = np.empty_like(W), np.empty_like(W)
    value = _native.softmax_gradient(rows, *targets, s, W, exact)
    found = _native.softmax_gradient_single(rows, *targets, s, W, rough)
    assert found == pytest.approx(value, rel=1e-5, abs=1e-5)
    np.testing.assert_allclose(rough, exact, atol=2e-6 * n)


def test_softmax_in_single_precision_at_the_ends_of_the_range():
    W, gradient = np.array([[1.0, -1.0, 0.0]]), np.empty((1, 3))
    codes = np.zeros(1, np.int32)
    far = _native.softmax_gradient_single(np.array([[-1e4]]), codes, None, None, W, gradient)
    assert far == pytest.approx(2e4, rel=1e-6)
    np.testing.assert_allclose(gradient, [[1e4, -1e4, 0.0]], rtol=1e-6)
    assert np.isnan(
        _native.softmax_gradient_single(np.array([[1e300]]), codes, None, None, W, gradient)
    )


def test_softmax_of_two_classes_is_the_sigmoid_of_the_difference(rng):
    """The pass of two classes is the logistic pass of the difference of their weights."""
    X, W = rng.normal(size=(50, 3)), rng.normal(size=(4, 2))
    codes = rng.integers(0, 2, 50).astype(np.int32)
    two, one = np.empty_like(W), np.empty(4)
    value = _native.softmax_gradient(X, codes, None, None, W, two)
    w = np.ascontiguousarray(W[:, 1] - W[:, 0])
    assert _native.loss_gradient("logistic", X, codes.astype(float), None, w, one) == pytest.approx(
        value
    )
    np.testing.assert_allclose(two, np.c_[-one, one], atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_huge_margins_neither_overflow_nor_give_nan(loss):
    X, y = np.array([[1e4], [-1e4], [0.0]]), np.array([1.0, 0.0, 0.5])
    gradient, curvature = np.empty(1), np.empty(3)
    sign = 1.0 if loss != "poisson" else 1e-3
    value = _native.loss_gradient(loss, X, y, None, np.array([sign]), gradient, curvature)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
    assert np.isfinite(curvature).all()


@pytest.mark.parametrize("view", ["dense", "csr32"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_same_bits_for_any_threads(view, dtype):
    rows, _ = table(40_000, 17, dtype, view)
    rng = np.random.default_rng(1)
    y, w, W = rng.random(40_000), rng.normal(size=18), rng.normal(size=(18, 5))
    codes = rng.integers(0, 5, 40_000).astype(np.int32)
    answers = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        g, h, H, G = np.empty(18), np.empty(40_000), np.empty((18, 18)), np.empty((18, 5))
        z = np.empty(40_000)
        call("margins", rows, w, z)
        answers.append(
            [
                call("loss_gradient", rows, y, None, w, g, h, before=("logistic",)),
                call("loss_newton", rows, y, None, w, np.empty(18), H, before=("logistic",)),
                call("softmax_gradient", rows, codes, None, None, W, G),
                *(a.tobytes() for a in (g, h, H, G, z)),
            ]
        )
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_single_precision_gives_the_same_bits_for_any_number_of_threads(dtype):
    rows, _ = table(40_000, 17, dtype, "dense")
    rng = np.random.default_rng(1)
    codes, W = rng.integers(0, 5, 40_000).astype(np.int32), rng.normal(size=(18, 5))
    answers = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        G = np.empty_like(W)
        value = _native.softmax_gradient_single(rows, codes, None, None, W, G)
        answers.append((value, G.tobytes()))
    assert answers[0] == answers[1] == answers[2]


def test_shapes_that_do_not_fit_are_refused(rng):
    X, y, w = rng.normal(size=(5, 2)), np.zeros(5), np.zeros(3)
    for bad in (
        (y[:4], None, w, np.empty(3)),
        (y, np.ones(4), w, np.empty(3)),
        (y, None, np.zeros(4), np.empty(4)),
        (y, None, w, np.empty(2)),
    ):
        with pytest.raises(ValueError, match=r"per row|per column|as long as"):
            _native.loss_gradient("logistic", X, *bad)
    with pytest.raises(ValueError, match="no pass for the loss hinge"):
        _native.loss_gradient("hinge", X, y, None, w, np.empty(3))
    with pytest.raises(ValueError, match="codes from 0"):
        _native.softmax_gradient(
            X, np.full(5, 2, dtype=np.int32), None, None, np.zeros((3, 2)), np.empty((3, 2))
        )


def test_a_table_keeps_its_arrays_and_refuses_others(rng):
    X, z = rng.normal(size=(6, 3)), np.empty(6)
    table = _native.Table(X.copy())
    sparse = native_table(sp.csr_array(X))
    for rows in (table, sparse):
        _native.margins(rows, np.ones(3), z)
        np.testing.assert_allclose(z, X.sum(axis=1), rtol=1e-12)
    for wrong in (X.T, X.astype(np.float16), X.astype(int), X.tolist()):
        with pytest.raises(TypeError):
            _native.Table(wrong)
    codes, W = np.zeros(6, np.int32), np.zeros((3, 2))
    with pytest.raises(ValueError, match="dense rows"):
        _native.softmax_gradient_single(sparse, codes, None, None, W, np.empty((3, 2)))
