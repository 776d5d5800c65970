"""Which solver a problem gets, from its shape."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_info

from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.linear_model.glm.solver_choice import has_converged, solver_for, warn_unless_converged
from gramian.solvers import LBFGS
from gramian.solvers.solver import Result, Trace
from tests.linear_model.glm.logistic_data import binary, several
from tests.linear_model.glm.shapes import shaped


def chosen(*shape, **kind):
    return solver_for(shaped(*shape, **kind), "auto", tol=1e-4, max_iter=100, seed=None)


@pytest.mark.parametrize(
    ("shape", "solver"),
    [
        ((200, 20), "Newton"),  # small
        ((5000, 20), "Newton"),
        ((150, 4, 3), "Newton"),
        ((100_000, 10), "SubsampledNewton"),  # tall
        ((500_000, 20), "SubsampledNewton"),
        ((20_000, 40), "SubsampledNewton"),
        ((20_000, 16, 26), "SubsampledNewton"),  # many classes, tall
        ((60_000, 100, 10), "SubsampledNewton"),
        ((1000, 100), "PreconditionedLBFGS"),  # neither
        ((20_000, 300), "PreconditionedLBFGS"),
        ((1000, 1000), "PreconditionedLBFGS"),  # square
        ((500, 20, 10), "PreconditionedLBFGS"),  # a Hessian of 210 unknowns for 500 rows
        ((3000, 30, 100), "PreconditionedLBFGS"),
        ((1000, 3000), "DualCoordinate"),  # wide
    ],
)
def test_the_shape_determines_the_solver(shape, solver):
    assert type(chosen(*shape)).__name__ == solver


def test_wide_sparse_rows_use_the_dual():
    assert type(chosen(500, 300, sparse=True)).__name__ == "DualCoordinate"
    assert type(chosen(500, 100, sparse=True)).__name__ != "DualCoordinate"


def test_plain_steps_come_first_if_a_preconditioner_is_expensive():
    """A Gram matrix of 1000 columns costs hundreds of passes, one of 100 columns four."""
    assert chosen(1000, 1000).plain > 0
    assert chosen(1000, 100).plain == 0
    assert chosen(1000, 1000, 10).plain > 0
    assert chosen(2000, 100, 10).plain == 0


@pytest.mark.parametrize("shape", [(300, 300), (60, 400), (400, 80)])
@pytest.mark.parametrize("classes", [2, 4])
def test_automatic_and_plain_solvers_find_the_same_minimum(shape, classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) * np.exp(rng.normal(size=shape[1]))
    Z = X @ rng.normal(size=(shape[1], classes)) / 10
    y = (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)
    auto = LogisticRegression(tol=1e-7, max_iter=1000).fit(X, y)
    plain = LogisticRegression(tol=1e-7, max_iter=10_000, solver="lbfgs").fit(X, y)
    assert auto.objective_ == pytest.approx(plain.objective_, rel=1e-9)
    np.testing.assert_allclose(auto.coef_, plain.coef_, atol=1e-4)


def test_blas_has_one_thread_while_a_fit_alternates_with_it(monkeypatch):
    seen = []
    minimize = LBFGS._iterates

    def watched(self, problem, x):
        seen.append({lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"})
        return minimize(self, problem, x)

    monkeypatch.setattr(LBFGS, "_iterates", watched)
    before = [lib["num_threads"] for lib in threadpool_info()]
    X = np.random.default_rng(0).normal(size=(1000, 200))
    LogisticRegression().fit(X, (X[:, 0] > 0).astype(int))
    assert seen
    assert all(threads == {1} for threads in seen)
    assert [lib["num_threads"] for lib in threadpool_info()] == before


def test_many_rows_start_with_a_sample_and_reach_the_same_minimum():
    X, y = binary(60_000, 5)
    model = LogisticRegression(tol=1e-9).fit(X, y)
    plain = LogisticRegression(tol=1e-9, solver="newton-cholesky").fit(X, y)
    assert (model.solver_, plain.solver_) == ("SubsampledNewton", "Newton")
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-7)


@pytest.mark.parametrize("d", [60, 300])
def test_many_classes_and_columns_use_a_preconditioner(d):
    X, y = several(3000, d, 6)
    X = X * np.logspace(0, 1.5, d)  # hard for a metric that knows no scale
    model = LogisticRegression(C=1e-3, tol=1e-5).fit(X, y)
    plain = LogisticRegression(C=1e-3, tol=1e-5, solver="lbfgs", max_iter=1000).fit(X, y)
    assert model.solver_ == "PreconditionedLBFGS"
    assert model.n_iter_[0] < plain.n_iter_[0]
    assert model.objective_ == pytest.approx(plain.objective_, rel=1e-9)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_with_many_columns(index, dtype, rng):
    X = sp.random_array((300, 2500), density=0.02, rng=rng, format="csr", dtype=dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    y = (X @ rng.normal(size=2500) > 0).astype(int)
    model = LogisticRegression(tol=1e-6, C=10).fit(X, y)
    dense = LogisticRegression(tol=1e-6, C=10).fit(X.toarray(), y)
    assert model.solver_ == "DualCoordinate"
    assert model.coef_.dtype == dtype
    assert model.objective_ == pytest.approx(dense.objective_, rel=1e-7)
    products = LogisticRegression(tol=1e-6, C=10, solver="newton-cg").fit(X, y)
    assert products.objective_ == pytest.approx(dense.objective_, rel=1e-7)


def test_a_sample_of_all_rows_is_each_row_once():
    """A sample with repeated rows was separable, and its preconditioner was bad."""
    X, y = load_digits(return_X_y=True)
    spread = X.std(axis=0)
    model = LogisticRegression().fit((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), y)
    assert model.solver_ == "PreconditionedLBFGS"
    assert model.objective_ <= 113.49


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_columns_too_large_to_square_are_refused(solver):
    X, y = binary()
    with pytest.raises(DataError, match=r"LogisticRegression: .* scale the columns"):
        LogisticRegression(solver=solver).fit(X * 1e160, y)


@pytest.mark.parametrize("solver", ["liblinear", "sag", "saga"])
@pytest.mark.parametrize("shape", [(200, 4), (20, 300)])
def test_solvers_of_scikit_learn_mean_the_automatic_one(solver, shape):
    X, y = binary(*shape)
    theirs = {"dual": False, "intercept_scaling": 1, "verbose": 0}
    model = LogisticRegression(solver=solver, **theirs).fit(X, y)
    auto = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(model.coef_, auto.coef_)
    chunked = LogisticRegression(solver=solver).fit_chunks([(X, y)])
    assert chunked.solver_ == LogisticRegression().fit_chunks([(X, y)]).solver_


def test_columns_too_large_to_square_are_refused_with_many_classes_too():
    """More than 600 unknowns and many rows: a sample, and a preconditioner along the scores."""
    X, y = several(n=9000, d=100, classes=10)
    assert LogisticRegression(tol=1e-2).fit(X, y).solver_ == "SubsampledNewton"
    with pytest.raises(DataError, match="scale the columns"):
        LogisticRegression().fit(X * 1e160, y)


def test_a_run_that_diverged_has_not_converged():
    path = Trace(np.array([1.0, np.nan]), np.array([1.0, np.inf]), None)
    result = Result(np.zeros(1), 1.0, 1e-12, 1, False, "diverged", path)
    assert not has_converged(result)
    with pytest.warns(ConvergenceWarning, match=r"Owner: .* Scale the columns"):
        warn_unless_converged("Owner", [result])


def test_a_reference_class_has_no_single_rows():
    X = np.arange(30.0).reshape(10, 3)
    model = LogisticRegression(solver="sgd", multi_class="reference")
    with pytest.raises(ValueError, match=r"^LogisticRegression: solver='sgd' visits single rows"):
        model.fit(X, np.arange(10) % 3)
