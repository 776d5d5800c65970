"""Loops report to scikit-learn's callbacks and stop when they are asked to."""

import numpy as np
import pytest
from sklearn.callback import ProgressBar

import gramian


class Recorder:
    """Keeps the names of the tasks that ended."""

    def __init__(self, stop_after=None):
        self.ended = []
        self.stop_after = stop_after

    def setup(self, estimator, context):
        self.ended.append("setup")

    def teardown(self, estimator, context):
        self.ended.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, X=None, fitted_estimator=None):
        self.ended.append(context.task_name)
        if fitted_estimator is not None:
            assert fitted_estimator.predict(X).shape == (len(X),)
        return self.ended.count("iteration") == self.stop_after


@pytest.fixture
def X(rng):
    return rng.normal(size=(400, 3))


def test_every_iteration_is_reported(X):
    recorder = Recorder()
    model = gramian.KMeans(5, n_init=1, random_state=0).set_callbacks(recorder).fit(X)
    assert recorder.ended.count("iteration") == model.n_iter_
    assert recorder.ended[0] == "setup"
    assert recorder.ended[-2:] == ["fit", "teardown"]


def test_a_callback_ends_the_loop_and_the_model_is_whole(X):
    model = gramian.KMeans(5, n_init=1, random_state=0).set_callbacks(Recorder(stop_after=3)).fit(X)
    assert model.n_iter_ == 3
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_callbacks_do_not_change_the_answer(X):
    plain = gramian.KMeans(5, random_state=0).fit(X)
    watched = gramian.KMeans(5, random_state=0).set_callbacks(Recorder()).fit(X)
    np.testing.assert_array_equal(plain.cluster_centers_, watched.cluster_centers_)


def test_early_stopping_waits_for_its_patience(X):
    full = gramian.KMeans(20, n_init=1, random_state=0, tol=0).fit(X)
    stopper = gramian.EarlyStopping(X[:100], patience=2, tol=1e9)
    early = gramian.KMeans(20, n_init=1, random_state=0, tol=0).set_callbacks(stopper).fit(X)
    assert early.n_iter_ == 3 < full.n_iter_  # the first is the best, two more are allowed


def test_a_time_budget_ends_the_loop(X):
    model = gramian.KMeans(5, n_init=1, random_state=0).set_callbacks(gramian.TimeBudget(0)).fit(X)
    assert model.n_iter_ == 1
    unhurried = (
        gramian.KMeans(5, n_init=1, random_state=0).set_callbacks(gramian.TimeBudget(3600)).fit(X)
    )
    assert unhurried.n_iter_ == gramian.KMeans(5, n_init=1, random_state=0).fit(X).n_iter_


def test_scikit_learns_progress_bar_works(X, capsys):
    pytest.importorskip("rich")
    gramian.KMeans(5, n_init=2, random_state=0).set_callbacks(ProgressBar()).fit(X)
    assert "KMeans" in capsys.readouterr().out
