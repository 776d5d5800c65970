"""ROC curves with their area and thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.plot import (
    plot_roc,
)
from tests.plot.conftest import legend_texts

ROC = ([0, 0, 0, 0.5, 0.5, 1], [0, 1 / 3, 2 / 3, 2 / 3, 1, 1], [np.inf, 0.9, 0.8, 0.7, 0.6, 0.5])


def test_roc_is_drawn_with_area_thresholds_and_the_chosen_one(ax):
    assert plot_roc(*ROC, area=(0.833, 0.371, 1.0), chosen=0.62, marks=3, ax=ax) is ax
    curve, chance, marks = ax.lines
    assert_allclose(curve.get_xydata(), np.transpose(ROC[:2]))
    assert_allclose(chance.get_xydata(), [[0, 0], [1, 1]])
    assert len(marks.get_xydata()) == len(ax.texts) == 3
    assert_allclose(ax.collections[0].get_offsets(), [[0.5, 1]])
    assert legend_texts(ax) == ["AUC 0.833 (0.371 to 1.000)", "chance", "threshold 0.6"]


def test_a_second_roc_has_its_own_colour_and_one_diagonal(ax):
    plot_roc(*ROC, name="one", ax=ax)
    plot_roc([0, 1], [0, 1], name="two", ax=ax)
    curves = [line for line in ax.lines if line.get_gid() == "roc"]
    assert curves[0].get_color() != curves[1].get_color()
    assert legend_texts(ax).count("chance") == 1
    assert "one: AUC 0.833" in legend_texts(ax)


@pytest.mark.parametrize(
    ("rates", "phrase"),
    [
        (([0, 1], [0, 0.5, 1]), "of the same length"),
        (([0, 1], [0, 1], [1.0]), "one entry per point"),
    ],
)
def test_rates_and_thresholds_that_do_not_fit_are_refused(rates, phrase):
    with pytest.raises(ValueError, match=phrase):
        plot_roc(*rates)
