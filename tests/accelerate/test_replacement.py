"""A replacement is scikit-learn's class to whoever looks at it."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn.cluster
import sklearn.decomposition
import sklearn.ensemble
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.neighbors
import sklearn.svm
import sklearn.tree
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

import gramian
from gramian.accelerate import estimators
from gramian.accelerate.dispatch import fitted_by_gramian

WEIGHTS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
ORIGINAL = sklearn.ensemble.RandomForestClassifier.__mro__[0]


def test_it_is_of_scikit_learns_classes(accelerated):
    model = sklearn.ensemble.RandomForestClassifier(5)
    assert isinstance(model, ORIGINAL)
    assert isinstance(model, ClassifierMixin)
    assert isinstance(model, BaseEstimator)
    assert is_classifier(model)
    assert type(model) is sklearn.ensemble.RandomForestClassifier


def test_objects_of_the_original_are_of_the_replacement(accelerated):
    assert isinstance(ORIGINAL(), sklearn.ensemble.RandomForestClassifier)
    assert not isinstance(ORIGINAL(), sklearn.ensemble.ExtraTreesClassifier)
    assert issubclass(sklearn.linear_model.Lasso.sklearn_class, sklearn.linear_model.ElasticNet)


def test_signature_repr_and_clone_are_scikit_learns(accelerated):
    model = sklearn.ensemble.RandomForestClassifier(5, max_depth=3)
    assert repr(model) == "RandomForestClassifier(max_depth=3, n_estimators=5)"
    assert model.get_params() == ORIGINAL(5, max_depth=3).get_params()
    assert clone(model).get_params() == model.get_params()
    assert type(clone(model)) is type(model)
    assert has_fit_parameter(model, "sample_weight")


def test_fitted_attributes_and_feature_names(accelerated, table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = sklearn.linear_model.LogisticRegression().fit(frame, y)
    assert fitted_by_gramian(model)
    assert_array_equal(model.feature_names_in_, list("abcd"))
    assert model.coef_.shape == (1, 4)
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)


def test_changing_a_fitted_attribute_or_parameter_counts(accelerated, table):
    X, y = table
    model = sklearn.linear_model.LinearRegression().fit(X, y)
    model.coef_ = np.zeros(4)
    assert_allclose(model.predict(X), model.intercept_)
    near = sklearn.neighbors.KNeighborsClassifier(50).fit(X, y).set_params(n_neighbors=1)
    assert near.score(X, y) == 1


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_copies_predict_the_same(accelerated, table, copied):
    X, y = table
    model = sklearn.ensemble.RandomForestClassifier(5, random_state=0).fit(X, y)
    assert fitted_by_gramian(copied(model))
    assert_array_equal(copied(model).predict_proba(X), model.predict_proba(X))


@pytest.mark.slow
def test_a_pickle_loads_in_a_process_that_is_not_accelerated(accelerated, table, tmp_path):
    X, y = table
    model = sklearn.svm.SVC().fit(X, y)
    (tmp_path / "model").write_bytes(pickle.dumps((model, X, model.predict(X))))
    code = (
        "import pickle, sys; model, X, expected = pickle.load(open(sys.argv[1], 'rb'));"
        "import gramian; assert not gramian.accelerate.is_active();"
        "assert (model.predict(X) == expected).all()"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "model")]).returncode == 0


def test_a_pickle_of_scikit_learns_own_model_loads(accelerated, table):
    X, y = table
    model = pickle.loads(pickle.dumps(ORIGINAL(5, random_state=0).fit(X, y)))
    assert type(model) is ORIGINAL
    assert model.predict(X).shape == y.shape


def test_an_unfitted_model_says_so_as_scikit_learns(accelerated, table):
    X, _ = table
    with pytest.raises(NotFittedError, match="KMeans instance is not fitted"):
        sklearn.cluster.KMeans().predict(X)


def test_methods_of_a_condition_are_there_when_it_holds(accelerated, table):
    X, y = table
    hard = sklearn.linear_model.SGDClassifier(random_state=0)
    soft = sklearn.linear_model.SGDClassifier(loss="log_loss", random_state=0)
    assert not hasattr(hard, "predict_proba")
    assert not hasattr(hard.fit(X, y), "predict_proba")
    assert hasattr(soft, "predict_proba")
    assert soft.fit(X, y).predict_proba(X).shape == (120, 2)


def test_containers_and_members(accelerated, table):
    X, y = table
    forest = sklearn.ensemble.RandomForestClassifier(3, random_state=0).fit(X, y)
    assert len(forest.estimators_) == 3
    assert isinstance(forest.estimators_[0], sklearn.tree.DecisionTreeClassifier)
    assert forest.estimators_[0].predict(X).shape == y.shape


def test_output_is_set_and_names_are_given(accelerated, table):
    X, _ = table
    pca = sklearn.decomposition.PCA(2).set_output(transform="pandas")
    frame = pca.fit_transform(pd.DataFrame(X, columns=list("abcd")))
    assert list(frame.columns) == ["pca0", "pca1"]
    assert list(pca.transform(pd.DataFrame(X, columns=list("abcd"))).columns) == ["pca0", "pca1"]


class Louder(estimators.GaussianNB):
    """A user's class over a replaced one, which has a parameter of its own."""

    def __init__(self, words="", priors=None):
        self.words = words
        super().__init__(priors=priors)

    def predict(self, X):
        return super().predict(X) + 10


