import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    draw_tree,
    plot_cells,
    plot_impurity_curves,
    plot_impurity_simplex,
    plot_information_gain,
    plot_leaf_probabilities,
    plot_pruning_curve,
    plot_step_surface,
    tree_layout,
)

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def test_parents_stand_above_the_middle_of_their_children():
    places = tree_layout([-1, 0, 0, 1, 1, 1])
    assert places[:, 1].tolist() == [0, 1, 1, 2, 2, 2]
    assert places[1, 0] == places[3:, 0].mean()
    assert len({tuple(p) for p in places}) == 6


@pytest.mark.parametrize("parent", [[], [0], [-1, 1], [-1, -1]])
def test_what_is_no_tree_is_refused(parent):
    with pytest.raises(DataError, match="tree_layout"):
        tree_layout(parent)


def test_a_tree_has_a_text_for_every_node(ax):
    probabilities = [[0.5, 0.5], [1, 0], [0, 1]]
    texts, edges = ["ask", "a", "b"], ["", "yes", "no"]
    draw_tree([-1, 0, 0], texts, edges=edges, probabilities=probabilities, ax=ax)
    assert [t.get_text() for t in ax.texts] == ["yes", "no", "ask", "a", "b"]
    with pytest.raises(DataError, match="one entry for each of 3 nodes"):
        draw_tree([-1, 0, 0], ["ask"])


def test_cells_are_drawn_in_the_colours_of_their_points(ax):
    plot_cells([SQUARE, SQUARE + np.array([1, 0])], ["a", "b"], X=[[0.5, 0.5]], y=["b"], ax=ax)
    assert len(ax.patches) == 2
    assert ax.get_xlim() == (0, 2)
    with pytest.raises(DataError, match="a label for each of 1 cells"):
        plot_cells([SQUARE], [])


def test_steps_have_the_heights_given():
    space = plot_step_surface([[0, 0], [1, 0]], [[1, 1], [2, 1]], [1.0, 3.0])
    assert space.name == "3d"
    with pytest.raises(DataError, match="the same finite boxes"):
        plot_step_surface([[0, 0]], [[np.inf, 1]], [1.0])


def test_the_gain_is_the_height_above_the_chord(ax):
    p = np.linspace(0, 1, 1001)
    plot_information_gain(p, 2 * p * (1 - p), [0.2, 0.8], [3, 1], ax=ax)
    parent = (3 * 0.2 + 0.8) / 4
    assert ax.get_title() == f"gain {2 * parent * (1 - parent) - 0.32:.3f}"
    with pytest.raises(DataError, match="two children"):
        plot_information_gain(p, p, [0.1], [1])


def test_curves_and_the_simplex():
    ax = plot_impurity_curves([0, 0.5, 1], {"a": [0, 1, 0], "b": [0, 0.5, 0]})
    assert len(ax.lines) == 2
    ax = plot_impurity_simplex(lambda p: 1 - (p**2).sum(axis=-1), resolution=6)
    assert len(ax.texts) == 3


def test_bars_of_leaves_are_as_wide_as_leaves_are_heavy(ax):
    plot_leaf_probabilities([[1, 0], [0.5, 0.5]], [1, 3], names=["a", "b"], ax=ax)
    widths = [bar.get_width() for bar in ax.patches[:2]]
    assert widths[1] == pytest.approx(3 * widths[0])
    with pytest.raises(DataError, match="one entry, for each leaf"):
        plot_leaf_probabilities([[1, 0]], [1, 2])


def test_the_chosen_tree_is_marked(ax):
    plot_pruning_curve(
        [4, 2, 1], [0, 0.1, 0.5], [0.3, 0.2, 0.5], chosen=2, standard_error=[0.1] * 3, ax=ax
    )
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    assert texts == ["training", "estimated", "one standard error above", "1 leaf"]
