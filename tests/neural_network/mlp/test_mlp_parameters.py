"""The signature is scikit-learn's, then ours."""

import inspect

import pytest
import sklearn.neural_network as theirs

import gramian
from gramian.neural_network.mlp.mlp_parameters import IN_ORDER


@pytest.mark.parametrize("name", ["MLPClassifier", "MLPRegressor"])
def test_every_parameter_of_scikit_learn_is_there_with_its_default(name):
    ours = inspect.signature(getattr(gramian, name)).parameters
    wanted = inspect.signature(getattr(theirs, name)).parameters
    assert list(ours)[: len(wanted)] == list(wanted)
    for parameter in wanted.values():
        assert ours[parameter.name].default == parameter.default
        assert ours[parameter.name].kind == parameter.kind
    assert set(IN_ORDER) < set(wanted)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dropout": 1.0},
        {"solver": "adamw"},
        {"learning_rate_init": 0.0},
        {"batch_size": 0},
        {"init": "random"},
        {"n_init": 0},
        {"beta_1": 1.0},
    ],
)
def test_values_outside_the_range_are_refused(wrong):
    with pytest.raises(ValueError, match=f"MLPClassifier: {next(iter(wrong))} must be"):
        gramian.MLPClassifier(**wrong).fit([[0.0], [1.0]], [0, 1])
