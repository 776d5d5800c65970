"""What all splitters share."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from gramian.evaluate import (
    Bootstrap,
    FiveByTwo,
    GuardedLeavePOut,
    IterativeStratifiedKFold,
)


def test_folds_of_scikit_learn_are_stratified_and_disjoint(rng):
    """Stratified folds keep class shares within one row; K folds test every row once."""
    y = rng.permutation(np.repeat([0, 1, 2], [33, 20, 12]))
    X = rng.normal(size=(65, 2))
    tests = [test for _, test in StratifiedKFold(5).split(X, y)]
    counts = np.array([np.bincount(y[test], minlength=3) for test in tests])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert sorted(np.concatenate([t for _, t in KFold(5).split(X)])) == list(range(65))
    assert len(cross_val_score(GaussianNB(), X, y)) == 5


@pytest.mark.parametrize(
    ("splitter", "words"),
    [
        (FiveByTwo(random_state=3), "FiveByTwo(stratify=True, random_state=3)"),
        (GuardedLeavePOut(2), "GuardedLeavePOut(p=2, max_splits=10000)"),
        (IterativeStratifiedKFold(4), "IterativeStratifiedKFold(n_splits=4, random_state=None)"),
        (Bootstrap(7), "Bootstrap(n_splits=7, stratify=False, random_state=None)"),
    ],
)
def test_splitters_print_as_the_call_that_makes_them(splitter, words):
    assert repr(splitter) == words
