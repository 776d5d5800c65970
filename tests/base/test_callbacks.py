"""Loops report to scikit-learn's callbacks and stop when they are asked to."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.exceptions import ConvergenceWarning

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


@pytest.mark.parametrize(
    ("model", "line"),
    [
        (gramian.BaggingClassifier(n_estimators=2), "BaggingClassifier: member 2\n"),
        (gramian.BayesianRidge(), "BayesianRidge: iteration 1\n"),
        (gramian.BisectingKMeans(3), "BisectingKMeans: bisection 2\n"),
        (gramian.ElasticNetCV(cv=3), "ElasticNetCV: l1_ratio = 0.5, paths of 3 folds\n"),
        (gramian.ExtraTreesRegressor(20), "ExtraTreesRegressor: batch of trees 2\n"),
        (gramian.Lars(), "Lars: path 1 of 1, 4 steps to alpha = "),
        (gramian.LassoCV(cv=3), "LassoCV: l1_ratio = 1, paths of 3 folds\n"),
        (gramian.LassoLars(0.01), " to alpha = 0.01, "),
        (gramian.LinearSVC(), "LinearSVC: class 1\n"),
        (gramian.LinearSVR(), " sweeps, largest violation = "),
        (gramian.LogisticRegression(), "LogisticRegression: iteration 1\n"),
        (gramian.LogisticRegressionCV(cv=3), "LogisticRegressionCV: fold 3 of 3\n"),
        (gramian.MLPClassifier(max_iter=2), "MLPClassifier: Iteration 2, loss = "),
        (gramian.MLPClassifier(solver="lbfgs", max_iter=2), "MLPClassifier: Iteration 2, loss = "),
        (gramian.MDS(2, n_init=1, max_iter=3), "MDS: iteration 2\n"),
        (gramian.NMF(2, max_iter=5000), "NMF: iteration 2\n"),
        (gramian.NuSVC(), "NuSVC: machine 1, "),
        (gramian.OneClassSVM(), "OneClassSVM: machine 1, "),
        (
            gramian.OneVsRestClassifier(gramian.LogisticRegression()),
            "OneVsRestClassifier: classifier 1 of 1\n",
        ),
        (gramian.Perceptron(), "Perceptron: epoch 1, mean loss = "),
        (gramian.Perceptron(method="batch"), "Perceptron: class 1\n"),
        (gramian.PoissonRegressor(), "PoissonRegressor: iteration 1\n"),
        (gramian.SGDClassifier(), "SGDClassifier: class 1\n"),
        (gramian.SGDRegressor(), "SGDRegressor: epoch 2, mean loss = "),
        (gramian.SVC(), "SVC: machine 1, "),
        (gramian.SVR(), "SVR: machine 1, "),
    ],
    ids=lambda value: type(value).__name__,
)
def test_verbose_prints_a_line_for_each_iteration(model, line, capsys):
    rng = np.random.default_rng(0)
    X = rng.random((60, 4))
    y = (X[:, 0] > rng.random(60)).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        clone(model).fit(X, y)
        assert capsys.readouterr().out == ""
        clone(model).set_params(verbose=1).fit(X, y)
    assert line in capsys.readouterr().out
