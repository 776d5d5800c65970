"""Two-dimensional programs."""

import numpy as np

from gramian.textbook.figures import plot_program


def test_an_inner_minimum_has_no_active_edge():
    square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    ax = plot_program(square, lambda x: float((x[0] - 1) ** 2 + (x[1] - 1) ** 2), [1, 1])
    assert not [line for line in ax.lines if line.get_linewidth() > 3]


def test_edges_through_the_solution_are_thick(ax):
    triangle = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    plot_program(triangle, lambda x: -float(x[0]), [2, 0], ax=ax)
    thick = [line.get_xydata().tolist() for line in ax.lines if line.get_linewidth() > 3]
    assert thick == [[[0, 0], [2, 0]], [[2, 0], [0, 2]]]
    assert ax.lines[-1].get_xydata().tolist() == [[2, 0]]
