"""Level sets of quadratic forms."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_quadratic_form
from gramian.textbook.linear_algebra import QuadraticForm


def test_axes_end_on_the_level_set_of_one():
    M = np.array([[2.0, 0.8], [0.8, 1.0]])
    for line in plot_quadratic_form(M).lines:
        ends = np.column_stack(line.get_data())
        np.testing.assert_allclose(QuadraticForm(M)(ends), 1.0)


def test_a_flat_direction_goes_to_the_edge_and_zero_has_no_level_sets():
    flat = plot_quadratic_form([[1.0, 1.0], [1.0, 1.0]], extent=3.0)
    lengths = sorted(float(np.hypot(*np.array(line.get_data())[:, 1])) for line in flat.lines)
    np.testing.assert_allclose(lengths, [1 / np.sqrt(2), 3 * np.sqrt(2)])  # to the corner
    assert not plot_quadratic_form(np.zeros((2, 2))).collections


@pytest.mark.parametrize("M", [np.eye(3), [[1.0, 2.0], [0.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]])
def test_other_matrices_are_refused(M):
    with pytest.raises(DataError, match="symmetric matrix"):
        plot_quadratic_form(M)


def test_the_extent_is_positive():
    with pytest.raises(DataError, match="extent"):
        plot_quadratic_form(np.eye(2), extent=0.0)


def test_the_level_set_that_the_axes_end_on_is_drawn():
    ax = plot_quadratic_form([[4.0, 0.0], [0.0, 1.0]])
    assert [1.0] in [list(drawn.levels) for drawn in ax.collections]
    ax = plot_quadratic_form([[1.0, 0.5], [0.5, -1.0]])
    assert [-1.0, 1.0] in [list(drawn.levels) for drawn in ax.collections]
