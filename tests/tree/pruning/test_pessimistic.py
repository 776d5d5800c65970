"""Pessimistic pruning."""

from gramian.tree import (
    DecisionTreeClassifier,
    prune_pessimistic,
)


def noisy(rng, n=240):
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0).astype(int) ^ (rng.random(n) < 0.25)


def test_pessimistic_pruning_removes_noise_and_keeps_clear_splits(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier().fit(X, y)
    sizes = [
        prune_pessimistic(grown, confidence=c, formula="weka").estimator.get_n_leaves()
        for c in (0.5, 0.25, 0.05, 0.001)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < grown.get_n_leaves()
    clear = DecisionTreeClassifier().fit(X, X[:, 0] > 0)
    assert prune_pessimistic(clear).estimator.get_n_leaves() == clear.get_n_leaves() == 2


def test_growth_may_stop_early_or_be_pruned_after(rng):
    """Prepruning and postpruning are two settings of one tree."""
    X, y = noisy(rng)
    early = DecisionTreeClassifier(min_impurity_decrease=0.02).fit(X, y)
    late = prune_pessimistic(DecisionTreeClassifier().fit(X, y), formula="weka").estimator
    grown = DecisionTreeClassifier().fit(X, y)
    assert max(early.get_n_leaves(), late.get_n_leaves()) < grown.get_n_leaves()
