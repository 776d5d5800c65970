"""Lasso and elastic net: KKT conditions, gaps, agreement, and what bad input does."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning

from gramian import (
    EarlyStopping,
    ElasticNet,
    ElasticNetCV,
    Lars,
    Lasso,
    LassoCV,
    LassoLars,
    LogisticRegressionCV,
    Ridge,
)
from gramian.linear_model import enet_path, lasso_path
from gramian.solvers import quadratic_program
from tests.linear_model.hard_tables import HARD, hard_table


def problem(seed, n, d, *, sparse=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2
    X = X * (rng.random((n, d)) < 0.3) if sparse else X
    y = X[:, : max(1, d // 4)].sum(axis=1) + rng.normal(size=n)
    return X, y, rng


def kkt_violation(model, X, y, weights, alpha, ratio):
    """By how much |c_j - l2 b_j| <= l1 is missed, or its equality where b_j is not 0."""
    v = np.ones(len(y)) if weights is None else weights
    v = v / v.sum()
    r = y - X @ model.coef_ - model.intercept_
    pull = (v * r) @ X - alpha * (1 - ratio) * model.coef_
    at = model.coef_ != 0
    inside = np.abs(pull[at] - alpha * ratio * np.sign(model.coef_[at]))
    outside = np.abs(pull[~at]) - alpha * ratio
    return max(inside.max(initial=0), outside.max(initial=0)), abs(v @ r)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 40),
    d=st.integers(1, 60),
    ratio=st.sampled_from([0.3, 1.0]),
    weighted=st.booleans(),
    sparse=st.booleans(),
    strength=st.floats(0.01, 0.9),
)
def test_the_conditions_of_karush_kuhn_and_tucker_hold(
    seed, n, d, ratio, weighted, sparse, strength
):
    X, y, rng = problem(seed, n, d, sparse=sparse)
    weights = rng.random(n) + 0.1 if weighted else None
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n + 1e-3
    model = ElasticNet(alpha, l1_ratio=ratio, tol=1e-12, max_iter=100_000)
    model.fit(sp.csr_array(X) if sparse else X, y, weights)
    violation, level = kkt_violation(model, X, y, weights, alpha, ratio)
    scale = 1 + np.abs(y).max()
    assert violation <= 1e-5 * scale
    assert level <= 1e-8 * scale


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(3, 30), d=st.integers(1, 60))
def test_the_gap_bounds_the_distance_to_the_minimum(seed, n, d):
    X, y, _ = problem(seed, n, d)

    def cost(model):
        r = y - X @ model.coef_ - model.intercept_
        return r @ r / (2 * n) + 0.1 * np.abs(model.coef_).sum()

    best = cost(Lasso(0.1, tol=1e-13, max_iter=100_000).fit(X, y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        rough = Lasso(0.1, tol=0.05, max_iter=2).fit(X, y)
    assert cost(rough) - best <= rough.dual_gap_ + 1e-12 * (1 + best)
    assert rough.dual_gap_ >= -1e-12 * (y @ y)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("n", "d"), [(200, 30), (40, 120)])
def test_agrees_with_scikit_learn(n, d, order, positive):
    X, y, rng = problem(0, n, d)
    X, weights = np.asarray(X, order=order), rng.random(n)
    ours = Lasso(0.05, tol=1e-12, positive=positive).fit(X, y, weights)
    theirs = peers.Lasso(0.05, tol=1e-12, max_iter=100_000, positive=positive)
    theirs.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)


def test_agrees_on_diabetes_and_the_path_has_its_non_zeros():
    X, y = load_diabetes(return_X_y=True)
    X, y = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, gaps = lasso_path(X, y, tol=1e-10, max_iter=10_000)
    _, theirs, _ = peers.lasso_path(X, y, alphas=alphas, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(coefs, theirs, atol=1e-3)
    counts = (coefs != 0).sum(axis=0)
    assert counts[0] == 0
    assert counts[-1] >= 8
    assert (gaps <= 1e-10 * (y @ y) / len(y)).all()


def gaps_anew(X, y, alphas, coefs, *, ratio, positive):
    """The duality gaps of a path, from the coefficients and every column."""
    n, gaps = len(y), []
    for alpha, c in zip(alphas, coefs.T, strict=True):
        l1, l2 = alpha * ratio, alpha * (1 - ratio)
        r = y - X @ c
        pull = X.T @ r / n - l2 * c
        s = min(1.0, l1 / max((pull if positive else np.abs(pull)).max(), 1e-300))
        squares = r @ r / n + l2 * c @ c
        dual = s * (y @ r) / n - s * s * squares / 2
        gaps.append(squares / 2 + l1 * np.abs(c).sum() - dual)
    return np.array(gaps)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_gaps_of_a_wide_path_are_those_of_all_columns(sparse, ratio, positive):
    """A column that did not matter at one alpha may matter a few alphas later."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1000))
    X[:, 1:] += 0.7 * X[:, :-1]
    X = sp.csc_array(X * (rng.random(X.shape) < 0.2)) if sparse else np.asfortranarray(X)
    y = X[:, ::50].sum(axis=1) + rng.normal(size=200)
    alphas, coefs, gaps = enet_path(
        X, y, l1_ratio=ratio, eps=0.1, alphas=150, positive=positive, tol=1e-8, max_iter=100_000
    )
    anew = gaps_anew(X, y, alphas, coefs, ratio=ratio, positive=positive)
    unit = y @ y / len(y)
    assert (anew <= 1e-8 * unit + 1e-12).all()
    np.testing.assert_allclose(gaps, anew, atol=1e-12 * unit)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_the_gaps_of_a_tall_path(ratio, positive):
    """Columns that come and go along the path: some are nearly the sum of two others."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 40))
    X[:, 20:] = X[:, :20] + X[:, 1:21] + 0.1 * rng.normal(size=(150, 20))
    y = X[:, ::3] @ rng.normal(size=14) + rng.normal(size=150)
    alphas, coefs, gaps = enet_path(
        X, y, l1_ratio=ratio, eps=1e-3, alphas=100, positive=positive, tol=1e-10, max_iter=10_000
    )
    anew, unit = gaps_anew(X, y, alphas, coefs, ratio=ratio, positive=positive), y @ y / len(y)
    assert (anew <= 1e-10 * unit).all()
    np.testing.assert_allclose(gaps, anew, atol=1e-12 * unit)
    leaving = (coefs[:, :-1] != 0) & (coefs[:, 1:] == 0)
    assert leaving.any()


def test_sparse_columns_many_times_wider_than_the_gram_matrix_allows():
    """Coordinate descent on columns takes over from the Gram matrix; the minimum is the same."""
    rng = np.random.default_rng(0)
    X = sp.random(800, 1500, 0.01, format="csc", random_state=0, data_rvs=rng.standard_normal)
    X = sp.csc_array(X)
    y = X @ rng.normal(size=1500) + 0.1 * rng.normal(size=800) + 3
    model = Lasso(1e-4, tol=1e-9, max_iter=100_000).fit(X, y)
    assert (model.coef_ != 0).sum() > 400
    violation, level = kkt_violation(model, X.toarray(), y, None, 1e-4, 1.0)
    assert violation <= 2e-6
    assert level <= 1e-10


def test_lasso_is_a_quadratic_program_in_split_variables():
    """RG-21: w = u - v, u, v >= 0; the l1 norm is linear there."""
    X, y, _ = problem(3, 30, 4)
    X, y = X - X.mean(axis=0), y - y.mean()
    n, d, alpha = 30, 4, 0.2
    split = np.hstack([X, -X])
    found = quadratic_program(
        split.T @ split / (2 * n),
        -split.T @ y / n + alpha,
        -np.eye(2 * d),
        np.zeros(2 * d),
    )
    w = found.x[:d] - found.x[d:]
    np.testing.assert_allclose(w, Lasso(alpha, tol=1e-14).fit(X, y).coef_, atol=1e-7)


def test_least_angle_path_meets_the_lasso_at_every_knot():
    X, y = load_diabetes(return_X_y=True)
    path = LassoLars(alpha=1e-3).fit(X, y)
    for alpha, coef in zip(path.alphas_[1:], path.coef_path_.T[1:], strict=True):
        np.testing.assert_allclose(Lasso(alpha, tol=1e-13).fit(X, y).coef_, coef, atol=1e-5)


def relative_gap(X, y, coef, alpha, *, positive):
    """The duality gap as a share of the objective at no column."""
    X, y = X - X.mean(axis=0), y - y.mean()
    r = y - X @ coef
    c = X.T @ r / len(y)
    feasible = r * min(1.0, alpha / np.max(c if positive else np.abs(c)))
    lowest = y @ y - (y - feasible) @ (y - feasible)
    return (r @ r + 2 * len(y) * alpha * np.abs(coef).sum() - lowest) / (y @ y)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("strength", [0.3, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("name", ["slow", *HARD])
def test_the_least_angle_path_ends_at_the_minimum(name, strength, positive):
    X, y = slow_problem() if name == "slow" else hard_table(name)
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    model = LassoLars(alpha, positive=positive).fit(X, y)  # without a warning
    assert relative_gap(X, y, model.coef_, alpha, positive=positive) < 1e-10


def test_a_path_that_ends_early_says_so():
    X, y = slow_problem()
    with pytest.warns(ConvergenceWarning, match="LassoLars: the path ended at .* raise max_iter"):
        LassoLars(1e-5, max_iter=20).fit(X, y)


def test_columns_that_reach_the_bound_together_enter_together():
    X = np.kron(np.eye(4), [[1.0], [-1.0]])
    model = LassoLars(0.125).fit(X, X.sum(axis=1))
    np.testing.assert_allclose(model.coef_, Lasso(0.125, tol=1e-14).fit(X, X.sum(axis=1)).coef_)
    assert model.n_iter_ == 1


def test_cross_validation_agrees_with_scikit_learn():
    X, y, _ = problem(1, 120, 15)
    ours, theirs = LassoCV(tol=1e-8).fit(X, y), peers.LassoCV(tol=1e-8, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_)
    wide = X[:30]
    ours = ElasticNetCV(l1_ratio=[0.4, 0.9], cv=3, alphas=20).fit(
        np.hstack([wide, wide**2, -(wide**3)]), y[:30]
    )
    assert ours.mse_path_.shape == (2, 20, 3)
    assert ours.l1_ratio_ in (0.4, 0.9)


def test_folds_may_be_masks():
    X, y, _ = problem(12, 60, 8)
    rows = np.split(np.arange(60), [10, 35])
    masks = [(~np.isin(np.arange(60), out), np.isin(np.arange(60), out)) for out in rows]
    numbers = [(np.flatnonzero(fit), np.flatnonzero(out)) for fit, out in masks]
    ours, theirs = LassoCV(cv=masks).fit(X, y), LassoCV(cv=numbers).fit(X, y)
    np.testing.assert_array_equal(ours.mse_path_, theirs.mse_path_)
    per_row = np.average(theirs.mse_path_, axis=1, weights=[10, 25, 25])
    assert ours.alpha_ == theirs.alpha_ == theirs.alphas_[per_row.argmin()]


def test_without_an_l1_part_it_is_ridge():
    X, y, rng = problem(2, 50, 5)
    weights = rng.random(50)
    ridge = Ridge(0.3 * weights.sum()).fit(X, y, weights)
    net = ElasticNet(0.3, l1_ratio=0.0).fit(X, y, weights)
    np.testing.assert_allclose(net.coef_, ridge.coef_, rtol=1e-8)


def test_warm_start_needs_fewer_cycles():
    X, y, _ = problem(5, 60, 200)
    cold = Lasso(0.05, tol=1e-10, warm_start=True, max_iter=100_000).fit(X, y)
    coef = cold.coef_.copy()
    assert cold.fit(X, y).n_iter_ <= 1
    np.testing.assert_allclose(cold.coef_, coef, atol=1e-8)


def test_duplicated_and_constant_columns():
    X, y, _ = problem(4, 50, 6)
    doubled = np.hstack([X, X, np.full((50, 1), 7.0)])
    once, twice = (
        Lasso(0.1, tol=1e-12).fit(X, y),
        Lasso(0.1, tol=1e-12, max_iter=10_000).fit(doubled, y),
    )
    assert twice.coef_[-1] == 0
    np.testing.assert_allclose(twice.coef_[:6] + twice.coef_[6:12], once.coef_, atol=1e-5)
    wide = np.hstack([doubled] * 8)
    model = Lasso(0.1, tol=1e-12, max_iter=10_000).fit(wide, y)
    np.testing.assert_allclose(model.predict(wide), once.predict(X), atol=1e-4)


def test_grids_out_of_order_and_negative():
    X, y, _ = problem(6, 20, 3)
    alphas, _, _ = lasso_path(X, y, alphas=[0.1, 1.0, 0.5])
    assert alphas.tolist() == [1.0, 0.5, 0.1]
    with pytest.raises(ValueError, match="alphas must hold finite numbers >= 0"):
        lasso_path(X, y, alphas=[0.1, -1.0])
    with pytest.raises(ValueError, match="alpha must be a number >= 0; got -1"):
        Lasso(-1.0).fit(X, y)
    with pytest.raises(ValueError, match="Give alphas"):
        enet_path(X, y, l1_ratio=0.0)


@pytest.mark.parametrize("make", [np.asarray, sp.csc_array])
@pytest.mark.parametrize("copies", [1, 8])
@pytest.mark.parametrize("model", [Lasso(), ElasticNetCV(cv=2)])
def test_columns_too_large_to_square_are_refused(model, copies, make):
    X, y, _ = problem(6, 20, 3)
    X = make(np.hstack([X] * copies) * 1e200)
    with pytest.raises(ValueError, match=rf"^{type(model).__name__}: X must .* Scale the columns"):
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"^enet_path: .* too large to be squared; scale them"):
        enet_path(X, y)


def test_one_row_and_a_penalty_that_keeps_nothing():
    assert Lasso(0.1).fit([[1.0, 2.0]], [3.0]).predict([[5.0, 5.0]]) == [3.0]
    X, y, _ = problem(7, 30, 10)
    model = Lasso(1e6).fit(X, y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(y.mean())
    assert model.sparse_coef_.nnz == 0


def test_columns_given_as_csc_are_read_as_they_are():
    X, y, _ = problem(9, 60, 90, sparse=True)
    ours = Lasso(0.05, tol=1e-10).fit(sp.csc_array(X), y)
    np.testing.assert_array_equal(ours.coef_, Lasso(0.05, tol=1e-10).fit(sp.csr_array(X), y).coef_)
    ridge = [ElasticNet(0.1, l1_ratio=0.0).fit(make(X), y) for make in (sp.csc_array, np.asarray)]
    np.testing.assert_allclose(ridge[0].coef_, ridge[1].coef_, atol=1e-8)
    folds = [LassoCV(cv=3, alphas=10).fit(make(X), y) for make in (sp.csc_array, sp.csr_array)]
    np.testing.assert_array_equal(folds[0].mse_path_, folds[1].mse_path_)
    X[17, 4] = np.nan
    with pytest.raises(ValueError, match="NaN \\(row 17, column 4\\)"):
        Lasso().fit(sp.csc_array(X), y)


class Recorder:
    """Counts turns, keeps the coefficients seen, and may ask to stop."""

    def __init__(self, *, stop=False):
        self.stop, self.seen = stop, []

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.seen.append((context.task_name, getattr(fitted_estimator, "coef_", None)))
        return self.stop and context.parent is not None


def slow_problem():
    """So many alike columns that coordinate descent takes hundreds of cycles."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1)) + 1e-2 * rng.normal(size=(60, 400))
    return X, X[:, ::3] @ rng.normal(size=134) + 0.1 * rng.normal(size=60)


