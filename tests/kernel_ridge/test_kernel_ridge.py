"""Kernel ridge regression: the textbook's equalities, scikit-learn, weights, solvers."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge as Theirs
from sklearn.model_selection import GridSearchCV, cross_val_score

from gramian.base.errors import DataError, ParameterError
from gramian.base.files.model_file import load, save
from gramian.kernel_ridge import KernelRidge
from gramian.kernels import RBF, Linear, Polynomial
from gramian.linear_model import Ridge

rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
Z = rng.normal(size=(9, 4))


@pytest.mark.parametrize("solver", ["primal", "dual"])
def test_the_linear_kernel_is_ridge_regression(solver):
    """T50, RG-16: (X X' + alpha I) a = y and w = X'a; a column of ones is penalised alike."""
    table = np.column_stack([X, np.ones(60)])
    model = KernelRidge(0.7, solver=solver).fit(table, y)
    primal = Ridge(0.7, fit_intercept=False).fit(table, y)
    np.testing.assert_allclose(model.predict(table), primal.predict(table), atol=1e-12)
    np.testing.assert_allclose(table.T @ model.dual_coef_, primal.coef_, atol=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kernel": "rbf", "gamma": 0.3},
        {"kernel": "poly", "degree": 2, "coef0": 0.5},
        {"kernel": "laplacian", "alpha": 0.1},
        {"kernel": "cosine"},
        {"kernel": lambda a, b: float(np.minimum(a, b).sum()) + 50.0, "alpha": 5.0},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_agreement_with_scikit_learn_on_real_data(settings, weighted):
    data, target = load_diabetes(return_X_y=True)
    data, target = 10 * data[:90], target[:90] - target.mean()
    w = rng.integers(0, 3, 90).astype(float) if weighted else None
    ours = KernelRidge(**settings).fit(data[:60], target[:60], None if w is None else w[:60])
    theirs = Theirs(**settings).fit(data[:60], target[:60], None if w is None else w[:60])
    np.testing.assert_allclose(ours.predict(data), theirs.predict(data), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-6, atol=1e-6)


@given(n=st.integers(5, 30), d=st.integers(1, 8), alpha=st.floats(1e-2, 1e2))
def test_primal_and_dual_agree(n, d, alpha):
    table = np.random.default_rng(n).normal(size=(n, d))
    target = table.sum(axis=1) + 1
    for kernel in (Linear(), Polynomial(2)):
        both = [
            KernelRidge(alpha, kernel=kernel, solver=s).fit(table, target).predict(table)
            for s in ("primal", "dual")
        ]
        np.testing.assert_allclose(*both, rtol=1e-7, atol=1e-7)


def test_the_cheaper_form_is_chosen():
    assert KernelRidge().fit(X, y).solver_ == "primal"
    assert KernelRidge().fit(X[:3], y[:3]).solver_ == "dual"
    assert KernelRidge(kernel="rbf").fit(X, y).solver_ == "dual"
    assert KernelRidge(kernel="poly", degree=2).fit(X, y).coef_.shape == (15,)


def test_several_targets_with_a_penalty_each():
    Y = rng.normal(size=(60, 7))
    alphas = np.logspace(-2, 2, 7)
    for kernel in ("linear", "rbf"):
        ours = KernelRidge(alphas, kernel=kernel).fit(X, Y)
        theirs = Theirs(alphas, kernel=kernel).fit(X, Y)
        np.testing.assert_allclose(ours.predict(Z), theirs.predict(Z), rtol=1e-7, atol=1e-9)


def test_a_precomputed_matrix_is_sliced_in_both_directions():
    K = RBF(0.2)(X)
    for weights in (None, np.arange(60) % 3):
        given_matrix = KernelRidge(kernel="precomputed").fit(K, y, weights)
        by_rows = KernelRidge(kernel=RBF(0.2)).fit(X, y, weights)
        np.testing.assert_allclose(given_matrix.predict(RBF(0.2)(Z, X)), by_rows.predict(Z))
    assert KernelRidge(kernel="precomputed").__sklearn_tags__().input_tags.pairwise
    scores = [
        cross_val_score(KernelRidge(kernel=kernel), table, y, cv=3)
        for kernel, table in (("precomputed", K), (RBF(0.2), X))
    ]
    np.testing.assert_allclose(*scores)


def test_sparse_rows_give_the_same():
    S = np.where(np.abs(X) > 1, X, 0.0)
    for kernel in ("linear", "rbf"):
        dense = KernelRidge(kernel=kernel).fit(S, y).predict(S)
        sparse = KernelRidge(kernel=kernel).fit(sp.csr_array(S), y).predict(sp.csr_array(S))
        np.testing.assert_allclose(sparse, dense, atol=1e-10)


def test_nystroem_with_all_rows_is_exact_and_with_some_is_near():
    table = rng.uniform(-2, 2, size=(400, 2))
    target = np.sin(2 * table[:, 0]) * table[:, 1]
    w = rng.integers(0, 3, 400).astype(float)
    exact = KernelRidge(0.1, kernel=RBF(0.5)).fit(table, target, w)
    every = KernelRidge(0.1, kernel=RBF(0.5), solver="nystroem", n_centers=400).fit(
        table, target, w
    )
    np.testing.assert_allclose(every.predict(table), exact.predict(table), atol=1e-4)
    some = KernelRidge(0.1, kernel=RBF(0.5), solver="nystroem", n_centers=60, random_state=0).fit(
        table, target
    )
    assert some.X_fit_.shape[0] <= 60
    assert some.score(table, target) > 0.99
    assert 1 <= some.n_iter_ < 100


def test_gamma_is_chosen_by_a_grid():
    search = GridSearchCV(KernelRidge(0.1, kernel="rbf"), {"gamma": [1e-3, 0.5, 1e3]}, cv=3)
    search.fit(X, np.sin(2 * X[:, 0]))
    assert search.best_params_["gamma"] == 0.5


def test_a_kernel_is_stored_in_a_model_file(tmp_path):
    model = KernelRidge(kernel=0.5 * RBF(0.3) + Linear()).fit(X, y)
    save(model, tmp_path / "model.gram")
    again = load(tmp_path / "model.gram")
    assert again.kernel == again.kernel_ == model.kernel
    np.testing.assert_array_equal(again.predict(Z), model.predict(Z))


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (ParameterError, "gamma must be", lambda: KernelRidge(kernel="rbf", gamma=0).fit(X, y)),
        (ParameterError, "gamma must be", lambda: KernelRidge(kernel="rbf", gamma=-1.0).fit(X, y)),
        (DataError, "square", lambda: KernelRidge(kernel="precomputed").fit(X, y)),
        (DataError, "NaN", lambda: KernelRidge(kernel=lambda a, b: np.nan).fit(X, y)),
        (DataError, "zero", lambda: KernelRidge().fit(X, y, np.zeros(60))),
        (ParameterError, "one per target", lambda: KernelRidge([1.0, 2.0]).fit(X, y)),
        (ParameterError, ">= 0", lambda: KernelRidge([-1.0]).fit(X, y)),
        (ParameterError, "must contain numbers", lambda: KernelRidge(["one"]).fit(X, y)),
        (ParameterError, "primal", lambda: KernelRidge(kernel="rbf", solver="primal").fit(X, y)),
        (
            ParameterError,
            "nystroem",
            lambda: KernelRidge(kernel="precomputed", solver="nystroem").fit(RBF()(X), y),
        ),
        (DataError, "columns|features", lambda: KernelRidge().fit(X, y).predict(X[:, :2])),
    ],
)
def test_bad_input(error, words, call):
    with pytest.raises(error, match=words):
        call()


def test_features_that_overflow_are_refused():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(DataError, match="so large"):
        KernelRidge(kernel="poly", solver="primal").fit(X[:, :4] * 1e102, y)
    model = KernelRidge(kernel="poly", solver="primal").fit(X[:, :4], y)
    with pytest.raises(DataError, match="so large"):
        model.predict(X[:, :4] * 1e120)
