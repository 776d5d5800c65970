"""The parameters that ridge models share with scikit-learn's."""

from inspect import signature

import pytest
import sklearn.linear_model

import gramian
from gramian.base.errors import ParameterError
from gramian.linear_model.ridge.ridge_base import RidgeBase, RidgeBaseCV


@pytest.mark.parametrize("name", ["Ridge", "RidgeClassifier", "RidgeCV", "RidgeClassifierCV"])
def test_parameters_and_defaults_match_scikit_learn(name):
    ours, theirs = getattr(gramian, name), getattr(sklearn.linear_model, name)
    params = theirs().get_params()
    if "gcv_mode" in params:
        del params["gcv_mode"]  # chooses between two equal decompositions
    found = ours().get_params()
    assert {key: found[key] for key in params} == params


@pytest.mark.parametrize(
    ("base", "names"),
    [(RidgeBase, ["Ridge", "RidgeClassifier"]), (RidgeBaseCV, ["RidgeCV", "RidgeClassifierCV"])],
)
def test_shared_parameters_are_inherited(base, names):
    shared = set(signature(base).parameters)
    for name in names:
        assert issubclass(getattr(gramian, name), base)
        assert shared <= set(signature(getattr(gramian, name)).parameters)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_iter": 0}, "max_iter must be an integer >= 1"),
        ({"tol": -1.0}, "tol must be a number >= 0"),
        ({"solver": "newton"}, "solver must be one of 'auto', 'svd'"),
    ],
)
def test_values_out_of_range_are_refused(settings, words):
    with pytest.raises(ParameterError, match=words):
        gramian.Ridge(**settings).fit([[0.0], [1.0]], [0.0, 1.0])
