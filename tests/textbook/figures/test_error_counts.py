import pytest
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_error_counts
from tests.plot.conftest import legend_texts


def test_rates_of_every_size_share_one_axis(ax):
    assert plot_error_counts({1: [0.75, 0.25], 2: [0.6, 0.3, 0.1]}, 0.25, ax=ax) is ax
    few, more = ax.collections
    assert_allclose([path[0, 0] for path in few.get_segments()], [0, 1])
    assert_allclose([path[1, 1] for path in more.get_segments()], [1, 0.5, 1 / 6])
    assert legend_texts(ax) == ["n = 1", "n = 2", "risk 0.25"]


def test_n_rows_have_n_plus_1_counts(ax):
    with pytest.raises(ValueError, match=r"distributions\[3\] must have 4 probabilities"):
        plot_error_counts({3: [0.5, 0.5]}, 0.5, ax=ax)
