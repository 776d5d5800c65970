"""Bagging, and what averaging does to variance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from gramian import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeRegressor,
    KNeighborsClassifier,
    ObliqueTreeClassifier,
    Ridge,
    average_variance,
    distinct_fraction,
    measured_variance,
)


def test_a_bootstrap_sample_holds_two_thirds_of_the_rows(rng):
    """1 - 1/e = 63.2 %; for n = 10 it is 65.1 %."""
    assert distinct_fraction(10) == pytest.approx(0.651, abs=5e-4)
    assert distinct_fraction(10**7) == pytest.approx(1 - 1 / np.e, abs=1e-6)
    X = rng.normal(size=(1000, 2))
    model = BaggingRegressor(Ridge(), n_estimators=30, random_state=0).fit(X, X[:, 0])
    shares = [len(np.unique(rows)) / 1000 for rows in model.estimators_samples_]
    assert np.mean(shares) == pytest.approx(distinct_fraction(1000), abs=0.005)
    assert all(len(rows) == 1000 for rows in model.estimators_samples_)
    with pytest.raises(ValueError, match="n must be"):
        distinct_fraction(0)


def spirals(n, seed):
    """Four interleaved arms."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.3, 1.6 * np.pi, size=(4, n))
    turn = angle + np.pi / 2 * np.arange(4)[:, None]
    X = np.stack([angle * np.cos(turn), angle * np.sin(turn)], axis=-1).reshape(-1, 2)
    return X + 0.12 * rng.normal(size=X.shape), np.repeat(np.arange(4), n)


@pytest.mark.parametrize("shape", ["linear", "quadratic"])
def test_forests_of_lines_and_conics_follow_spirals(shape):
    """Options of a forest: depth 4 or 12, the best of 1, 5 or 20 random lines or conics."""
    X, y = spirals(70, 0)
    Q, truth = spirals(200, 1)
    for n_candidates in (1, 5, 20):
        found = {}
        for depth in (4, 12):
            tree = ObliqueTreeClassifier(
                split="random",
                n_candidates=n_candidates,
                shape=shape,
                axis_parallel=False,
                max_depth=depth,
            )
            forest = BaggingClassifier(tree, n_estimators=6, random_state=0).fit(X, y)
            found[depth] = forest.score(Q, truth)
        assert found[12] > 0.93
        if shape == "linear":  # four conics follow the arms, four lines cannot
            assert found[12] > found[4] + 0.05


def test_counts_are_weights(rng):
    """A member fitted to counts equals one fitted to the rows drawn."""
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + rng.normal(size=200)
    model = BaggingRegressor(Ridge(), n_estimators=3, random_state=0).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert_allclose(member.coef_, Ridge().fit(X[rows], y[rows]).coef_, rtol=1e-8)


