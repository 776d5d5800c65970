"""AdaBoost for classification."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as sk
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import gramian
from gramian import (
    AdaBoostClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    HistGradientBoostingClassifier,
)
from gramian.ensemble import vote_weight
from tests.ensemble.problems import sphere


class Contrarian(DecisionStump):
    """Predicts the opposite of the best stump."""

    def predict(self, X):
        best = super().predict(X)
        return np.where(best == self.classes_[0], self.classes_[1], self.classes_[0])


class BarelyGoodTree(DecisionTreeClassifier):
    """The shortest tree whose weighted training error is below 45%."""

    def fit(self, X, y, sample_weight=None):
        for depth in range(1, 20):
            self.max_depth = depth
            super().fit(X, y, sample_weight)
            self.error_ = 1 - self.score(X, y, sample_weight)
            if self.error_ < 0.45:
                break
        return self


def test_vote_and_weights_for_an_error_of_one_quarter():
    """err = 1/4: beta = 0.549306, factors sqrt 3 and 1 / sqrt 3, bound factor 0.866025."""
    beta = vote_weight(0.25)
    assert beta == pytest.approx(0.549306, abs=5e-7)
    assert math.exp(beta) == pytest.approx(math.sqrt(3))
    assert math.exp(-beta) == pytest.approx(1 / math.sqrt(3))
    model = AdaBoostClassifier(n_estimators=1).fit([[1.0], [2], [3], [4]], [-1, 1, 1, -1])
    assert model.estimator_errors_[0] == pytest.approx(0.25)
    assert model.estimator_weights_[0] / 2 == pytest.approx(beta)
    assert model.training_bound_[0] == pytest.approx(0.866025, abs=5e-7)
    # The misclassified row then has half of the weight.
    assert sorted(model.final_sample_weight_) == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_a_learner_without_error_decides_alone(rng):
    X = rng.normal(size=(50, 2))
    model = AdaBoostClassifier().fit(X, X[:, 1] > 0)
    assert len(model.estimators_) == 1
    assert model.estimator_errors_.tolist() == [0]
    assert_array_equal(model.predict(X), X[:, 1] > 0)


def test_learner_worse_than_chance_stops_or_flips(rng):
    X, y = sphere(300, 0)
    with pytest.raises(ValueError, match="worse than random"):
        AdaBoostClassifier(Contrarian()).fit(X, y)
    flipped = AdaBoostClassifier(Contrarian(), worse_than_chance="flip", n_estimators=10)
    plain = AdaBoostClassifier(n_estimators=10).fit(X, y)
    flipped.fit(X, y)
    assert (flipped.estimator_errors_ > 0.5).all()
    assert_allclose(flipped.estimator_weights_, -plain.estimator_weights_, rtol=1e-9)
    assert_array_equal(flipped.predict(X), plain.predict(X))


def test_flipped_learner_that_is_always_wrong_decides_alone():
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    model = AdaBoostClassifier(Contrarian(), worse_than_chance="flip").fit(X, y)
    assert_array_equal(model.estimator_weights_, [-np.inf])
    assert_array_equal(model.predict(X), y)
    assert_array_equal(model.predict_proba(X), np.eye(2)[y])


def test_scores_of_flipped_learners_agree_with_predict():
    X, y = sphere(300, 0)
    model = AdaBoostClassifier(Contrarian(), worse_than_chance="flip", n_estimators=10).fit(X, y)
    score = model.decision_function(X)
    assert_array_equal(model.classes_[(score > 0).astype(int)], model.predict(X))


def test_uninformative_learner_ends_the_iterations():
    """Constant columns: the stump has error 1/2 and no vote."""
    model = AdaBoostClassifier().fit(np.ones((10, 2)), [0, 1] * 5)
    assert len(model.estimators_) == 1
    assert model.predict([[1.0, 1.0]]) == [0]
    assert_array_equal(model.feature_importances_, [0, 0])


def test_boosting_makes_weak_stumps_strong():
    """The figure of the book: 46% error of a stump, 5.8% after 400; more than 25 beat a tree.

    Stumps that vote for a class reach 11% (as in scikit-learn); the book's number is that of
    stumps with real-valued outputs, which minimise the same exponential loss.
    """
    X, y = sphere(2000, 1)
    Q, truth = sphere(10_000, 2)
    votes = AdaBoostClassifier(n_estimators=400).fit(X, y)
    errors = [np.mean(p != truth) for p in votes.staged_predict(Q)]
    assert errors[0] == pytest.approx(0.46, abs=0.02)
    assert errors[-1] == pytest.approx(0.11, abs=0.02)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    of_tree = np.mean(tree.predict(Q) != truth)
    assert errors[60] < of_tree

    numbers = HistGradientBoostingClassifier(
        "exponential", max_leaf_nodes=2, learning_rate=1.0, max_iter=400, min_samples_leaf=1
    ).fit(X, y)
    errors = [np.mean(p != truth) for p in numbers.staged_predict(Q)]
    assert errors[0] == pytest.approx(0.46, abs=0.02)
    assert errors[25] < of_tree
    assert errors[-1] == pytest.approx(0.058, abs=0.01)


def test_the_training_error_stays_below_its_bound():
    X, y = sphere(500, 3)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    errors = np.array([np.mean(p != y) for p in model.staged_predict(X)])
    losses = np.array(list(model.staged_exponential_loss(X, y)))
    assert_allclose(losses, model.training_bound_, rtol=1e-9)
    assert (errors <= losses).all()
    assert (np.diff(losses) < 0).all()


def test_probabilities_follow_from_the_votes():
    """P(1 | x) = 1 / (1 + exp(-2 M(x)))."""
    X, y = sphere(500, 4)
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    beta = model.estimator_weights_ / 2
    M = sum(b * e.predict(X) for b, e in zip(beta, model.estimators_, strict=True))
    assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * M)), rtol=1e-9)
    *_, last = model.staged_predict_proba(X)
    assert_allclose(last, model.predict_proba(X))


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_stumps_agree_with_scikit_learn(load):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)  # scikit-learn's trees see no more
    ours = AdaBoostClassifier(n_estimators=20).fit(X, y)
    theirs = sk.AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_boosting_makes_trees_with_45_percent_error_strong():
    X, y = sphere(600, 9)
    model = AdaBoostClassifier(BarelyGoodTree(), n_estimators=60).fit(X, y)
    assert (model.estimator_errors_ < 0.45).all()
    depths = [tree.max_depth for tree in model.estimators_]
    assert min(depths) == 1
    assert max(depths) <= 5
    assert model.score(X, y) > 0.9


def test_sampling_draw_is_adaboost_m1():
    """Freund and Schapire 1996: vote log(1 / beta), right rows times beta, error below 1/2."""
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), sampling="draw", n_estimators=30, random_state=0
    ).fit(X, y)
    p = np.full(len(y), 1 / len(y))
    score = np.zeros((len(y), 3))
    for learner, vote, error in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, strict=True
    ):
        predicted = learner.predict(X)
        expected = p[predicted != y].sum()
        beta = expected / (1 - expected)
        assert error == pytest.approx(expected, rel=1e-9)
        assert expected < 0.5
        assert vote == pytest.approx(np.log(1 / beta), rel=1e-9)
        p = np.where(predicted == y, p * beta, p)
        p /= p.sum()
        score[np.arange(len(y)), predicted] += np.log(1 / beta)
    assert 2 <= len(model.estimators_) < 30  # a learner with error above 1/2 ended the iterations
    assert_array_equal(model.predict(X), score.argmax(axis=1))


def test_m1_rejects_learners_with_error_one_half():
    X, y = np.arange(9.0)[:, None], np.repeat([0, 1, 2], 3)
    blind = DecisionTreeClassifier(max_depth=1)
    same = np.zeros_like(X)
    with pytest.raises(ValueError, match=r"1/2.*sampling='weights'"):
        AdaBoostClassifier(blind, sampling="draw", random_state=0).fit(same, y)
    assert len(AdaBoostClassifier(blind).fit(X, y).estimators_) > 1


def test_features_that_the_stumps_use_are_a_subset(rng):
    X = rng.normal(size=(500, 20))
    y = X[:, 3] + 0.5 * X[:, 11] > 0
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    assert model.feature_counts_.sum() == 10
    assert set(np.flatnonzero(model.feature_counts_)) == {3, 11}
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_votes_whose_exponential_overflows():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    w = np.where(np.arange(12) % 3 == 0, 1e300, 1.0)
    model = gramian.AdaBoostClassifier(learning_rate=3.8, n_estimators=6).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
