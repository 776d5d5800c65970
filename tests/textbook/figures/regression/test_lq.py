"""Balls of powers."""

import numpy as np
import pytest

from gramian.textbook.figures import lq_circle, plot_lq_balls, plot_lq_geometry


@pytest.mark.parametrize("q", [0.5, 1, 2, 3.5, np.inf])
def test_points_of_a_circle_have_the_budget(q):
    points = np.abs(lq_circle(q, 2.0))
    spent = points.max(axis=1) if np.isinf(q) else (points**q).sum(axis=1)
    np.testing.assert_allclose(spent, 2.0)


def test_a_ball_for_each_power():
    assert len(plot_lq_balls([0.5, 1, np.inf]).get_legend().get_texts()) == 3


def test_the_ball_passes_through_the_solution():
    ax = plot_lq_geometry([[4, 1], [1, 2]], [2, 1], [1.5, 0.2])
    ball = next(line for line in ax.lines if line.get_label() == "$q=1$").get_xydata()
    np.testing.assert_allclose(np.abs(ball).sum(axis=1), 1.7)
    with pytest.raises(ValueError, match="not zero"):
        plot_lq_geometry([[4, 1], [1, 2]], [2, 1], [0, 0])
