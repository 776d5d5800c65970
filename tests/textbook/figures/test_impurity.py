"""Curves and surfaces of impurities."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.textbook.figures import (
    plot_impurity_curves,
    plot_impurity_simplex,
    plot_information_gain,
)


def test_the_gain_is_the_height_above_the_chord(ax):
    p = np.linspace(0, 1, 1001)
    plot_information_gain(p, 2 * p * (1 - p), [0.2, 0.8], [3, 1], ax=ax)
    parent = (3 * 0.2 + 0.8) / 4
    assert ax.get_title() == f"gain {2 * parent * (1 - parent) - 0.32:.3f}"
    with pytest.raises(DataError, match="two children"):
        plot_information_gain(p, p, [0.1], [1])


def test_curves_are_drawn_by_name(ax):
    plot_impurity_curves([0, 0.5, 1], {"a": [0, 1, 0], "b": [0, 0.5, 0]}, ax=ax)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0, 1, 0], [0, 0.5, 0]]
    assert [line.get_label() for line in ax.lines] == ["a", "b"]


def test_the_simplex_is_asked_about_proportions_and_names_its_corners(ax):
    asked = []

    def impurity(p):
        asked.append(p)
        return 1 - (p**2).sum(axis=-1)

    plot_impurity_simplex(impurity, resolution=6, ax=ax)
    assert len(asked[0]) == 7 * 8 / 2
    np.testing.assert_allclose(asked[0].sum(axis=1), 1)
    assert [text.get_text() for text in ax.texts] == ["class 1", "class 2", "class 3"]
