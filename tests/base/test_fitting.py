"""Whatever ends a fit early, the object is as it was; the methods keep their signatures."""

import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import TransformerMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

import gramian
from gramian.base.fitting import FITTING, guard_fits, unchanged_on_error, without_guard
from gramian.base.kinds import Estimator
from tests.contract.kinds import Axes

X = np.random.default_rng(0).normal(size=(60, 3))
TWO = np.array(["old1", "old2"])[np.arange(60) % 2]
THREE = np.array(["new1", "new2", "new3"])[np.arange(60) % 3]


class Half(Estimator):
    """Sets one of two attributes, and the other only if it may."""

    def fit(self, X, error=None):
        """Set both."""
        self.first_ = X
        if error is not None:
            raise error
        self.second_ = X
        return self

    @available_if(lambda self: True)
    def partial_fit(self, X, error=None):
        """Set both."""
        return self.fit(X, error)


ERRORS = [KeyboardInterrupt(), ValueError("bad rows"), MemoryError(), SystemExit()]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_an_error_leaves_the_object_as_it_was(method, error):
    model = Half()
    with pytest.raises(type(error)):
        getattr(model, method)(1, error)
    assert vars(model) == {}
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    model.fit(1)
    with pytest.raises(type(error)):
        getattr(model, method)(2, error=error)
    assert vars(model) == {"first_": 1, "second_": 1}
    assert vars(model.partial_fit(3)) == {"first_": 3, "second_": 3}


def test_subclasses_of_users_are_guarded_too():
    class Longer(Half):
        def fit(self, X, error=None):
            super().fit(X)
            if error is not None:
                raise error
            self.third_ = X
            return self

    model = Longer().fit(1)
    with pytest.raises(KeyboardInterrupt):
        model.fit(2, KeyboardInterrupt())
    assert vars(model) == {"first_": 1, "second_": 1, "third_": 1}


def test_methods_of_mixins_are_guarded_once_and_by_the_outermost_function():
    assert without_guard(Axes.fit_transform) is TransformerMixin.fit_transform
    for name in FITTING:
        method = inspect.getattr_static(gramian.PCA, name, None)
        if method is not None:
            assert without_guard(method) is not method
            guard_fits(gramian.PCA, inherited=True)
            assert inspect.getattr_static(gramian.PCA, name) is method


@pytest.mark.parametrize("cls", [gramian.Ridge, gramian.PCA, gramian.KMeans, gramian.SVC])
def test_fit_has_one_guard(cls):
    layers, method = [], cls.fit
    while hasattr(method, "__wrapped__"):
        layers.append(without_guard(method) is not method)
        method = method.__wrapped__
    assert layers[0]
    assert sum(layers) == 1


def test_names_signatures_and_pickles_match_the_method():
    assert Half.fit.__name__ == "fit"
    assert Half.fit.__doc__ == "Set both."
    assert list(inspect.signature(Half.fit).parameters) == ["self", "X", "error"]
    assert list(inspect.signature(Half().partial_fit).parameters) == ["X", "error"]
    model = Half().fit(1)
    assert vars(pickle.loads(pickle.dumps(model)))["second_"] == 1
    assert vars(clone(model)) == {}


def test_functions_that_fit_can_be_guarded():
    @unchanged_on_error
    def fit_both(model, X):
        model.first_ = X
        raise KeyboardInterrupt

    model = Half().fit(1)
    with pytest.raises(KeyboardInterrupt):
        fit_both(model, 2)
    assert model.first_ == 1


CLASSIFIERS = [
    gramian.MLPClassifier(max_iter=3, random_state=0),
    gramian.SVC(),
    gramian.RandomForestClassifier(3, random_state=0),
    gramian.LogisticRegression(),
    gramian.HistGradientBoostingClassifier(max_iter=3),
    gramian.GradientBoostingClassifier(n_estimators=3),
    gramian.AdaBoostClassifier(n_estimators=3),
    gramian.VotingClassifier([("nb", gramian.GaussianNB()), ("tree", gramian.C45Classifier())]),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_a_refused_second_fit_leaves_the_classes_of_the_first(model):
    """Bad weights are found after the classes."""
    model = clone(model).fit(X, TWO)
    before = model.predict(X)
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(X[:, :2], THREE, sample_weight=np.full(60, -1.0))
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(model.predict(X), before)


class Stops:
    """A callback that asks to stop, or raises."""

    def __init__(self, error=None):
        self.error = error

    def setup(self, estimator, context):
        """Do nothing."""

    def teardown(self, estimator, context):
        """Do nothing."""

    def on_fit_task_begin(self, estimator, context):
        """Do nothing."""

    def on_fit_task_end(self, estimator, context):
        """Stop."""
        if self.error is not None:
            raise self.error
        return True


def test_a_callback_that_stops_keeps_the_model_and_one_that_raises_does_not():
    model = gramian.KMeans(2, n_init=1, random_state=0).set_callbacks(Stops())
    centers = model.fit(X).cluster_centers_
    model.set_callbacks(Stops(RuntimeError("no disk")))
    with pytest.raises(RuntimeError, match="no disk"):
        model.fit(X[:, :2])
    assert model.cluster_centers_ is centers
    assert model.n_features_in_ == 3
