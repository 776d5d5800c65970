"""Metadata goes to those who ask for it, and only where scikit-learn's routing is on."""

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.model_selection import GroupKFold

import gramian
from gramian.base.errors import ParameterError
from gramian.base.routing import for_rows, is_routing, routed

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
LABELS = (Y > 0).astype(int)
GROUPS = np.arange(60) % 6
TAGS = np.arange(60.0)


class Witness(ClassifierMixin, BaseEstimator):
    """A classifier that notes what it was given beside rows."""

    seen: list = []  # noqa: RUF012 - shared with copies

    def fit(self, X, y, sample_weight=None, tags=None):
        self.seen.append(("fit", len(y), sample_weight, tags))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X, tags=None):
        self.seen.append(("predict_proba", len(X), None, tags))
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def decision_function(self, X, tags=None):
        self.seen.append(("decision_function", len(X), None, tags))
        return np.zeros(len(X))


@pytest.fixture
def routing():
    Witness.seen.clear()
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def asking():
    """A member that asks for tags, but for no weights."""
    wants = Witness().set_fit_request(tags=True, sample_weight=False)
    return wants.set_predict_proba_request(tags=True).set_decision_function_request(tags=True)


META = [
    lambda member: gramian.BaggingClassifier(member, n_estimators=2, random_state=0),
    lambda member: gramian.VotingClassifier([("one", member), ("other", member)]),
    gramian.OneVsRestClassifier,
    gramian.OneVsOneClassifier,
    gramian.ClassifierChain,
]


@pytest.mark.parametrize("make", META)
def test_members_get_what_they_request(make, routing):
    make(asking()).fit(X, LABELS, tags=TAGS)
    assert Witness.seen
    for method, n, _, tags in Witness.seen:
        assert method == "fit"
        assert len(tags) == n
        assert set(tags) <= set(TAGS)


def test_bags_are_weights_only_for_members_that_request_them(routing):
    gramian.BaggingClassifier(asking(), n_estimators=2, random_state=0).fit(X, LABELS, tags=TAGS)
    assert [(n, weights) for _, n, weights, _ in Witness.seen] == [(60, None)] * 2


@pytest.mark.parametrize("make", META)
def test_without_routing_they_get_nothing_else(make):
    with pytest.raises(ParameterError, match="Passing extra keyword arguments"):
        make(Witness()).fit(X, LABELS, tags=TAGS)


def test_unrequested_metadata_is_refused(routing):
    with pytest.raises(TypeError, match="unexpected argument"):
        gramian.BaggingClassifier(asking()).fit(X, LABELS, colours=TAGS)


def test_weights_go_to_the_voters_that_request_them(routing):
    takes = Witness().set_fit_request(sample_weight=True)
    voters = [("takes", takes), ("refuses", asking())]
    gramian.VotingClassifier(voters).fit(X, LABELS, sample_weight=np.ones(60))
    assert [weights is None for _, _, weights, _ in Witness.seen] == [False, True]


def test_bagging_passes_arguments_on_when_it_predicts(routing):
    model = gramian.BaggingClassifier(asking(), n_estimators=2).fit(X, LABELS, tags=TAGS)
    Witness.seen.clear()
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        getattr(model, method)(X, tags=TAGS)
    assert [len(tags) for _, _, _, tags in Witness.seen] == [60] * 8
    assert {method for method, *_ in Witness.seen} == {"predict_proba", "decision_function"}


def test_bagged_regressors_pass_arguments_on(routing):
    class Mean(gramian.Ridge):
        def predict(self, X, shift=0.0):
            return super().predict(X) + shift

    member = Mean().set_predict_request(shift=True)
    model = gramian.BaggingRegressor(member, n_estimators=3, random_state=0).fit(X, Y)
    np.testing.assert_allclose(model.predict(X, shift=2.0), model.predict(X, shift=0.0) + 2.0)


@pytest.mark.parametrize(
    "model",
    [
        gramian.ElasticNetCV(cv=GroupKFold(3)),
        gramian.LassoCV(cv=GroupKFold(3)),
        gramian.LogisticRegressionCV(Cs=2, cv=GroupKFold(3)),
        gramian.RidgeCV(cv=GroupKFold(3)),
        gramian.RidgeClassifierCV(cv=GroupKFold(3)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_groups_reach_the_splitter(model, routing):
    y = LABELS if is_classifier(model) else Y
    by_groups = model.fit(X, y, groups=GROUPS)
    found = by_groups.coef_.copy()
    splits = list(GroupKFold(3).split(X, y, GROUPS))
    np.testing.assert_array_equal(found, model.set_params(cv=splits).fit(X, y).coef_)
    with sklearn.config_context(enable_metadata_routing=False), pytest.raises(ParameterError):
        model.fit(X, y, groups=GROUPS)


def test_rows_of_arguments():
    cut = for_rows({"tags": TAGS, "depth": 3, "name": "abc"}, np.array([4, 4, 7]), 60)
    assert cut["tags"].tolist() == [4.0, 4.0, 7.0]
    assert cut["depth"] == 3
    assert cut["name"] == "abc"


def test_nothing_given_is_nothing_passed_on():
    assert not is_routing()
    assert routed(gramian.RidgeCV(), "fit", {}).splitter["split"] == {}
