import numpy as np
import pytest
from matplotlib.patches import Rectangle
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_extrapolation_errors, plot_fits

X = np.arange(6.0)
Y = X**2
FITS = {"degree 1": lambda Z: 5 * Z[:, 0], "degree 2": lambda Z: Z[:, 0] ** 2}


def spans(ax):
    boxes = [p for p in ax.patches if isinstance(p, Rectangle)]
    return [(box.get_x(), box.get_x() + box.get_width()) for box in boxes]


def test_unseen_points_are_hollow_and_shaded(ax):
    seen = np.array([False, True, True, True, True, False])
    assert plot_fits(X, Y, FITS, seen=seen, ax=ax) is ax
    known, unknown = ax.collections
    assert_allclose(known.get_offsets()[:, 0], X[seen])
    assert_allclose(unknown.get_offsets()[:, 0], X[~seen])
    assert not np.array_equal(known.get_facecolor(), unknown.get_facecolor())
    (left, first), (last, right) = spans(ax)
    assert (left, right) == ax.get_xlim()
    assert (first, last) == (1, 4)


def test_nothing_is_shaded_if_all_points_are_seen(ax):
    plot_fits(X, Y, FITS, ax=ax)
    assert spans(ax) == []
    for line, predict in zip(ax.lines, FITS.values(), strict=True):
        assert_allclose(line.get_ydata(), predict(line.get_xdata()[:, None]))


def test_a_diverging_curve_does_not_change_the_height(ax):
    plot_fits(X, Y, {"wild": lambda Z: 1e6 * Z[:, 0]}, ax=ax)
    assert ax.get_ylim()[1] < 30


def test_errors_have_a_curve_each(ax):
    assert plot_extrapolation_errors([1, 2], [3, 2], [4, 3], [5, 90], ax=ax) is ax
    assert_allclose([line.get_ydata() for line in ax.lines], [[3, 2], [4, 3], [5, 90]])
    assert ax.get_yscale() == "log"


def test_what_does_not_match_is_refused():
    with pytest.raises(DataError, match="one entry for each x"):
        plot_fits(X, Y[:-1], FITS)
    with pytest.raises(DataError, match="seen at least one True"):
        plot_fits(X, Y, FITS, seen=np.zeros(6, dtype=bool))
    with pytest.raises(DataError, match="one error for each degree"):
        plot_extrapolation_errors([1, 2], [1, 2], [1, 2], [1, 2, 3])
