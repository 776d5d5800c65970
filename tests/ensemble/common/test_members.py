"""Members of an ensemble: cloned from a learner, seeded, fitted."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from gramian import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    GradientBoostingRegressor,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LinearRegression,
    Ridge,
    VotingRegressor,
)
from gramian.base.errors import DataError, ParameterError
from gramian.ensemble.common.members import (
    fit_member,
    fit_weighted,
    posterior_of,
    prefixed_errors,
    seeded_clone,
    takes_weights,
)


def test_only_random_states_of_none_are_set_even_in_pipelines():
    free = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    member = seeded_clone(free, 2**32 + 7)
    assert member.get_params()["decisiontreeclassifier__random_state"] == 7
    assert free.get_params()["decisiontreeclassifier__random_state"] is None
    assert seeded_clone(DecisionTreeClassifier(random_state=3), 7).random_state == 3
    assert seeded_clone(LinearRegression(), 7).get_params() == LinearRegression().get_params()


def test_integer_weights_are_repeated_rows_for_a_learner_without_weights(rng):
    X, y = rng.normal(size=(20, 2)), rng.normal(size=20)
    w = rng.integers(0, 3, size=20).astype(float)
    rows = np.repeat(np.arange(20), w.astype(int))
    assert takes_weights(Ridge())
    assert not takes_weights(KNeighborsRegressor())
    for learner in (Ridge(), KNeighborsRegressor(1)):
        weighted = fit_weighted(seeded_clone(learner, 0), X, y, w).predict(X)
        repeated = seeded_clone(learner, 0).fit(X[rows], y[rows]).predict(X)
        assert_allclose(weighted, repeated, rtol=1e-8)


def test_classes_that_a_member_has_not_seen_have_probability_zero():
    X, classes = np.array([[0.0], [1.0]]), np.array(["a", "b", "c"])
    tree = DecisionTreeClassifier().fit(X, ["c", "a"])
    assert_array_equal(posterior_of(tree, X, classes), [[0, 0, 1], [1, 0, 0]])
    vote = LinearSVC().fit(X, ["c", "a"])  # without probabilities
    assert_array_equal(posterior_of(vote, X, classes), [[0, 0, 1], [1, 0, 0]])


def test_an_error_names_the_ensemble_and_the_member():
    words = r"^float: fitting the member Ridge failed: bad"
    with pytest.raises(DataError, match=words), prefixed_errors(1.0, Ridge()):
        raise ValueError("bad")
    with pytest.raises(KeyError), prefixed_errors(1.0, Ridge()):
        raise KeyError


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(KNeighborsClassifier(1)),
        GradientBoostingRegressor(estimator=KNeighborsRegressor(1)),
        VotingRegressor([("near", KNeighborsRegressor(1))]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_learners_without_sample_weight_give_the_same_error(model):
    words = rf"{type(model).__name__}: the learner KNeighbors\w+ does not support sample_weight; "
    with pytest.raises(ParameterError, match=words):
        model.fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=[1, 2, 3])


def test_weights_are_passed_to_members(rng):
    X, y, w = rng.normal(size=(20, 2)), rng.normal(size=20), rng.random(20)
    for weights in (None, w):
        found = fit_member(1.0, Ridge(), X, y, weights)
        assert_array_equal(found.coef_, Ridge().fit(X, y, weights).coef_)
    assert not np.allclose(Ridge().fit(X, y).coef_, Ridge().fit(X, y, w).coef_)
    with pytest.raises(DataError, match=r"^float: fitting the member Ridge failed: "):
        fit_member(1.0, Ridge(), X, y[:5], None)