class Hooked(estimators.GaussianNB):
    """A user's class that overrides what scikit-learn's own methods call."""

    def predict_joint_log_proba(self, X):
        return -super().predict_joint_log_proba(X)


def test_a_subclass_uses_gramian(accelerated, table):
    X, y = table
    model = Louder("loud").fit(X, y)
    assert fitted_by_gramian(model)
    assert model.get_params() == {"words": "loud", "priors": None}
    assert set(model.predict(X)) == {10, 11}
    assert pickle.loads(pickle.dumps(model)).predict(X[:1]) == model.predict(X[:1])


class Strict(ClassifierMixin):
    """A mixin that comes behind the replaced class, and before scikit-learn's."""

    def score(self, X, y, sample_weight=None):
        return -1.0


class Mixed(estimators.GaussianNB, Strict):
    """A user's class whose score is that of the mixin."""


def test_a_mixin_behind_a_replaced_class_counts(accelerated, table):
    model = Mixed().fit(*table)
    assert fitted_by_gramian(model)
    assert model.score(*table) == -1


def test_methods_of_a_mixin_that_both_have_call_the_replaced_ones(accelerated, table):
    X, y = table
    gramian.accelerate.reset()
    sklearn.decomposition.IncrementalPCA(2).fit_transform(X)
    sklearn.naive_bayes.GaussianNB().fit(X, y).score(X, y)
    called = {(row.name, row.method) for row in gramian.accelerate.report()}
    assert called == {
        ("IncrementalPCA", "fit"),
        ("IncrementalPCA", "transform"),
        ("GaussianNB", "fit"),
        ("GaussianNB", "predict"),
    }


def test_a_subclass_that_overrides_more_is_left_to_scikit_learn(accelerated, table):
    X, y = table
    assert not fitted_by_gramian(Hooked().fit(X, y))


@pytest.mark.slow
@parametrize_with_checks(
    [
        estimators.BernoulliNB(),
        estimators.KMeans(3, n_init=1),
        estimators.PCA(),
        estimators.DecisionTreeRegressor(),
        estimators.NearestNeighbors(),
    ],
    expected_failed_checks=lambda e: (
        dict.fromkeys(WEIGHTS, "rows are drawn at random") if type(e).__name__ == "KMeans" else {}
    ),
)
def test_scikit_learns_checks_hold(estimator, check, accelerated):
    check(estimator)


def test_a_missing_attribute_error_names_the_objects_class(accelerated, table):
    class Own(sklearn.linear_model.LogisticRegression):
        pass

    fitted = Own().fit(*table)
    with pytest.raises(AttributeError, match="'Own' object has no attribute 'nothing_'"):
        fitted.nothing_  # noqa: B018


def test_metadata_requests_are_scikit_learns_or_the_subclasss_own(
    accelerated,
):
    class Extended(sklearn.linear_model.Ridge):
        def fit(self, X, y, sample_weight=None, note=None):
            return super().fit(X, y, sample_weight)

    with sklearn.config_context(enable_metadata_routing=True):
        model = sklearn.linear_model.Ridge().set_fit_request(sample_weight=True)
        assert model.get_metadata_routing().fit.requests == {"sample_weight": True}
        assert sklearn.linear_model.Ridge().get_metadata_routing().fit.requests == {
            "sample_weight": None
        }
        own = Extended().set_fit_request(note=True)
        assert own.get_metadata_routing().fit.requests == {"sample_weight": None, "note": True}