def test_callbacks_watch_a_fit_and_may_stop_it():
    X, y = slow_problem()
    settings = {"alpha": 1e-5, "tol": 1e-12, "max_iter": 2000}
    plain, recorder = Lasso(**settings), Recorder()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        watched = Lasso(**settings).set_callbacks(recorder).fit(X, y)
        np.testing.assert_array_equal(plain.fit(X, y).coef_, watched.coef_)
    turns = [coef for name, coef in recorder.seen if name == "iteration"]
    np.testing.assert_array_equal(turns[-1], watched.coef_)
    assert plain.n_iter_ > 100
    assert len(turns) >= 2
    early = Lasso(**settings).set_callbacks(Recorder(stop=True)).fit(X, y)  # without a warning
    assert early.n_iter_ <= 101
    assert early.dual_gap_ > plain.dual_gap_


def test_callbacks_see_every_target_and_every_path():
    X, y, _ = problem(10, 40, 6)
    recorder = Recorder()
    Lasso(0.1).set_callbacks(recorder).fit(X, np.column_stack([y, -y]))
    shapes = [np.shape(coef) for name, coef in recorder.seen if name == "iteration"]
    assert shapes == [(2, 6), (2, 6)]
    recorder = Recorder()
    wide = np.hstack([X, X**2, X**3, -X, X**4, X**5, X + 1, X - 1])
    ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, alphas=5).set_callbacks(recorder).fit(wide, y)
    assert [name for name, _ in recorder.seen].count("path") == 6
    model = ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, alphas=5).set_callbacks(Recorder(stop=True))
    assert model.fit(X, y).mse_path_.shape == (1, 5, 3)
    assert model.l1_ratio_ == 0.5


