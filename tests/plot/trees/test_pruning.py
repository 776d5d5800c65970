"""Errors of pruned trees."""

from gramian.plot import (
    plot_pruning_curve,
)
from tests.plot.conftest import legend_texts


def test_the_chosen_tree_is_marked(ax):
    plot_pruning_curve(
        [4, 2, 1], [0, 0.1, 0.5], [0.3, 0.2, 0.5], chosen=2, standard_error=[0.1] * 3, ax=ax
    )
    texts = legend_texts(ax)
    assert texts == ["training", "estimated", "one standard error above", "1 leaf"]
