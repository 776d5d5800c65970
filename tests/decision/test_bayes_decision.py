"""Decisions of least expected cost, by any classifier's probabilities."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

import gramian
from gramian.base.errors import DataError
from gramian.decision import BayesDecision

MISS = np.array([[0.0, 10.0], [1.0, 0.0]])  # calling a true 1 a 0 costs 10


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(1200, 6, weights=[0.8], flip_y=0.15, random_state=3)
    return train_test_split(X, y, random_state=0, stratify=y)


@pytest.fixture(scope="module")
def fitted(data):
    return LogisticRegression().fit(data[0], data[2])


def test_without_costs_predictions_equal_the_classifiers(data, fitted):
    X = data[1]
    decision = BayesDecision(fitted).fit(data[0], data[2])
    assert_array_equal(decision.predict(X), fitted.predict(X))
    assert_array_equal(decision.predict_proba(X), fitted.predict_proba(X))
    assert decision.score(X, data[3]) == pytest.approx(fitted.score(X, data[3]))
    assert decision.mean_cost(X, data[3]) == pytest.approx(1 - fitted.score(X, data[3]))


def test_a_fitted_classifier_needs_no_second_fit(data, fitted):
    assert BayesDecision(fitted).decide(data[1]).shape == (len(data[1]),)


def test_costs_shift_the_threshold_of_the_posterior(data, fitted):
    """Threshold a / (a + b) of two-class costs (Elkan 2001)."""
    chosen = BayesDecision(fitted, costs=MISS).decide(data[1])
    assert_array_equal(chosen, fitted.predict_proba(data[1])[:, 1] > 1 / 11)


def test_decisions_by_costs_cost_less(data, fitted):
    X, y = data[1], data[3]
    minding = BayesDecision(fitted, costs=MISS).mean_cost(X, y)
    blind = MISS[fitted.predict(X), y].mean()
    assert minding < blind


def test_actions_need_not_be_classes(data, fitted):
    costs = [[0, 20], [5, 1], [1, 3]]
    names = ["send home", "treat", "test again"]
    decision = BayesDecision(fitted, costs=costs, actions=names)
    predicted = decision.predict(data[1])
    assert set(predicted) == set(names)
    assert_array_equal(predicted, np.array(names)[decision.decide(data[1])])
    assert_array_equal(
        BayesDecision(fitted, costs=costs).predict(data[1]), decision.decide(data[1])
    )
    assert decision.conditional_risk(data[1]).shape == (len(data[1]), 3)
    with pytest.raises(ValueError, match=r"no action is a class.*mean_cost"):
        decision.score(data[1], data[3])


def test_every_row_may_have_its_own_costs(data, fitted):
    X, y = data[1], data[3]
    amount = np.random.default_rng(0).uniform(1, 50, size=len(X))
    costs = np.zeros((len(X), 2, 2))
    costs[:, 0, 1], costs[:, 1, 0] = amount, 3.0
    decision = BayesDecision(fitted)
    P = fitted.predict_proba(X)[:, 1]
    assert_array_equal(decision.decide(X, costs), amount * P > 3 * (1 - P))
    paid = costs[np.arange(len(X)), decision.decide(X, costs), y]
    assert decision.mean_cost(X, y, costs) == pytest.approx(paid.mean())
    same = np.tile(MISS, (len(X), 1, 1))
    assert_array_equal(decision.decide(X, same), BayesDecision(fitted, costs=MISS).decide(X))


def test_rejections_get_their_label_and_cost(data, fitted):
    X, y = data[1], data[3]
    decision = BayesDecision(fitted, reject=0.1)
    chosen, predicted = decision.decide(X), decision.predict(X)
    unsure = fitted.predict_proba(X).max(axis=1) < 0.9
    assert 0 < unsure.mean() < 1
    assert_array_equal(chosen == -1, unsure)
    assert_array_equal(predicted == "reject", unsure)
    assert predicted.dtype == object
    assert set(predicted[~unsure]) <= {0, 1}
    paid = np.where(unsure, 0.1, fitted.predict(X) != y)
    assert decision.mean_cost(X, y) == pytest.approx(paid.mean())
    numbers = BayesDecision(fitted, reject=0.1, reject_label=-1).predict(X)
    assert numbers.dtype.kind == "i"
    assert decision.score(X, y) == np.mean(~unsure & (fitted.predict(X) == y))


@pytest.mark.parametrize(("reject", "answer"), [(0.4, "reject"), (0.5, "a")])
def test_worked_number_t34(reject, answer):
    """Posterior (0.55, 0.45) is rejected at cost 0.4 and answered at 0.5."""
    y = np.repeat(["a", "b"], [11, 9])
    prior = DummyClassifier(strategy="prior").fit(np.zeros((20, 1)), y)
    assert BayesDecision(prior, reject=reject).predict([[0.0]])[0] == answer


def test_prior_only_baseline():
    """P(Y = y_j | x) = n_j / N for all x; costs alone then decide."""
    y = np.repeat([0, 1], [80, 20])
    prior = DummyClassifier(strategy="prior").fit(np.zeros((100, 1)), y)
    assert_allclose(prior.predict_proba([[5.0]]), [[0.8, 0.2]])
    assert BayesDecision(prior).predict([[5.0]])[0] == 0
    assert BayesDecision(prior, costs=[[0, 5], [1, 0]]).predict([[5.0]])[0] == 1


def test_scores_are_calibrated_where_there_are_no_probabilities(data):
    X, X_new, y, y_new = data
    decision = BayesDecision(LinearSVC(), costs=MISS, cv=3).fit(X, y)
    assert_allclose(decision.predict_proba(X_new).sum(axis=1), 1)
    blind = MISS[LinearSVC().fit(X, y).predict(X_new), y_new].mean()
    assert decision.mean_cost(X_new, y_new) < blind


def test_calibration_corrects_overconfident_probabilities():
    """Ten copies of one column make naive Bayes' log odds ten times too great.

    Classes N(-1, 1) and N(1, 1) have log odds 2 x, so the best rule for these costs says 1 above
    x = -log(10) / 2 = -1.15; naive Bayes on the copies says it above -0.115 only.
    """
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=4000)
    X = np.repeat(rng.normal(2.0 * y - 1)[:, None], 10, axis=1)
    X, X_new, y, y_new = train_test_split(X, y, random_state=0)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    as_it_is = BayesDecision(GaussianNB(), costs=MISS, cv=None).fit(X, y)
    calibrated = BayesDecision(GaussianNB(), costs=MISS, cv=cv).fit(X, y)
    best = MISS[(X_new[:, 0] > -np.log(10) / 2).astype(int), y_new].mean()
    assert as_it_is.mean_cost(X_new, y_new) > 1.3 * best
    assert calibrated.mean_cost(X_new, y_new) < 1.1 * best


def test_few_rows_are_calibrated_by_a_sigmoid_and_many_by_steps(data):
    X, y = data[0], data[2]
    few = BayesDecision(GaussianNB(), cv=2).fit(X, y)
    many = BayesDecision(GaussianNB(), cv=2).fit(np.tile(X, (2, 1)), np.tile(y, 2))
    asked = BayesDecision(GaussianNB(), cv=2, calibration="temperature").fit(X, y)
    methods = [decision.estimator_.method for decision in (few, many, asked)]
    assert methods == ["sigmoid", "isotonic", "temperature"]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # their checks fit tiny data on purpose
def test_scikit_learn_accepts_a_calibrated_decision():
    """Beside the catalogue, whose estimators can be written to a model file."""
    checks = check_estimator(BayesDecision(GaussianNB(), cv=3), on_fail=None, on_skip=None)
    assert [check["check_name"] for check in checks if check["status"] == "failed"] == []


def test_it_works_in_cross_validation_with_the_classifiers_input():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"colour": ["red", "blue"] * 20})
    y = np.array(["yes", "no"] * 20)
    model = make_pipeline(OneHotEncoder(), LogisticRegression())
    decision = BayesDecision(model, cv=None)
    assert cross_val_score(decision, table, y, cv=4).tolist() == [1, 1, 1, 1]
    assert decision.fit(table, y).predict(table[:2]).tolist() == ["yes", "no"]


def test_an_unfitted_copy_of_a_prefit_classifier_raises(data, fitted):
    X, y = data[0], data[2]
    with pytest.raises(NotFittedError, match="FrozenEstimator, or set cv=None"):
        BayesDecision(LogisticRegression()).decide(X)
    frozen = BayesDecision(FrozenEstimator(fitted))
    assert len(cross_val_score(frozen, X, y, cv=2)) == 2


@pytest.mark.parametrize(
    ("parameters", "phrase"),
    [
        ({"costs": np.ones((2, 3))}, r"costs must have shape \(actions, 2\)"),
        ({"costs": np.ones((2, 2, 2))}, r"got shape \(2, 2, 2\)"),
        ({"actions": ["one"]}, "actions must name each of the 2 actions"),
        ({"reject": -1.0}, "reject must be a number >= 0"),
        ({"cv": 1}, "cv must be 'prefit' or an integer >= 2, a splitter or an iterable"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(data, fitted, parameters, phrase):
    with pytest.raises(ValueError, match=phrase):
        BayesDecision(fitted, **parameters).fit(data[0], data[2])


def test_other_bad_input_is_refused(data, fitted):
    X, y = data[0], data[2]
    with pytest.raises(ValueError, match=r"LinearSVC has none. Set cv=5 to calibrate"):
        BayesDecision(LinearSVC(), cv=None).fit(X, y)
    with pytest.raises(ValueError, match=r"or \(900, actions, 2\).*got shape \(3, 2, 2\)"):
        BayesDecision(fitted).decide(X, np.ones((3, 2, 2)))
    with pytest.raises(ValueError, match=r"labels from \[0, 1\]; .*unknown labels \[7\]"):
        BayesDecision(fitted).mean_cost(X[:1], [7])
    with pytest.raises(ValueError, match="y has 2 rows but X has 1"):
        BayesDecision(fitted).mean_cost(X[:1], [0, 1])


def test_probabilities_that_do_not_sum_to_one_are_refused(data):
    class Unfair(LogisticRegression):
        def predict_proba(self, X):
            return 0.7 * super().predict_proba(X)

    with pytest.raises(ValueError, match=r"BayesDecision: every row of proba must .* sum 0.7"):
        BayesDecision(Unfair().fit(data[0], data[2])).decide(data[1])


def test_a_decision_can_be_saved(tmp_path, data):
    X, y = data[0], data[2]
    model = gramian.KNeighborsClassifier(7).fit(X, y)
    decision = BayesDecision(model, costs=MISS, reject=0.4).fit(X, y)
    copy = gramian.load(gramian.save(decision, tmp_path / "decision.gram"))
    assert_array_equal(copy.decide(data[1]), decision.decide(data[1]))


def test_a_missing_class_is_refused_by_score():
    model = BayesDecision(GaussianNB(), cv=None).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    with pytest.raises(DataError, match="y must contain classes; got a missing value"):
        model.score([[0.0], [1.0]], pd.Series([0, pd.NA], dtype=object))