@pytest.mark.parametrize("model", [Lasso(0.1), LassoCV(cv=3), LogisticRegressionCV(cv=3)])
def test_early_stopping_scores_models_only_where_there_are_any(model):
    X, y, _ = problem(11, 40, 3)
    target = y > y.mean() if isinstance(model, LogisticRegressionCV) else y
    scored = []

    def score(fitted, X, y):
        scored.append(np.shape(fitted.coef_)[-1])
        return fitted.score(X, y)

    watched = clone(model).set_callbacks(EarlyStopping(X, target, scoring=score, patience=1000))
    np.testing.assert_array_equal(watched.fit(X, target).coef_, clone(model).fit(X, target).coef_)
    assert set(scored) == ({3} if isinstance(model, Lasso) else set())


@pytest.mark.parametrize("model", [Lars(), LassoLars()])
def test_least_angles_say_what_to_do_about_sparse_columns(model):
    with pytest.raises(ValueError, match=r"sparse matrix\. Use Lasso or gramian"):
        model.fit(sp.csr_array(np.eye(4)), np.arange(4.0))


def test_too_few_cycles_are_told():
    X, y, _ = problem(8, 50, 30)
    with pytest.warns(ConvergenceWarning, match="duality gap is still"):
        Lasso(1e-4, tol=0.0, max_iter=1).fit(np.hstack([X, X]), y)
