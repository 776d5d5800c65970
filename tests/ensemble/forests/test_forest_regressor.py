"""Forest regressors."""

import numpy as np
import pytest
import sklearn.ensemble

import gramian
from gramian.ensemble import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from tests.tree.table import interactions, real


@pytest.mark.slow
@pytest.mark.parametrize("name", ["RandomForestRegressor", "ExtraTreesRegressor"])
def test_as_good_as_scikit_learn_for_regression(data_folder, name) -> None:
    X, y = real(data_folder, "bostonhousing", "medv")
    scores = {library: [] for library in (gramian, sklearn.ensemble)}
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(X))
        train, test = order[:350], order[350:]
        for library, found in scores.items():
            model = getattr(library, name)(60, max_features=0.33, random_state=seed)
            found.append(model.fit(X[train], y[train]).score(X[test], y[test]))
    ours, theirs = (np.mean(s) for s in scores.values())
    assert ours == pytest.approx(theirs, abs=0.02)


def test_weights_are_repetitions_in_distribution() -> None:
    X, y = interactions(300, 6)
    w = np.random.default_rng(0).integers(0, 4, 300)
    rows = np.repeat(np.arange(300), w)
    weighted = RandomForestRegressor(400, max_samples=300, random_state=0)
    repeated = RandomForestRegressor(400, max_samples=300, random_state=1)
    a = weighted.fit(X, y, sample_weight=w).predict(X)
    b = repeated.fit(X[rows], y[rows]).predict(X)
    assert np.abs(a - b).mean() < 0.08 * np.std(y)


def test_several_outputs() -> None:
    X, y = interactions(300, 6)
    both = np.column_stack([y, -y])
    model = RandomForestRegressor(10, random_state=0, oob_score=True, n_jobs=1)
    with pytest.warns(UserWarning, match="OOB"):
        model.fit(X, both)
    np.testing.assert_allclose(model.predict(X)[:, 0], -model.predict(X)[:, 1])
    labels = np.column_stack([y > 0, np.digitize(y, [-1, 1])])
    shares = RandomForestClassifier(10, random_state=0).fit(X, labels).predict_proba(X)
    assert [p.shape for p in shares] == [(300, 2), (300, 3)]
