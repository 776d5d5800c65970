"""Arrays of images become rows, and what is no array of images is refused."""

import numpy as np
import pytest

from gramian.neural_network.convolution.images import IsInputShape, as_rows, shape_of_rows


def test_images_are_flattened_with_channels_last():
    X = np.arange(24.0).reshape(1, 2, 4, 3)
    rows, shape = as_rows("Net", X, None)
    assert shape == (2, 4, 3)
    np.testing.assert_array_equal(rows[0], np.arange(24.0))


def test_three_dimensions_are_grey_images_or_the_signals_that_were_announced():
    X = np.zeros((5, 8, 3))
    assert as_rows("Net", X, None)[1] == (8, 3, 1)
    assert as_rows("Net", X, (8, 3))[1] == (8, 3)


@pytest.mark.parametrize("shape", [(2, 128), (2, 16, 8)])
def test_bytes_become_single_precision(shape):
    """Images are often stored so; in float64 they would take twice the time."""
    pixels = np.arange(256, dtype=np.uint8).reshape(shape)
    rows, _ = as_rows("Net", pixels, None)
    assert rows.dtype == np.float32
    np.testing.assert_array_equal(rows.ravel(), np.arange(256))


def test_tables_are_left_to_the_gate():
    X = np.zeros((5, 8))
    rows, shape = as_rows("Net", X, (4, 2, 1))
    assert rows is X
    assert shape is None
    assert as_rows("Net", [[1.0]], None) == ([[1.0]], None)


@pytest.mark.parametrize("shape", [(5,), (5, 2, 2, 2, 2)])
def test_other_ranks_are_refused(shape):
    with pytest.raises(ValueError, match=r"Net: X must be a table .* dimensions, shape .*Reshape"):
        as_rows("Net", np.zeros(shape), None)


def test_images_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"images of shape \(4, 16, 1\), where \(8, 8, 1\)"):
        as_rows("Net", np.zeros((5, 4, 16)), (8, 8, 1))


def test_rows_must_have_the_features_of_the_shape():
    assert shape_of_rows("Net", 12, None) == (12, 1)
    with pytest.raises(ValueError, match="means 16 features, but X has 12"):
        shape_of_rows("Net", 12, (4, 4, 1))


def test_an_input_shape_is_two_or_three_counts():
    rule = IsInputShape()
    assert rule.accepts((8, 8, 1))
    assert rule.accepts([12, 2])
    assert not any(rule.accepts(v) for v in ((8,), (8, 0, 1), (8, 8.0, 1), 8, (1, 2, 3, 4)))
