"""Objects made before acceleration are pickled as what they are."""

import pickle

import sklearn.naive_bayes
from numpy.testing import assert_array_equal

import gramian
from gramian.accelerate.persistence import unfitted

ORIGINAL = [sklearn.naive_bayes.GaussianNB]


def test_a_model_created_before_acceleration_can_be_pickled(table):
    X, y = table
    model = ORIGINAL[0]().fit(X, y)
    with gramian.accelerate():
        again = pickle.loads(pickle.dumps(model))
        assert type(again) is ORIGINAL[0]
        assert_array_equal(again.predict(X), model.predict(X))
    assert type(pickle.loads(pickle.dumps(model))) is ORIGINAL[0]


def test_an_earlier_pickle_is_loaded_as_the_replacement(table):
    X, y = table
    model = ORIGINAL[0]().fit(X, y)
    gramian.accelerate.undo()
    stored = pickle.dumps(model)
    with gramian.accelerate():
        assert_array_equal(pickle.loads(stored).predict(X), model.predict(X))


def test_the_empty_object_is_of_the_original_class():
    assert type(unfitted("GaussianNB")) is ORIGINAL[0]


def test_after_undo_a_pickle_does_not_need_gramian(table):
    model = ORIGINAL[0]().fit(*table)
    with gramian.accelerate():
        assert b"gramian" in pickle.dumps(model)
    assert b"gramian" not in pickle.dumps(model)
