import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import plot_architecture, plot_network


def test_every_pair_of_neighbouring_layers_is_joined():
    ax = plot_network([3, 4, 2])
    assert len(ax.collections[0].get_segments()) == 3 * 4 + 4 * 2


def test_widths_are_sizes_and_colours_are_signs():
    lines = plot_network([2, 1], [np.array([[1.0], [-0.5]])]).collections[0]
    widths, colours = lines.get_linewidths(), lines.get_colors()
    assert widths[0] > widths[1]
    assert tuple(colours[0]) != tuple(colours[1])


def test_large_layers_are_drawn_in_part_and_say_so():
    ax = plot_network([500, 2], names=["pixels", "classes"])
    assert "12 of 500" in [text.get_text().split("\n")[-1] for text in ax.texts]


def test_bad_sizes_and_weights_are_refused():
    with pytest.raises(DataError, match="two or more counts"):
        plot_network([3])
    with pytest.raises(DataError, match=r"shapes \[\(2, 1\)\]"):
        plot_network([2, 1], [np.zeros((1, 2))])


def test_an_architecture_has_a_sheet_for_each_map():
    ax = plot_architecture([(8, 8, 1), (6, 6, 4), (20, 2), (10,)], ["in", "a", "b", "c"])
    assert len(ax.patches) == 1 + 4 + 2 + 1
    assert ax.texts[1].get_text() == "a\n6 x 6 x 4"
    assert len(plot_architecture([(5,)]).patches) == 1


def test_shapes_of_other_ranks_are_refused():
    with pytest.raises(DataError, match="one to three dimensions"):
        plot_architecture([(1, 2, 3, 4)])
