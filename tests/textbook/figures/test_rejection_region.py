import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_rejection_region
from tests.plot.conftest import legend_texts


def shaded(ax):
    return np.concatenate([path.vertices[:, 0] for path in ax.collections[0].get_paths()])


def test_both_tails_are_shaded_and_the_statistic_is_a_line(ax):
    law = stats.t(4)
    assert (
        plot_rejection_region(law.pdf, law.ppf(0.025), law.isf(0.025), statistic=2.83, ax=ax) is ax
    )
    assert np.abs(shaded(ax)).min() == pytest.approx(2.776, abs=0.01)
    assert ax.lines[1].get_xdata() == [2.83, 2.83]
    texts = legend_texts(ax)
    assert texts == ["null distribution", "rejected", "found: 2.83"]


def test_one_tail(ax):
    plot_rejection_region(stats.norm.pdf, None, stats.norm.isf(0.05), ax=ax)
    assert shaded(ax).min() == pytest.approx(1.645, abs=0.01)


@pytest.mark.parametrize("df", [1, 3])
def test_positive_distributions_begin_at_zero(ax, df):
    plot_rejection_region(stats.chi2(df).pdf, None, stats.chi2(df).isf(0.05), ax=ax)
    assert ax.lines[0].get_xdata()[0] == 0


def test_a_region_needs_an_end():
    with pytest.raises(DataError, match="one of low and high must be given"):
        plot_rejection_region(stats.norm.pdf, None, None)
