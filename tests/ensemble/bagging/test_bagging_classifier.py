"""Bagging of classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from gramian import (
    BaggingClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    ObliqueTreeClassifier,
)
from tests.ensemble.problems import spirals


@pytest.mark.slow
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


def test_learners_without_sample_weight_get_repeated_rows(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(KNeighborsClassifier(1), random_state=0).fit(X, y)
    rows = model.estimators_samples_[0]
    assert model.estimators_[0].n_samples_fit_ == len(rows)
    assert model.score(X, y) > 0.95


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


def test_decision_functions_of_members_are_averaged():
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    model = BaggingClassifier(LogisticRegression(), n_estimators=4, random_state=0).fit(X, y)
    scores = np.mean([m.decision_function(X) for m in model], axis=0)
    assert_allclose(model.decision_function(X), scores)
    assert not hasattr(BaggingClassifier().fit(X, y), "decision_function")


def test_warm_start_without_new_members_warns():
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    model = BaggingClassifier(n_estimators=2, warm_start=True, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="without increasing n_estimators"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="only available if warm_start=False"):
        BaggingClassifier(warm_start=True, oob_score=True).fit(X, y)
