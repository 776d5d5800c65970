"""Training and validation error against a hyperparameter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.plot import (
    plot_error_curve,
)
from tests.plot.conftest import legend_texts


def test_errors_are_drawn_with_the_best_value(ax):
    folds = np.array([[0.4, 0.6], [0.1, 0.3], [0.3, 0.3]])
    plot_error_curve([1, 10, 100], [0.3, 0.1, 0.0], folds, name="C", ax=ax)
    train, validation = ax.lines
    assert_allclose(train.get_ydata(), [0.3, 0.1, 0.0])
    assert_allclose(validation.get_ydata(), [0.5, 0.2, 0.3])
    assert ax.get_xscale() == "log"
    assert legend_texts(ax)[-1] == "best: C = 10, error 0.2"
    assert_allclose(ax.collections[-1].get_offsets(), [[10, 0.2]])


def test_values_may_be_names_and_the_mark_left_out(ax):
    plot_error_curve(["gini", "entropy"], [0.1, 0.1], [0.3, 0.2], mark_best=False, ax=ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["gini", "entropy"]
    assert legend_texts(ax) == ["training", "validation"]


def test_errors_for_other_values_are_refused():
    with pytest.raises(ValueError, match="one row for each value"):
        plot_error_curve([1, 2], [0.1], [0.1, 0.2])
