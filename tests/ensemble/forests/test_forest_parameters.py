"""Parameters of the forests."""

import numpy as np
import pytest
from sklearn.base import clone

import gramian
from gramian.base.errors import ParameterError
from gramian.ensemble import (
    RandomForestRegressor,
)
from tests.tree.table import interactions


@pytest.mark.parametrize(("d", "m"), [(1, 1), (2, 1), (3, 1), (8, 2), (9, 3), (30, 10)])
def test_a_third_of_the_features_is_drawn_for_regression(d, m) -> None:
    """Worked number T27: m = d / 3 for regression."""
    X = np.random.default_rng(0).normal(size=(40, d))
    model = RandomForestRegressor(3, max_features="third", random_state=0).fit(X, X[:, 0])
    assert model.estimators_[0].max_features_ == m
    same = RandomForestRegressor(3, max_features=m, random_state=0).fit(X, X[:, 0])
    np.testing.assert_array_equal(model.predict(X), same.predict(X))


def test_binning_hardly_lowers_the_accuracy() -> None:
    X, y = interactions(4000, 8)
    other, truth = interactions(2000, 8, seed=1)
    exact = RandomForestRegressor(40, max_features=0.5, random_state=0).fit(X, y)
    binned = clone(exact).set_params(max_bins=255).fit(X, y)
    assert binned.score(other, truth) == pytest.approx(exact.score(other, truth), abs=0.01)
    cuts = binned.forest_.nodes["threshold"][binned.forest_.nodes["feature"] == 0]
    assert len(np.unique(cuts)) <= 254
    coarse = clone(exact).set_params(max_bins=2, n_estimators=5).fit(X, y)
    cuts = coarse.forest_.nodes["threshold"][coarse.forest_.nodes["feature"] == 0]
    assert np.unique(cuts) == pytest.approx([np.median(X[:, 0])], abs=0.01)
    # What a tree does with a row of the fit and what it predicts for it must not differ.
    lone = RandomForestRegressor(1, bootstrap=False, max_bins=16).fit(X, y)
    sizes = np.bincount(lone.apply(X)[:, 0], minlength=lone.forest_.roots[-1])
    leaf = lone.forest_[0].n_children == 0
    np.testing.assert_array_equal(sizes[leaf], lone.forest_[0].samples[leaf])


@pytest.mark.parametrize("forest", [gramian.RandomForestClassifier, gramian.RandomForestRegressor])
def test_oob_score_must_return_a_number(forest):
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    model = forest(40, oob_score=lambda truth, predicted: None, random_state=0)
    with pytest.raises(ParameterError, match=f"{forest.__name__}: oob_score must be a function"):
        model.fit(X, y)


@pytest.mark.parametrize("many", [2**31, 2**63 - 1, 1e300])
def test_max_samples_is_limited_to_32_bit_counts(many):
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    with pytest.raises(ParameterError, match="RandomForestClassifier: max_samples"):
        gramian.RandomForestClassifier(2, max_samples=many).fit(X, y)
