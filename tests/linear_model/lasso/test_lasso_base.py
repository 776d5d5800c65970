"""Lasso and elastic net: duality gaps, warm starts, callbacks, warnings."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from gramian import ElasticNetCV, Lasso
from tests.linear_model.lasso.lasso_data import problem, slow_problem


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


def test_warm_start_needs_fewer_cycles():
    X, y, _ = problem(5, 60, 200)
    cold = Lasso(0.05, tol=1e-10, warm_start=True, max_iter=100_000).fit(X, y)
    coef = cold.coef_.copy()
    assert cold.fit(X, y).n_iter_ <= 1
    np.testing.assert_allclose(cold.coef_, coef, atol=1e-8)


class Recorder:
    """Counts iterations, stores the coefficients, and may request to stop."""

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
    powers = np.hstack([X, X**2, X**3, -X, X**4, X**5, X + 1, X - 1])
    ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, alphas=5).set_callbacks(recorder).fit(powers, y)
    assert [name for name, _ in recorder.seen].count("path") == 6
    model = ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, alphas=5).set_callbacks(Recorder(stop=True))
    assert model.fit(X, y).mse_path_.shape == (1, 5, 3)
    assert model.l1_ratio_ == 0.5


def test_too_few_cycles_give_a_warning():
    X, y, _ = problem(8, 50, 30)
    with pytest.warns(ConvergenceWarning, match="duality gap is still"):
        Lasso(1e-4, tol=0.0, max_iter=1).fit(np.hstack([X, X]), y)
