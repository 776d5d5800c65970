"""Forest classifiers."""

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble

import gramian
from gramian.ensemble import (
    ExtraTreesClassifier,
    RandomForestClassifier,
)
from tests.tree.table import interactions, real

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_as_accurate_as_scikit_learn(data_folder, name) -> None:
    X, y = real(data_folder, "letterrecognition", "lettr")
    train, test = slice(0, 6000), slice(6000, 12000)
    ours = getattr(gramian, name)(60, random_state=0).fit(X[train], y[train])
    theirs = getattr(sklearn.ensemble, name)(60, random_state=0, n_jobs=2).fit(X[train], y[train])
    assert ours.score(X[test], y[test]) == pytest.approx(theirs.score(X[test], y[test]), abs=0.012)


def test_probabilities_stay_within_one() -> None:
    """The sum of 200 equal parts is above 1 by rounding where all trees agree."""
    X, _ = interactions(200, 6)
    labels = np.where(X[:, 0] > 0, "a", "b")
    shares = ExtraTreesClassifier(200, random_state=0).fit(X, labels).predict_proba(X)
    assert shares.max() == 1.0


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_categories_and_missing_values(kind) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"town": rng.choice(["A", "B", "C", "D"], 600), "size": rng.standard_normal(600)}
    )
    y = frame["town"].isin(["A", "C"]).to_numpy() ^ (frame["size"].to_numpy() > 1.5)
    frame.loc[::7, "size"] = np.nan
    model = kind(30, random_state=0, max_features=None).fit(frame, y)
    assert model.score(frame, y) > 0.95
    unseen = pd.DataFrame({"town": ["Z", None], "size": [0.0, np.nan]})
    assert model.predict_proba(unseen).sum(axis=1) == pytest.approx([1.0, 1.0])


def test_class_weights() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (950, 3)), rng.normal(1, 1, (50, 3))])
    y = np.repeat([0, 1], [950, 50])
    found = {
        weight: RandomForestClassifier(40, class_weight=weight, min_samples_leaf=5, random_state=0)
        .fit(X, y)
        .predict_proba(X)[:, 1]
        .mean()
        for weight in (None, "balanced", "balanced_subsample")
    }
    assert found["balanced"] > 2 * found[None]
    assert found["balanced_subsample"] > 2 * found[None]
