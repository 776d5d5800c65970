import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import (
    plot_label_cooccurrence,
    plot_label_scores,
    plot_label_tree,
    plot_precision_at_k,
)

Y = [[1, 1, 0], [1, 0, 0], [0, 1, 0]]


def test_cooccurrence_is_shaded_by_the_proportion_of_rows(ax):
    assert plot_label_cooccurrence(Y, ["a", "b", "c"], ax=ax) is ax
    shares = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 0]])  # the last label has no row
    assert_allclose(ax.images[0].get_array(), shares)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]


def test_a_tree_has_a_line_for_each_child_and_ordered_leaves(ax):
    names = {2: "c", 3: "a", 4: "b"}
    plot_label_tree([-1, 0, 0, 1, 1], names, [3, 2, 1, 1, 1], ax=ax)
    assert len(ax.lines) == 4 + 1
    where = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert where["a"] < where["b"] < where["c"]
    assert {"3 labels", "2 labels"} < set(where)


def test_bars_are_sorted(ax):
    plot_label_scores([0.2, 0.9, 0.5], ["a", "b", "c"], rows=[1, 2000, 3], ax=ax)
    assert_allclose([bar.get_width() for bar in ax.patches], [0.9, 0.5, 0.2])
    assert ax.texts[0].get_text() == " 2,000 rows"


def test_the_text_beside_the_longest_bar_stays_inside_the_axes(ax):
    plot_label_scores([0.71, 0.2], ["a", "b"], rows=[15_300, 1], ax=ax)
    ax.figure.canvas.draw()
    assert ax.texts[0].get_window_extent().x1 < ax.get_window_extent().x1
    assert ax.get_xlim()[0] == 0


def test_every_learner_has_a_curve(ax):
    plot_precision_at_k({"x": [0.9, 0.5], "y": [0.8, 0.6]}, ks=[1, 5], ax=ax)
    assert_allclose(ax.lines[1].get_xydata(), [[1, 0.8], [5, 0.6]])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot_label_cooccurrence([1, 0]), "matrix of 0 and 1"),
        (lambda: plot_label_cooccurrence(Y, ["a"]), "each of the 3 labels; got 1"),
        (lambda: plot_label_tree([0], {}), "begin with -1"),
        (lambda: plot_label_tree([-1, 2, 0], {}), "before their children"),
        (lambda: plot_label_scores([]), "list of numbers"),
        (lambda: plot_precision_at_k({}), "at least one learner"),
        (lambda: plot_precision_at_k({"x": [0.1]}, ks=[1, 2]), "each of 2 k; got 1"),
    ],
)
def test_bad_input_is_named(draw, message):
    with pytest.raises(DataError, match=message):
        draw()
