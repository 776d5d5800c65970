"""gramian's class goes first; what it declines, scikit-learn's class does."""

import numpy as np
import pytest
import sklearn
import sklearn.cluster
import sklearn.ensemble
import sklearn.linear_model
import sklearn.manifold
import sklearn.naive_bayes
import sklearn.neighbors
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

import gramian
from gramian.accelerate.dispatch import as_replacement, fitted_by_gramian, gramian_view


def taxicab(a, b):
    return np.abs(a - b).sum()


def reasons(method="fit"):
    rows = gramian.accelerate.report()
    found = [row for row in rows if row.where == "scikit-learn" and row.method == method]
    return [why for row in found for why in row.reasons]


def test_gramians_class_fits_and_predicts(accelerated, table):
    X, y = table
    model = sklearn.naive_bayes.GaussianNB().fit(X, y)
    assert fitted_by_gramian(model)
    assert_array_equal(model.predict(X), gramian.GaussianNB().fit(X, y).predict(X))
    assert {row.where for row in gramian.accelerate.report()} == {"gramian"}


def test_both_views_share_their_attributes(accelerated, table):
    X, y = table
    model = sklearn.naive_bayes.GaussianNB().fit(X, y)
    ours = gramian_view(model)
    assert type(ours) is gramian.GaussianNB
    assert ours.theta_ is model.theta_
    assert fitted_by_gramian(as_replacement(gramian.GaussianNB().fit(X, y), type(model)))


def test_arrays_of_other_libraries_stay_with_scikit_learn(accelerated, table):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    X, y = table
    with sklearn.config_context(array_api_dispatch=True):
        model = sklearn.naive_bayes.GaussianNB().fit(torch.asarray(X), torch.asarray(y))
    assert not fitted_by_gramian(model)
    assert reasons() == ["scikit-learn returns arrays of X's library"]


def test_errors_match_scikit_learn(accelerated):
    with pytest.raises(ValueError, match="The 'n_clusters' parameter of KMeans must be") as caught:
        sklearn.cluster.KMeans(n_clusters=-1).fit([[0.0]])
    assert type(caught.value).__name__ == "InvalidParameterError"
    assert "left this call to scikit-learn" in caught.value.__notes__[0]


def test_a_parameter_that_only_they_have(accelerated, table):
    X, y = table
    model = sklearn.linear_model.LogisticRegression(penalty="l2")
    with pytest.warns(FutureWarning, match="penalty"):
        model.fit(X, y)
    assert not fitted_by_gramian(model)
    assert reasons() == ["gramian's class has no parameter penalty"]


def test_after_a_fallback_the_object_is_as_scikit_learn_leaves_it(accelerated, table):
    X, y = table
    model = sklearn.linear_model.LogisticRegression(penalty="l2")
    expected = type(model).sklearn_class(penalty="l2")
    for each in (model, expected):
        with pytest.warns(FutureWarning, match="penalty"):
            each.fit(X, y)
    assert vars(model).keys() - {"_accelerate"} == vars(expected).keys()
    assert_allclose(model.coef_, expected.coef_)


def test_a_fit_that_fails_leaves_the_earlier_one(accelerated, table):
    X, y = table
    model = sklearn.naive_bayes.MultinomialNB().fit(np.abs(X), y)
    before = model.predict(np.abs(X))
    with pytest.raises(ValueError, match="Negative values"):
        model.fit(X, y)
    assert fitted_by_gramian(model)
    assert_array_equal(model.predict(np.abs(X)), before)


