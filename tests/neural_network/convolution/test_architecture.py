"""Counts of weights and connections, and what an output sees."""

import numpy as np
import pytest

from gramian.neural_network import (
    BatchNorm,
    Conv,
    Dense,
    LeNet5,
    LocallyConnected,
    Pool,
    count_parameters,
    receptive_field,
    summarize_layers,
)
from gramian.neural_network.convolution.architecture import IsLayers, default_layers, shapes_of


def test_two_layers_of_width_three_see_five_inputs():
    """T15: 3, then 5, and 2 more with each layer."""
    assert [receptive_field([Conv(1, 3)] * k) for k in (1, 2, 3)] == [3, 5, 7]


def test_a_stride_multiplies_what_later_layers_see():
    assert receptive_field([Conv(1, 3, stride=2), Conv(1, 3)]) == 7
    assert receptive_field([Conv(6, 5), Pool(2), Conv(16, 5), Pool(2), Dense(9)], sides=2) == 16
    assert receptive_field([Conv(1, (3, 5))], sides=2) == (3, 5)


def test_a_receptive_field_is_what_a_change_reaches(rng):
    """The output in the middle depends on as many inputs as the calculator says."""
    filters = [rng.normal(size=3), rng.normal(size=4), rng.normal(size=3)]

    def output(x):
        for f in filters:
            x = np.convolve(x, f, mode="valid")
        return x[len(x) // 2]

    x = rng.normal(size=31)
    seen = sum(output(x + 1e-3 * np.eye(31)[k]) != output(x) for k in range(31))
    assert seen == receptive_field([Conv(1, len(f)) for f in filters])


def test_a_dense_layer_over_a_photo_has_a_billion_weights():
    """T16: 200 x 200 inputs fully connected to 40,000 units."""
    assert Dense(40_000).connections((200, 200, 1)) == 1_600_000_000
    assert count_parameters([Conv(10, 5)], (200, 200, 1)) == 10 * (5 * 5 + 1)


def test_sharing_leaves_the_connections_but_not_the_weights():
    shared, local = (
        summarize_layers([kind(6, 5)], (32, 32, 1))[0] for kind in (Conv, LocallyConnected)
    )
    assert shared.connections == local.connections == 28 * 28 * 6 * 25
    assert shared.parameters == 6 * 26
    assert local.parameters == 28 * 28 * 6 * 26


def test_the_parameters_of_lenet_layer_by_layer():
    """LeCun et al. 1998: C1 has 156 parameters and 122,304 connections, biases included."""
    lines = summarize_layers(LeNet5().layers, (32, 32, 1))
    assert [line.parameters for line in lines] == [156, 0, 2416, 0, 48120, 10164]
    assert lines[0].connections + 28 * 28 * 6 == 122_304
    assert lines[3].output_shape == (5, 5, 16)


def test_batch_normalisation_has_two_parameters_a_channel():
    assert count_parameters([Conv(4, 3), BatchNorm()], (8, 8, 1)) == 4 * 10 + 8


def test_a_convolution_after_a_dense_layer_is_refused():
    with pytest.raises(ValueError, match="layer 1, a Conv, needs an image or a signal"):
        shapes_of([Dense(4), Conv(2)], (4, 4, 1))


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (64, 1), (8, 8, 1), (3, 40, 3)])
def test_the_default_layers_fit_any_shape(shape):
    layers = default_layers(shape)
    assert IsLayers().accepts(layers)
    assert shapes_of(layers, shape)[-1] == (64,)


def test_layers_are_a_list_of_layers():
    assert IsLayers().accepts([Conv(1), Dense(2)])
    assert not IsLayers().accepts(Conv(1))
    assert not IsLayers().accepts(["conv"])
