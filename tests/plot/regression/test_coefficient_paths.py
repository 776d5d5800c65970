import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_coefficient_paths
from gramian.plot.regression.coefficient_paths import _spread_out
from tests.plot.conftest import legend_texts

ALPHAS = np.array([10.0, 0.1, 1.0])
COEFS = np.array([[0.1, 0.0], [2.0, -1.0], [1.0, -0.5]])


def test_each_coefficient_is_a_curve_over_rising_penalties(ax):
    assert plot_coefficient_paths(ALPHAS, COEFS, names=["a", "b"], chosen=1.0, ax=ax) is ax
    for line, coef in zip(ax.lines, COEFS.T, strict=False):
        assert_allclose(line.get_xdata(), [0.1, 1, 10])
        assert_allclose(line.get_ydata(), coef[[1, 2, 0]])
    assert ax.get_xscale() == "log"
    assert [text.get_text() for text in ax.texts] == ["a", "b"]
    assert legend_texts(ax) == ["chosen: 1"]


@given(
    heights=arrays(np.float64, st.integers(1, 8), elements=st.floats(-1, 1)),
    gap=st.floats(0.01, 0.5),
)
def test_names_are_moved_apart_no_more_than_needed(heights, gap):
    places = _spread_out(heights, gap)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(places[order]) >= gap * (1 - 1e-9) - 1e-12).all()
    if (np.diff(heights[order]) >= gap).all():
        assert_allclose(places, heights, atol=1e-12)
    assert places.sum() == pytest.approx(heights.sum(), abs=1e-9)


@pytest.mark.parametrize(
    ("alphas", "coefs", "names", "message"),
    [
        ([1, 2], COEFS, None, "one row for each"),
        ([0, 1, 2], COEFS, None, "positive alphas"),
        (ALPHAS, COEFS, ["a"], "one entry per coefficient, 2; got 1"),
    ],
)
def test_what_does_not_match_is_refused(alphas, coefs, names, message):
    with pytest.raises(DataError, match=message):
        plot_coefficient_paths(alphas, coefs, names=names)
