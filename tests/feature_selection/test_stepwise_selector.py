"""Forward and backward selection."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score

from gramian import BestSubsetSelector, StepwiseSelector
from gramian import LinearRegression as Ours
from gramian.feature_selection import best_subsets, z_scores
from tests.feature_selection.refits import every_setting, far_from_zero, refitted_score


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("size", [1, 3, 6])
def test_stepwise_chooses_what_refitting_would(direction, size):
    X, y = load_diabetes(return_X_y=True)
    ours = StepwiseSelector(n_features_to_select=size, direction=direction, cv=5).fit(X, y)
    theirs = SequentialFeatureSelector(
        LinearRegression(), n_features_to_select=size, direction=direction, cv=5
    )
    assert (ours.get_support() == theirs.fit(X, y).get_support()).all()
    score = cross_val_score(LinearRegression(), ours.transform(X), y, cv=5).mean()
    steps = size if direction == "forward" else 10 - size
    assert ours.scores_[steps] == pytest.approx(score)


def test_the_score_stops_the_search():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = X[:, :3] @ [3.0, 2.0, 1.0] + rng.normal(size=300)
    for scoring in ("r2", "neg_mean_squared_error", "aic", "bic"):
        stopped = StepwiseSelector(scoring=scoring, early_stop=True).fit(X, y)
        assert stopped.support_[:3].all()
        assert stopped.n_features_to_select_ <= 8
    whole = StepwiseSelector(scoring="bic").fit(X, y)
    assert len(whole.path_) == 12
    assert whole.n_features_to_select_ <= 5
    assert whole.scores_.argmax() == whole.n_features_to_select_


def test_validation_rows_take_the_place_of_folds():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 6))
    y = X[:, 2] + 0.1 * rng.normal(size=200)
    model = StepwiseSelector(n_features_to_select=1).fit(
        X[:100], y[:100], X_val=X[100:], y_val=y[100:]
    )
    assert model.path_.tolist() == [2]
    line = LinearRegression().fit(X[:100, [2]], y[:100])
    assert model.scores_[1] == pytest.approx(line.score(X[100:, [2]], y[100:]))


def test_trying_the_smallest_z_scores_only_ends_at_the_same_columns():
    X, y = load_diabetes(return_X_y=True)
    every = StepwiseSelector(n_features_to_select=4, direction="backward", scoring="bic").fit(X, y)
    cheap = StepwiseSelector(n_features_to_select=4, direction="backward", scoring="bic", tries=1)
    assert (cheap.fit(X, y).support_ == every.support_).all()
    z = z_scores(Ours().summarise(X, y), list(range(10)))
    assert np.argmax(z) == 2  # body mass index
    np.testing.assert_allclose(z, np.abs(Ours().fit(X, y).inference()["t"][:10]), rtol=1e-6)


def test_no_column_at_all_can_be_the_choice():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    assert StepwiseSelector(n_features_to_select=0).fit(X, y).support_.sum() == 0


def test_duplicated_and_constant_columns():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 3))
    X = np.column_stack([X, X[:, 0], np.ones(40)])
    y = X[:, 0] + rng.normal(size=40)
    model = StepwiseSelector().fit(X, y)
    assert len(model.path_) == 3  # the copy and the constant add nothing
    with pytest.raises(ValueError, match="constant"):
        best_subsets(X, y)
    with pytest.raises(ValueError, match="column 3 is constant or linearly dependent"):
        best_subsets(X[:, :4], y)
    assert not BestSubsetSelector().fit(X, y).support_[3:].any()
    with pytest.raises(ValueError, match="too many"):
        best_subsets(rng.normal(size=(200, 60)), rng.normal(size=200))
    with pytest.raises(ValueError, match="lower it"):
        StepwiseSelector(n_features_to_select=9).fit(X, y)


@pytest.mark.parametrize("scoring", ["aic", "bic"])
@pytest.mark.parametrize("kind", [StepwiseSelector, BestSubsetSelector])
def test_validation_rows_take_the_place_of_information_criteria(kind, scoring):
    rng = np.random.default_rng(0)
    X, X_val = rng.normal(size=(30, 6)), rng.normal(size=(12, 6))
    y, y_val = (A[:, 0] + 0.3 * A[:, 3] + rng.normal(size=len(A)) for A in (X, X_val))
    model = kind(scoring=scoring).fit(X, y, X_val=X_val, y_val=y_val)
    error = kind(scoring="neg_mean_squared_error").fit(X, y, X_val=X_val, y_val=y_val)
    np.testing.assert_array_equal(model.support_, error.support_)
    np.testing.assert_array_equal(model.scores_, error.scores_)
    held = LinearRegression().fit(X[:, model.support_], y).predict(X_val[:, model.support_])
    assert -model.scores_.max() == pytest.approx(np.mean((y_val - held) ** 2))
    sums = np.sum((y - LinearRegression().fit(X, y).predict(X)) ** 2)
    complexity = 2 * 8 if scoring == "aic" else 8 * np.log(30)
    plain = kind(scoring=scoring).fit(X, y)  # six columns, the intercept and the noise
    assert -plain.scores_[-1] == pytest.approx(30 * np.log(sums / 30) + complexity)


@pytest.mark.slow
@every_setting
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_stepwise_takes_the_best_step_of_refits(scoring, intercept, weighted, direction):
    for seed in range(2):
        X, y, w = far_from_zero(seed)
        w = w if weighted else np.ones(len(y))
        model = StepwiseSelector(scoring=scoring, fit_intercept=intercept, direction=direction)
        model.fit(X, y, sample_weight=w if weighted else None)
        in_model = set() if direction == "forward" else set(range(5))
        assert len(model.path_) == 5
        for step, score in enumerate(model.scores_):
            expected = refitted_score(X, y, w, sorted(in_model), scoring, intercept)
            assert score == pytest.approx(expected, rel=1e-8, abs=1e-8)
            if step == 5:
                break
            moves = range(5) if direction == "forward" else sorted(in_model)
            steps = {
                j: in_model ^ {j} for j in moves if direction == "backward" or j not in in_model
            }
            values = {
                j: refitted_score(X, y, w, sorted(s), scoring, intercept) for j, s in steps.items()
            }
            assert model.path_[step] == max(values, key=values.__getitem__)
            in_model ^= {int(model.path_[step])}
