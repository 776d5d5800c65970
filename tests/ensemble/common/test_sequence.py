"""Ensembles behave as sequences of their members."""

import pytest

import gramian
from gramian.ensemble.common.sequence import MemberSequence

X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
MODELS = [
    gramian.AdaBoostClassifier(n_estimators=3),
    gramian.AdaBoostRegressor(n_estimators=3, random_state=0),
    gramian.BaggingClassifier(n_estimators=3, random_state=0),
    gramian.BaggingRegressor(n_estimators=3, random_state=0),
    gramian.ExtraTreesClassifier(n_estimators=3, random_state=0),
    gramian.GradientBoostingRegressor(n_estimators=3),
    gramian.RandomForestRegressor(n_estimators=3, random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_an_ensemble_is_the_sequence_of_its_members(model):
    model.fit(X, y)
    assert isinstance(model, MemberSequence)
    assert len(model) == len(model.estimators_) >= 1
    assert [type(m) for m in model] == [type(m) for m in model.estimators_]
    assert type(model[0]) is type(model.estimators_[0])
    assert len(model[:2]) == len(model.estimators_[:2])