def test_learners_without_weights_get_the_rows(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(KNeighborsClassifier(1), random_state=0).fit(X, y)
    rows = model.estimators_samples_[0]
    assert model.estimators_[0].n_samples_fit_ == len(rows)
    assert model.score(X, y) > 0.95


def test_out_of_bag_rows_judge_as_new_rows_do():
    X, y = load_diabetes(return_X_y=True)
    model = BaggingRegressor(n_estimators=100, oob_score=True, random_state=0)
    model.fit(X[:300], y[:300])
    assert model.oob_score_ == pytest.approx(model.score(X[300:], y[300:]), abs=0.12)
    assert model.oob_score_ < model.score(X[:300], y[:300]) - 0.2
    X, y = load_breast_cancer(return_X_y=True)
    classifier = BaggingClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    assert 0.92 < classifier.oob_score_ < 0.99
    assert classifier.oob_decision_function_.shape == (len(X), 2)


def test_averaging_lowers_the_error_of_trees(rng):
    X = rng.uniform(size=(400, 1))
    y = np.sin(6 * X[:, 0]) + 0.5 * rng.normal(size=400)
    grid = np.linspace(0, 1, 200)[:, None]
    truth = np.sin(6 * grid[:, 0])
    one = DecisionTreeRegressor().fit(X, y).predict(grid)
    many = BaggingRegressor(n_estimators=50, random_state=0).fit(X, y).predict(grid)
    assert np.mean((many - truth) ** 2) < 0.7 * np.mean((one - truth) ** 2)


def test_columns_are_drawn_too(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(max_features=0.3, n_estimators=20, random_state=0).fit(X, y)
    assert {len(c) for c in model.estimators_features_} == {9}
    assert model.score(X, y) > 0.95
    with pytest.raises(ValueError, match="max_features must be at most 30"):
        BaggingClassifier(max_features=31).fit(X, y)


def test_disjoint_draws_and_their_limits(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(bootstrap=False, max_samples=0.5, random_state=0).fit(X, y)
    assert all(len(np.unique(rows)) == len(X) // 2 for rows in model.estimators_samples_)
    with pytest.raises(ValueError, match="at most n_samples"):
        BaggingClassifier(bootstrap=False, max_samples=600).fit(X, y)
    with pytest.raises(ValueError, match="bootstrap=True"):
        BaggingClassifier(bootstrap=False, oob_score=True).fit(X, y)


def test_a_warm_start_adds_members_and_jobs_change_nothing():
    X, y = load_breast_cancer(return_X_y=True)
    whole = BaggingClassifier(n_estimators=8, random_state=0).fit(X, y)
    parts = BaggingClassifier(n_estimators=3, random_state=0, warm_start=True).fit(X, y)
    parts.set_params(n_estimators=8).fit(X, y)
    side_by_side = BaggingClassifier(n_estimators=8, random_state=0, n_jobs=2).fit(X, y)
    assert_array_equal(whole.predict_proba(X), parts.predict_proba(X))
    assert_array_equal(whole.predict_proba(X), side_by_side.predict_proba(X))
    with pytest.raises(ValueError, match="n_estimators=2"):
        parts.set_params(n_estimators=2).fit(X, y)


def test_an_ensemble_of_networks_averages_posteriors():
    """Bagging and other initial weights: the mean of T softmax outputs."""
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    net = MLPClassifier((8,), max_iter=2000, solver="lbfgs", tol=1e-2)
    model = BaggingClassifier(net, n_estimators=5, random_state=0)
    model.fit(X[:300], y[:300])
    seeds = {member.random_state for member in model.estimators_}
    assert len(seeds) == 5
    mean = np.mean([m.predict_proba(X[300:]) for m in model.estimators_], axis=0)
    assert_allclose(model.predict_proba(X[300:]), mean)
    assert model.score(X[300:], y[300:]) > 0.93


# --- variance -----------------------------------------------------------------------------------


def test_what_members_have_in_common_stays():
    assert average_variance(4.0, 0.0, 4) == 1
    assert average_variance(4.0, 1.0, 4) == 4
    assert average_variance(4.0, 0.25, 10**9) == pytest.approx(1)
    with pytest.raises(ValueError, match="correlation"):
        average_variance(1.0, 2.0, 3)


def test_the_variance_of_bagged_trees_is_that_of_the_formula(rng):
    """Trees on 60 training sets: measured variance of the mean against r s^2 + (1 - r) s^2 / T."""
    grid = np.linspace(0, 1, 20)[:, None]
    answers = []
    for number in range(60):
        X = rng.uniform(size=(80, 1))
        y = np.sin(6 * X[:, 0]) + 0.3 * rng.normal(size=80)
        model = BaggingRegressor(n_estimators=8, random_state=number).fit(X, y)
        answers.append([member.predict(grid) for member in model.estimators_])
    report = measured_variance(answers)
    assert 0 < report.correlation < 1
    assert report.average == pytest.approx(report.expected, rel=1e-9)
    assert report.average < report.member
    with pytest.raises(ValueError, match="shape"):
        measured_variance(np.zeros((3, 4)))
