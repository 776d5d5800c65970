"""Shapes and counts of layers."""

import pytest

from gramian.neural_network import BatchNorm, Conv, Dense, Dropout, LocallyConnected, Pool
from gramian.neural_network.convolution.layers import padding_of


@pytest.mark.parametrize(
    ("layer", "before", "after"),
    [
        (Conv(6, 5), (32, 32, 1), (28, 28, 6)),
        (Conv(6, 5, padding="same"), (28, 28, 3), (28, 28, 6)),
        (Conv(2, 3, stride=2), (8, 9, 1), (3, 4, 2)),
        (Conv(2, (3, 1), stride=(2, 1), padding="same"), (7, 5, 1), (4, 5, 2)),
        (Conv(4, 3), (10, 2), (8, 4)),
        (LocallyConnected(4, 3), (10, 2), (8, 4)),
        (Pool(2), (7, 6, 3), (3, 3, 3)),
        (Pool(3, stride=2), (9, 1), (4, 1)),
        (BatchNorm(), (4, 4, 2), (4, 4, 2)),
        (Dropout(), (5,), (5,)),
        (Dense(7), (4, 4, 2), (7,)),
    ],
)
def test_output_shapes(layer, before, after):
    assert layer.output_shape(before) == after


def test_only_pools_have_no_weights():
    """E46: of LeNet's layers, the pools alone."""
    assert Pool(2).parameter_shapes((4, 4, 1)) == {}
    assert Conv(6, 5).parameter_shapes((32, 32, 3)) == {"weight": (6, 3, 5, 5), "bias": (6,)}


def test_same_padding_puts_the_odd_zero_behind():
    assert padding_of(Conv(1, 4, padding="same"), (6, 1)) == [(1, 2)]
    assert padding_of(Conv(1, 3, stride=2, padding="same"), (6, 1)) == [(0, 1)]
    assert padding_of(Conv(1, 3), (6, 1)) == [(0, 0)]


@pytest.mark.parametrize(
    ("layer", "shape", "phrase"),
    [
        (Conv(1, 5), (4, 9, 1), "a width of 5 exceeds the side of 4"),
        (Pool(3), (2, 1), "a width of 3"),
        (Conv(1, (3, 3)), (9, 1), "one for each of the 1 sides"),
    ],
)
def test_what_does_not_fit_says_so(layer, shape, phrase):
    with pytest.raises(ValueError, match=phrase):
        layer.output_shape(shape)
