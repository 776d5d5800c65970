import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_likelihood_curve, plot_posterior_sequence
from tests.plot.conftest import legend_texts

P = np.linspace(0, 1, 101)


def test_worked_number_t2_is_the_marked_maximum(ax):
    """L(p) = 45 p^8 (1 - p)^2 is largest at 0.8, where it is 0.30199."""
    assert plot_likelihood_curve(P, 45 * P**8 * (1 - P) ** 2, name="p", ax=ax) is ax
    assert legend_texts(ax) == ["maximum at 0.8"]
    ((x, height),) = ax.lines[-1].get_xydata()
    assert (x, height) == pytest.approx((0.8, 0.30199), abs=1e-5)
    assert ax.get_ylabel() == "L(p)"


def test_a_given_estimate_is_marked(ax):
    plot_likelihood_curve(P, P * (1 - P), best=0.25, ax=ax)
    assert ax.lines[-1].get_xydata()[0].tolist() == pytest.approx([0.25, 0.1875])


def test_posteriors_in_order_with_the_prior_dashed(ax):
    curves = np.array([np.ones(101), 2 * P, 3 * P**2])
    plot_posterior_sequence(P, curves, ["prior", "one", "two"], truth=0.9, ax=ax)
    assert legend_texts(ax) == ["prior", "one", "two", "truth"]
    assert ax.lines[0].get_linestyle() == "--"
    assert_allclose([line.get_ydata() for line in ax.lines[:3]], curves)


def test_bad_input():
    with pytest.raises(DataError, match="one number for each"):
        plot_likelihood_curve(P, [1.0, 2.0])
    with pytest.raises(DataError, match="a row for each step"):
        plot_posterior_sequence(P, P)
    with pytest.raises(DataError, match="labels must have 1 entries"):
        plot_posterior_sequence(P, [P], ["a", "b"])
