"""Figures of ROC, error curves, bias and variance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.plot import (
    plot_bias_variance_curve,
    plot_bias_variance_fits,
    plot_error_curve,
    plot_roc,
)


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


ROC = ([0, 0, 0, 0.5, 0.5, 1], [0, 1 / 3, 2 / 3, 2 / 3, 1, 1], [np.inf, 0.9, 0.8, 0.7, 0.6, 0.5])


def test_roc_is_drawn_with_area_thresholds_and_the_chosen_one(ax):
    assert plot_roc(*ROC, area=(0.833, 0.371, 1.0), chosen=0.62, marks=3, ax=ax) is ax
    curve, chance, marks = ax.lines
    assert_allclose(curve.get_xydata(), np.transpose(ROC[:2]))
    assert_allclose(chance.get_xydata(), [[0, 0], [1, 1]])
    assert len(marks.get_xydata()) == len(ax.texts) == 3
    assert_allclose(ax.collections[0].get_offsets(), [[0.5, 1]])
    assert labels(ax) == ["AUC 0.833 (0.371 to 1.000)", "chance", "threshold 0.6"]


def test_a_second_roc_has_its_own_colour_and_one_diagonal(ax):
    plot_roc(*ROC, name="one", ax=ax)
    plot_roc([0, 1], [0, 1], name="two", ax=ax)
    curves = [line for line in ax.lines if line.get_gid() == "roc"]
    assert curves[0].get_color() != curves[1].get_color()
    assert labels(ax).count("chance") == 1
    assert "one: AUC 0.833" in labels(ax)


def test_errors_are_drawn_with_the_best_value(ax):
    folds = np.array([[0.4, 0.6], [0.1, 0.3], [0.3, 0.3]])
    plot_error_curve([1, 10, 100], [0.3, 0.1, 0.0], folds, name="C", ax=ax)
    train, validation = ax.lines
    assert_allclose(train.get_ydata(), [0.3, 0.1, 0.0])
    assert_allclose(validation.get_ydata(), [0.5, 0.2, 0.3])
    assert ax.get_xscale() == "log"
    assert labels(ax)[-1] == "best: C = 10, error 0.2"
    assert_allclose(ax.collections[-1].get_offsets(), [[10, 0.2]])


def test_values_may_be_names_and_the_mark_left_out(ax):
    plot_error_curve(["gini", "entropy"], [0.1, 0.1], [0.3, 0.2], mark_best=False, ax=ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["gini", "entropy"]
    assert labels(ax) == ["training", "validation"]


def test_fits_show_bias_and_spread_at_the_point(ax):
    fits = np.array([[0.0, 1.0, 1.0], [0.0, 3.0, 1.0]])
    plot_bias_variance_fits([0, 1, 2], fits, [0.0, 1.5, 1.0], noise=0.25, point=1.1, ax=ax)
    assert labels(ax)[-2:] == ["bias at 1: 0.5", "one deviation of the fits: 1"]
    bias, spread = ax.lines[-2:]
    assert_allclose(bias.get_ydata(), [1.5, 2.0])
    assert_allclose(spread.get_ydata(), [1.0, 3.0])
    mean = next(line for line in ax.lines if line.get_label() == "mean fit")
    assert_allclose(mean.get_ydata(), [0, 2, 1])


def test_the_parts_of_the_error_add_up(ax):
    plot_bias_variance_curve(
        [1, 2, 3], [0.5, 0.1, 0.0], [0.0, 0.1, 0.4], 0.1, test_error=[0.6, 0.3, 0.5], ax=ax
    )
    total = next(line for line in ax.lines if line.get_label() == "sum")
    assert_allclose(total.get_ydata(), [0.6, 0.3, 0.5])
    assert "least: complexity = 2, 0.3" in labels(ax)
    assert "error on fresh data" in labels(ax)


@pytest.mark.parametrize(
    ("draw", "phrase"),
    [
        (lambda: plot_roc([0, 1], [0, 0.5, 1]), "equally long"),
        (lambda: plot_roc([0, 1], [0, 1], [1.0]), "as many as the points"),
        (lambda: plot_error_curve([1, 2], [0.1], [0.1, 0.2]), "one row for each value"),
        (lambda: plot_bias_variance_fits([0, 1], [[1.0]], [0, 1]), "entry for each x"),
        (lambda: plot_bias_variance_curve([1], [1, 2], [1], 0), "one entry for each value"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(draw, phrase):
    with pytest.raises(ValueError, match=phrase):
        draw()
