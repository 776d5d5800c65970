"""Parameters that must fit the network, and each other."""

import numpy as np
import pytest

from gramian import MLPClassifier, MLPRegressor
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.mlp.mlp_settings import check_together, mask_of, network_of, steps_of

X = np.random.default_rng(0).normal(size=(30, 4))


def model(**settings) -> MLPClassifier:
    made = MLPClassifier(**settings)
    made.n_features_in_ = 4
    return made


def test_a_number_or_a_list_describes_the_layers():
    assert network_of(model(hidden_layer_sizes=7), "softmax", 3).widths == (4, 7, 3)
    both = network_of(model(hidden_layer_sizes=[7, 5], activation=["tanh", "relu"]), "softmax", 3)
    assert both.widths == (4, 7, 5, 3)
    assert both.activations == ("tanh", "relu")
    assert network_of(model(hidden_layer_sizes=()), "logistic", 1).widths == (4, 1)


def test_steps_take_lists_by_layer():
    made = model(hidden_layer_sizes=(7, 5), dropout=[0.5, 0.1], input_dropout=0.2, batch_size=500)
    with pytest.warns(UserWarning, match="batch_size=500 exceeds the 30 rows"):
        steps = steps_of(made, network_of(made, "softmax", 3), 30, seed=1)
    assert steps.dropout == (0.2, 0.5, 0.1)
    assert steps.layer_rates == (1.0, 1.0, 1.0)
    assert steps.batch_size == 30


@pytest.mark.parametrize(
    ("parameter", "value", "setting"),
    [
        ("solver", "rmsprop", "optimizer"),
        ("alpha", 0.3, "alpha"),
        ("penalize_intercepts", True, "penalize_intercepts"),
        ("momentum", 0.4, "momentum"),
        ("nesterovs_momentum", False, "nesterov"),
        ("beta_1", 0.7, "beta_1"),
        ("beta_2", 0.8, "beta_2"),
        ("epsilon", 1e-3, "epsilon"),
        ("gradient_noise", 0.2, "noise"),
        ("gradient_noise_decay", 0.9, "noise_decay"),
        ("batch_size", 17, "batch_size"),
    ],
)
def test_every_parameter_of_a_step_arrives(parameter, value, setting):
    network = network_of(model(), "softmax", 3)
    plain, changed = (
        getattr(steps_of(made, network, 30, seed=1), setting)
        for made in (model(), model(**{parameter: value}))
    )
    assert changed == value != plain


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hidden_layer_sizes": (3, 0)}, "hidden_layer_sizes must be > 0"),
        ({"hidden_layer_sizes": (3.5,)}, "hidden_layer_sizes must be > 0"),
        ({"activation": ["relu", "tanh"]}, "for each of the 1 hidden layers"),
        ({"activation": ["step"]}, "activation must be one of"),
        ({"dropout": [0.5, 0.5]}, "dropout must contain a number for each of the 1"),
        ({"dropout": [1.0]}, r"dropout must be in \[0, 1\)"),
        ({"layer_rates": [1.0]}, "layer_rates must contain a number for each of the 2"),
        ({"masks": [None]}, "an entry for each of the 2 layers"),
        ({"masks": [np.ones((4, 4)), None]}, r"of shape \(4, 100\); got shape \(4, 4\)"),
        ({"masks": [np.full((4, 100), 2), None]}, "a matrix of 0 and 1"),
    ],
)
def test_what_does_not_fit_is_named(wrong, words):
    with pytest.raises(ValueError, match=words):
        MLPClassifier(**wrong).fit(X, X[:, 0] > 0)


def test_masks_become_one_vector():
    made = model(hidden_layer_sizes=(2,), masks=[np.eye(4, 2), None])
    network = network_of(made, "logistic", 1)
    layers = network.split(mask_of(made, network, np.float32))
    np.testing.assert_array_equal(layers.coefs[0], np.eye(4, 2))
    assert layers.coefs[1].all()
    assert mask_of(model(), network, float) is None


def test_conflicts_are_named():
    numeric = Examples(X, None, X[:, :1])
    with pytest.raises(ValueError, match="emphasis='class' needs one label per row"):
        check_together(MLPRegressor(emphasis="class"), numeric)
    with pytest.raises(ValueError, match="batch_norm needs at least 2 rows"):
        check_together(model(batch_norm=True), Examples(X[:1], None, X[:1]))
    check_together(model(), numeric)
