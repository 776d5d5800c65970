"""Support vector regression with kernels."""

import gzip

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import svm as peer
from sklearn.datasets import load_diabetes

import gramian
from gramian import SVR
from tests.svm.kernel_machine_data import rbf


def objective(model, K, y, epsilon):
    b = np.zeros(len(y))
    b[model.support_] = model.dual_coef_[0]
    return 0.5 * b @ K @ b - b @ y + epsilon * np.abs(b).sum()


def waves(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 2))
    return X, np.sin(X[:, 0]) + 0.2 * X[:, 1] + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("C", [0.5, 20.0])
@pytest.mark.parametrize("name", ["diabetes", "boston"])
def test_the_objective_agrees_with_libsvm(name, C, data_folder):
    if name == "diabetes":
        X, y = load_diabetes(return_X_y=True)
    else:
        with gzip.open(data_folder / "bostonhousing.csv.gz", "rt") as file:
            frame = pd.read_csv(file)
        y = frame.pop("medv").to_numpy(float)
        X = frame.to_numpy(float)
    X, y = (X - X.mean(axis=0)) / X.std(axis=0), y / y.std()
    common = {"C": C, "gamma": 0.05, "epsilon": 0.1, "tol": 1e-6}
    ours, theirs = SVR(**common).fit(X, y), peer.SVR(**common).fit(X, y)
    K = rbf(X, X, 0.05)
    assert objective(ours, K, y, 0.1) == pytest.approx(objective(theirs, K, y, 0.1), rel=1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)


def test_rows_inside_the_tube_have_no_coefficient_and_those_outside_the_largest():
    X, y = waves()
    model = SVR(C=2.0, epsilon=0.1, tol=1e-7).fit(X, y)
    b = np.zeros(len(y))
    b[model.support_] = model.dual_coef_[0]
    error = y - model.predict(X)
    assert (b[np.abs(error) < 0.1 - 1e-5] == 0).all()
    outside = np.abs(error) > 0.1 + 1e-5
    np.testing.assert_allclose(b[outside], 2.0 * np.sign(error[outside]))
    assert b.sum() == pytest.approx(0, abs=1e-9)


def test_sparse_rows_and_functions_give_the_same_machine():
    X, y = waves()
    X[X < 0] = 0
    dense = SVR(gamma=0.5, tol=1e-8).fit(X, y).predict(X)
    sparse = SVR(gamma=0.5, tol=1e-8).fit(sp.csr_array(X), y).predict(sp.csr_array(X))
    called = SVR(kernel=lambda A, B: rbf(A, B, 0.5), tol=1e-8).fit(X, y).predict(X)
    np.testing.assert_allclose(sparse, dense, atol=1e-5)
    np.testing.assert_allclose(called, dense, atol=1e-5)


def test_the_result_does_not_depend_on_threads_or_cache():
    X, y = waves(1500)
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(SVR(C=5.0).fit(X, y).dual_coef_)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)
    small = SVR(C=5.0, cache_size=0.5, tol=1e-6).fit(X, y).objective_
    large = SVR(C=5.0, shrinking=False, tol=1e-6).fit(X, y).objective_
    assert small == pytest.approx(large, rel=1e-6)


@pytest.mark.parametrize("d", [3, 80])  # values that are quick to compute, and others
def test_recomputed_kernel_rows_do_not_change_the_bits(rng, d):
    X = rng.normal(size=(3000, d))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=len(X))
    whole, half = (SVR(gamma=0.5 / d, cache_size=size).fit(X, y) for size in (200, 10))
    assert len(whole.support_) > 10e6 / 4 / len(X)  # rows that half has room for
    assert half.kernel_entries_ > whole.kernel_entries_
    np.testing.assert_array_equal(half.support_, whole.support_)
    np.testing.assert_array_equal(half.dual_coef_, whole.dual_coef_)


def test_a_constant_target_needs_no_support_vectors():
    model = SVR().fit([[0.0], [1.0], [2.0]], [4.0, 4.0, 4.0])
    assert len(model.support_) == 0
    np.testing.assert_allclose(model.predict([[5.0]]), 4.0, atol=0.1)


def test_an_infinite_c_is_refused():
    with pytest.raises(ValueError, match="C must be"):
        SVR(C=np.inf).fit([[0.0], [1.0]], [0.0, 1.0])
