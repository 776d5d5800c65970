"""Naive Bayes for category codes."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import CategoricalNB as Peer

from gramian import CategoricalNB
from gramian.base.errors import DataError, ParameterError
from tests.naive_bayes.real import table

# Mitchell 1997, table 3.2: outlook, temperature, humidity, wind; sunny, hot, high, weak are 0.
TENNIS = [
    [0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [2, 2, 1, 1],
    [1, 2, 1, 1], [0, 1, 0, 0], [0, 2, 1, 0], [2, 1, 1, 0], [0, 1, 1, 1], [1, 1, 0, 1],
    [1, 0, 1, 0], [2, 1, 0, 1],
]  # fmt: skip
PLAY = ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"]


def test_play_tennis_of_mitchell_1997_section_6_9_1():
    """(sunny, cool, high, strong) gives .0053 for yes, .0206 for no, hence .795."""
    model = CategoricalNB(alpha=0.0).fit(TENNIS, PLAY)
    joint = np.exp(model.predict_joint_log_proba([[0, 2, 0, 1]])[0])
    assert joint[1] == pytest.approx(0.0053, abs=5e-5)
    assert joint[0] == pytest.approx(0.0206, abs=5e-5)
    assert model.predict_proba([[0, 2, 0, 1]])[0, 0] == pytest.approx(0.795, abs=5e-4)


def test_pseudo_counts():
    """(count + alpha) / (n + categories alpha): 3 of 5 no-days are sunny."""
    model = CategoricalNB(alpha=2.0).fit(TENNIS, PLAY)
    assert np.exp(model.feature_log_prob_[0][0, 0]) == pytest.approx((3 + 2) / (5 + 3 * 2))


def test_agrees_with_scikit_learn_on_letters(data_folder):
    X, y = table(data_folder, "letterrecognition")
    ours, theirs = CategoricalNB().fit(X, y), Peer().fit(X, y)
    for a, b in zip(ours.feature_log_prob_, theirs.feature_log_prob_, strict=True):
        assert_allclose(a, b, rtol=1e-12)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_categories_that_fit_did_not_see():
    model = CategoricalNB().fit([[0], [1]], ["a", "b"])
    with pytest.raises(DataError, match=r"column 0 of X contains category 2.*Raise min_categories"):
        model.predict([[2]])
    room = CategoricalNB(min_categories=3).fit([[0], [1]], ["a", "b"])
    assert room.n_categories_.tolist() == [3]
    assert_allclose(room.predict_proba([[2]]), 0.5)
    with pytest.raises(ParameterError, match="should have shape"):
        CategoricalNB(min_categories=[2, 2]).fit([[0], [1]], ["a", "b"])
    with pytest.raises(ParameterError, match="integral type"):
        CategoricalNB(min_categories=[2.5]).fit([[0], [1]], ["a", "b"])
    with pytest.raises(DataError, match="below 2"):
        CategoricalNB().fit([[0], [1e12]], ["a", "b"])


def test_more_categories_than_memory_holds_name_the_remedy(monkeypatch):
    def pad(*_):
        raise MemoryError

    monkeypatch.setattr(np, "pad", pad)
    with pytest.raises(DataError, match=r"counts of 4 categories .*OrdinalEncoder"):
        CategoricalNB().fit([[0], [3]], [0, 1])


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_fractions_are_cut_off_with_a_warning(make):
    X = np.array([[0.0, 1.0], [2.5, 0.0]])
    with pytest.warns(UserWarning, match=r"category codes.*got 2\.5.*KBinsDiscretizer"):
        model = CategoricalNB().fit(make(X), ["a", "b"])
    whole = CategoricalNB().fit(make(np.trunc(X)), ["a", "b"])
    assert_array_equal(model.category_count_[0], whole.category_count_[0])
    with pytest.warns(UserWarning, match=r"got 2\.5"):
        found = model.predict_proba(make(X))
    assert_array_equal(found, whole.predict_proba(make(np.trunc(X))))


def test_partial_fit_makes_room_for_new_categories():
    model = CategoricalNB().partial_fit([[0], [1]], ["a", "b"], ["a", "b"])
    model.partial_fit([[3]], ["b"])
    assert model.category_count_[0].tolist() == [[1, 0, 0, 0], [0, 1, 0, 1]]
