"""The best threshold on any of several columns."""

import numpy as np
import pytest

from gramian.tree import gini
from gramian.tree.growth.grow import class_targets, numeric_targets
from gramian.tree.growth.threshold_search import best_split, root_arrays, split_options


def problem(rng, n=40):
    Z, codes = rng.integers(0, 8, size=(n, 3)).astype(float), rng.integers(0, 3, size=n)
    return Z, codes, rng.integers(1, 4, size=n).astype(float)


@pytest.mark.parametrize("least", [1, 7])
def test_no_other_threshold_gains_more(rng, least):
    Z, codes, w = problem(rng)
    targets = class_targets("Tree", codes[:, None], 3)

    def impurity(rows):
        counts = np.bincount(codes[rows], weights=w[rows], minlength=3)
        return float(gini(counts)) * counts.sum() / w.sum()

    every = [
        impurity(np.ones(len(w), bool)) - impurity(left) - impurity(~left)
        for column in Z.T
        for cut in np.unique(column)[:-1]
        if (left := column <= cut) is not None and least <= w[left].sum() <= w.sum() - least
    ]
    split = best_split(Z, targets, w, split_options("gini", least))
    assert split.gain == pytest.approx(max(every))
    left = Z[:, split.column] <= split.threshold
    assert split.nodes["weight"].tolist() == [w.sum(), w[left].sum(), w[~left].sum()]
    assert min(w[left].sum(), w[~left].sum()) >= least


def test_ties_go_to_the_first_column(rng):
    Z, codes, w = problem(rng)
    doubled = np.concatenate([Z, Z[:, ::-1]], axis=1)
    targets = class_targets("Tree", codes[:, None], 3)
    plain = best_split(Z, targets, w, split_options("gini", 1))
    assert best_split(doubled, targets, w, split_options("gini", 1)).column <= plain.column


def test_no_gain_means_no_split():
    Z, w = np.arange(6.0)[:, None], np.ones(6)
    targets = numeric_targets("Tree", np.full((6, 1), 2.0), w, "squared_error")
    options = split_options("squared_error", 1)
    assert best_split(Z, targets, w, options) is None
    assert best_split(np.zeros((6, 1)), targets, w, options) is None
    root = root_arrays(targets, w, options)
    assert (len(root["kind"]), root["value"][0, 0, 0]) == (1, 2.0)
    assert options.max_depth == 1
