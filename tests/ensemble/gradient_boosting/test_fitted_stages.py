"""Fitted boosting models of trees and of other learners."""

from copy import copy

import numpy as np
import pandas as pd
import pytest

import gramian
from gramian import GradientBoostingClassifier, GradientBoostingRegressor
from gramian.base.errors import DataError, ModelFileError
from tests.ensemble.problems import curved

X, y = curved(60)


@pytest.mark.parametrize(
    "learner",
    [
        gramian.Ridge(),
        gramian.DecisionTreeRegressor(max_depth=2),
        gramian.GradientBoostingRegressor(n_estimators=2),  # which has a length of its own
    ],
)
def test_a_model_file_holds_the_learners(learner, tmp_path):
    model = GradientBoostingClassifier(n_estimators=3, estimator=learner).fit(X, y > 1)
    gramian.save(model, tmp_path / "model.gram")
    again = gramian.load(tmp_path / "model.gram")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.steps_, model.steps_)
    assert type(again.estimators_[0, 0]) is type(learner)


def test_steps_of_trees_are_the_learning_rate():
    model = GradientBoostingRegressor(n_estimators=3, learning_rate=0.25).fit(X, y)
    assert model.steps_.tolist() == [0.25] * 3


def test_tree_attributes_are_not_available_for_other_learners():
    model = GradientBoostingRegressor(n_estimators=2, estimator=gramian.Ridge()).fit(X, y)
    assert not hasattr(model, "feature_importances_")
    assert not hasattr(model, "forests_")
    with pytest.raises(DataError, match="apply is available only"):
        model.apply(X)


def test_refitting_discards_the_learners():
    model = GradientBoostingRegressor(n_estimators=2, estimator=gramian.Ridge()).fit(X, y)
    model.set_params(estimator=None).fit(X, y)
    unfitted_copy = GradientBoostingRegressor(n_estimators=2).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), unfitted_copy.predict(X))
    assert vars(model).keys() == vars(unfitted_copy).keys()


def test_model_files_with_inconsistent_learners_are_rejected():
    model = GradientBoostingRegressor(n_estimators=2, estimator=gramian.Ridge()).fit(X, y)
    model._check_loaded()
    for name, wrong in (
        ("_steps", model._steps[:1]),
        ("_members", []),
        ("_members", [[], []]),
        ("_initial", type(model._initial)(np.zeros(2))),
    ):
        damaged = copy(model)
        setattr(damaged, name, wrong)
        with pytest.raises(ModelFileError, match="must"):
            damaged._check_loaded()


def test_frames_with_categories_reach_the_learners():
    frame = pd.DataFrame({"a": X[:, 0], "b": pd.Categorical(np.where(y > 1, "u", "v"))})
    tree = gramian.DecisionTreeRegressor(max_depth=2)
    model = GradientBoostingRegressor(n_estimators=30, estimator=tree, n_iter_no_change=3)
    assert model.fit(frame, y).score(frame, y) > 0.5
    fitted = model.fit(frame[:40], y[:40], X_val=frame[40:], y_val=y[40:])
    assert len(fitted.validation_score_) == fitted.n_estimators_
