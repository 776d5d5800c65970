"""Forests and bagging: with one part those of `fit`; with several all classes and all rows."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from gramian import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from gramian.base.errors import ParameterError
from gramian.scale import chunks, fit
from gramian.scale.members import fit_members, has_members
from tests.scale.methods import ListParts

rng = np.random.default_rng(0)
X = rng.normal(size=(600, 3))
y = (X[:, 0] > 0).astype(int)
y[560:] = 5  # only in the last part
MODELS = [
    RandomForestClassifier(7, random_state=0),
    ExtraTreesClassifier(7, random_state=0),
    RandomForestRegressor(7, random_state=0),
    BaggingClassifier(n_estimators=7, random_state=0),
    BaggingRegressor(n_estimators=7, random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_one_part_gives_the_members_of_fit(model):
    whole = clone(model).fit(X, y)
    parts = fit(clone(model), chunks(X, y))
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_several_parts_share_the_members(model):
    parts = fit(clone(model), chunks(X, y, rows=250))
    assert len(parts.estimators_) == 7
    if is_classifier(model):
        assert parts.classes_.tolist() == [0, 1, 5]
        assert parts.predict_proba(X).shape == (600, 3)
        assert (parts.predict(X) == y).mean() > 0.85
    again = fit(clone(model), chunks(X, y, rows=250))
    np.testing.assert_array_equal(again.predict(X), parts.predict(X))


def test_refusals():
    with pytest.raises(ParameterError, match="n_estimators=2 must be at least 3"):
        fit(RandomForestClassifier(2), chunks(X, y, rows=250))
    with pytest.raises(ParameterError, match="neither out-of-bag scores"):
        fit(RandomForestClassifier(9, oob_score=True), chunks(X, y))
    assert not has_members(object())


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_chunks_without_rows_have_no_members(model):
    cuts = [0, 0, 250, 250, 500]
    pairs = zip(np.split(X, cuts), np.split(y, cuts), strict=True)
    empty = ListParts([(a, b, None) for a, b in pairs])
    parts = fit_members(clone(model), empty)
    whole = fit(clone(model), chunks(X, y, rows=250))
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_chunks_that_end_in_an_error_leave_the_earlier_members(model, monkeypatch):
    model = clone(model).fit(X, y)
    before = dict(vars(model))
    monkeypatch.setattr("gramian.scale.members.divmod", _interrupt, raising=False)
    with pytest.raises(KeyboardInterrupt):  # when the attributes of a part have been set
        fit(model, chunks(X[:, :2], y, rows=250))
    assert vars(model) == before


def _interrupt(*_):
    raise KeyboardInterrupt