def test_a_refit_removes_attributes_of_the_other_class(accelerated, table, monkeypatch):
    X, y = table
    model = sklearn.ensemble.RandomForestClassifier(3, random_state=0).fit(X, y)
    assert "forest_" in vars(model)

    def refuse(self, *args, **kwargs):
        self.half_done_ = True
        self.random_state.random_sample(5)
        raise ValueError("not today")

    with monkeypatch.context() as patch:
        patch.setattr(gramian.RandomForestClassifier, "fit", refuse)
        drawn = np.random.RandomState(1)
        model.set_params(random_state=drawn).fit(X, y)
    assert not fitted_by_gramian(model)
    assert reasons() == ["ValueError: not today"]
    assert not {"forest_", "half_done_"} & vars(model).keys()
    expected = type(model).sklearn_class(3, random_state=np.random.RandomState(1)).fit(X, y)
    assert_array_equal(model.predict_proba(X), expected.predict_proba(X))  # the draws were put back
    model.fit(X, y)
    assert fitted_by_gramian(model)
    assert "estimators_" not in vars(model)


def test_a_fit_that_scikit_learn_began_is_continued_by_it(accelerated, table):
    X, y = table
    with gramian.accelerate():
        model = sklearn.naive_bayes.GaussianNB()
        type(model).sklearn_class.fit(model, X[:60], y[:60])
    model.partial_fit(X[60:], y[60:])
    assert not fitted_by_gramian(model)
    assert model.class_count_.sum() == 120


def test_partial_fits_of_gramian_continue(accelerated, table):
    X, y = table
    model = sklearn.naive_bayes.GaussianNB().partial_fit(X[:60], y[:60], classes=[0, 1])
    model.partial_fit(X[60:], y[60:])
    assert fitted_by_gramian(model)
    assert model.class_count_.sum() == 120
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], y)


def test_after_undo_scikit_learn_fits_and_fitted_models_still_predict(table):
    X, y = table
    with gramian.accelerate():
        model = sklearn.naive_bayes.GaussianNB().fit(X, y)
        before = model.predict(X)
    assert fitted_by_gramian(model)
    assert_array_equal(model.predict(X), before)
    model.fit(X, y)
    assert not fitted_by_gramian(model)
    assert_array_equal(model.predict(X), before)


def test_sparse_rows_stay_with_gramian(accelerated, table):
    X, y = table
    rows = csr_array(X)
    for model in (
        sklearn.ensemble.AdaBoostClassifier(n_estimators=2),
        sklearn.ensemble.BaggingClassifier(n_estimators=2),
        sklearn.ensemble.GradientBoostingClassifier(n_estimators=2),
    ):
        assert fitted_by_gramian(model.fit(rows, y))


def test_a_fitted_search_is_accepted_as_rows(accelerated, table):
    X, _ = table
    first = sklearn.neighbors.NearestNeighbors(n_neighbors=3).fit(X)
    second = sklearn.neighbors.NearestNeighbors(n_neighbors=4).fit(first)
    assert fitted_by_gramian(first)
    assert fitted_by_gramian(second)
    assert_array_equal(second.kneighbors(X)[1][:, :3], first.kneighbors(X)[1])
    embedded = sklearn.manifold.LocallyLinearEmbedding(n_neighbors=8).fit_transform(X)
    gramian.accelerate.undo()
    plain = sklearn.manifold.LocallyLinearEmbedding(n_neighbors=8).fit_transform(X)
    gramian.accelerate()
    assert_allclose(np.abs(embedded), np.abs(plain), atol=1e-6)


@pytest.mark.parametrize("by_gramian", [True, False])
def test_an_interrupted_fit_leaves_the_earlier_model(accelerated, table, monkeypatch, by_gramian):
    X, y = table
    model = sklearn.naive_bayes.GaussianNB().fit(X, y)
    before, answers = dict(vars(model)), model.predict(X)
    monkeypatch.setattr("gramian.accelerate.dispatch.undone", not by_gramian)
    kind, method = (
        (gramian.GaussianNB, "_set_model")
        if by_gramian
        else (type(model).sklearn_class, "_partial_fit")
    )
    monkeypatch.setattr(kind, method, _set_half)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:, :2], y)
    assert vars(model) == before
    assert_array_equal(model.predict(X), answers)


def _set_half(self, *args, **kwargs):
    self.classes_ = np.array(["new"])
    raise KeyboardInterrupt
