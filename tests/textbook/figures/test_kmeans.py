import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_kmeans_step, plot_kmeans_steps, plot_objectives

X = np.array([[0.0, 0.0], [0.0, 2.0], [9.0, 0.0], [9.0, 2.0]])
START = np.array([[0.0, 0.0], [9.0, 0.0]])
MEANS = np.array([[0.0, 1.0], [9.0, 1.0]])


def test_a_step_shows_cells_points_centres_and_the_objective(ax):
    assert plot_kmeans_step(X, START, ax=ax) is ax
    assert len(ax.patches) == 2
    assert ax.get_title() == "J = 8"
    centres = ax.collections[-1]
    assert_allclose(centres.get_offsets(), START)
    assert sum(len(c.get_offsets()) for c in ax.collections[:-1]) == len(X)


def test_points_take_the_colour_of_their_nearest_centre(ax):
    plot_kmeans_step(X, MEANS, ax=ax)
    left, right, centres = ax.collections
    assert_allclose(left.get_offsets(), X[:2])
    assert_allclose(right.get_offsets(), X[2:])
    assert_allclose(centres.get_facecolors()[0], left.get_facecolors()[0])


def test_moves_are_drawn_as_arrows(ax):
    plot_kmeans_step(X, MEANS, previous=START, ax=ax)
    assert_allclose([arrow.xyann for arrow in ax.texts], START)
    assert_allclose([arrow.xy for arrow in ax.texts], MEANS)


def test_steps_fill_one_panel_each():
    axes = plot_kmeans_steps(X, [START, MEANS, MEANS, MEANS, MEANS])
    assert axes.shape == (5,)
    titles = [ax.get_title() for ax in axes]
    assert titles == ["start: J = 8", *[f"step {n}: J = 4" for n in (1, 2, 3, 4)]]
    assert len(axes[0].texts) == 0
    assert len(axes[1].texts) == 2
    blank = [ax for ax in axes[0].figure.axes if not ax.axison]
    assert len(blank) == 3


def test_steps_are_drawn_on_the_axes_given():
    axes = plt.subplots(1, 2)[1]
    assert list(plot_kmeans_steps(X, [START, MEANS], axes=axes)) == list(axes)
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"centers_per_step": []}, "at least one step; got none"),
        ({"centers_per_step": [START[:, :1]]}, r"2 columns; got shape \(2, 1\)"),
        ({"centers_per_step": [START], "axes": [None, None]}, "one entry per step, 1; got 2"),
        ({"centers_per_step": [START[:1], MEANS]}, r"shape of centers, \(2, 2\); got \(1, 2\)"),
    ],
)
def test_invalid_input_is_named(arguments, message):
    with pytest.raises(DataError, match=message):
        plot_kmeans_steps(X, **arguments)


def test_objectives_mark_the_best_restart(ax):
    assert plot_objectives([5.0, 3.25, 4.0], ax=ax) is ax
    every, best = ax.collections[-2:]
    assert_allclose(every.get_offsets(), [[1, 5], [2, 3.25], [3, 4]])
    assert_allclose(best.get_offsets(), [[2, 3.25]])
    assert best.get_label() == "best: 3.25, restart 2"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("restart", "objective J")


def test_objectives_must_be_a_list():
    with pytest.raises(DataError, match=r"a list of numbers; got shape \(2, 2\)"):
        plot_objectives([[1, 2], [3, 4]])
