"""The parameters of lasso, elastic net and their cross-validation."""

from inspect import signature

import pytest
import sklearn.linear_model

import gramian
from gramian.base.errors import ParameterError
from gramian.linear_model.lasso.lasso_params import LassoParams

NAMES = ["Lasso", "ElasticNet", "LassoCV", "ElasticNetCV"]


@pytest.mark.parametrize("name", NAMES)
def test_parameters_their_order_and_defaults_match_scikit_learn(name):
    ours, theirs = getattr(gramian, name), getattr(sklearn.linear_model, name)
    assert issubclass(ours, LassoParams)
    expected = [p for p in signature(theirs).parameters if p != "n_alphas"]  # deprecated there
    assert [p for p in signature(ours).parameters if p in expected] == expected
    found = ours().get_params()
    different = {p for p in expected if found[p] != theirs().get_params()[p]}
    assert different <= {"alphas"}  # 100, where scikit-learn's default warns of a change


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_iter": 0}, "max_iter must be an integer >= 1; got 0"),
        ({"tol": -1.0}, "tol must be a number >= 0; got -1"),
        ({"selection": "greedy"}, "selection must be one of 'cyclic', 'random'"),
    ],
)
def test_values_out_of_range_are_refused(name, settings, words):
    with pytest.raises(ParameterError, match=f"{name}: {words}"):
        getattr(gramian, name)(**settings).fit([[0.0], [1.0]], [0.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_are_ignored_change_nothing(name):
    X, y = [[0.0], [1.0], [2.0], [0.5], [1.5], [3.0]], [0.0, 1.0, 1.5, 0.0, 1.0, 3.0]
    plain = getattr(gramian, name)().fit(X, y)
    ignored = {"precompute": True, "copy_X": False, "random_state": 3, "selection": "random"}
    assert getattr(gramian, name)(**ignored).fit(X, y).coef_ == plain.coef_
