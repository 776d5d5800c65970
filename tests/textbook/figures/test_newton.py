import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_newton_steps


def f(x):
    return np.exp(x) - 2 * x


def df(x):
    return np.exp(x) - 2


def newton(start, count):
    xs = [start]
    for _ in range(count):
        xs.append(xs[-1] - df(xs[-1]) / np.exp(xs[-1]))
    return xs


def test_each_parabola_touches_the_function_and_is_lowest_at_the_next_point(ax):
    xs = newton(2.0, 3)
    assert plot_newton_steps(f, df, np.exp, xs, ax=ax) is ax
    curves = {line.get_label(): line.get_xydata() for line in ax.lines}
    for k in range(3):
        x, parabola = curves[f"parabola at $x_{{{k}}}$"].T
        near = np.abs(x - xs[k]) < 0.05
        assert_allclose(parabola[near], f(x[near]), atol=1e-3)
        assert abs(x[parabola.argmin()] - xs[k + 1]) <= x[1] - x[0]


def test_points_lie_on_the_function_and_are_named_where_there_is_room(ax):
    xs = newton(2.0, 5)
    plot_newton_steps(f, df, np.exp, xs, ax=ax)
    (dots,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert_allclose(dots.get_xydata(), np.column_stack([xs, f(np.array(xs))]))
    names = [text.get_text() for text in ax.texts]
    assert names[:2] == ["$x_{0}$", "$x_{1}$"]
    assert len(names) < len(xs)  # the last ones are too close to tell apart


def test_the_lowest_vertex_is_seen(ax):
    plot_newton_steps(f, df, np.exp, [-2.0, newton(-2.0, 1)[1]], ax=ax)
    vertex = f(-2.0) - df(-2.0) ** 2 / np.exp(-2.0) / 2
    assert ax.get_ylim()[0] < vertex


@pytest.mark.parametrize("points", [[1.0], [[1.0, 2.0]]])
def test_too_few_points_are_refused(points):
    with pytest.raises(DataError, match="2 or more numbers"):
        plot_newton_steps(f, df, np.exp, points)
