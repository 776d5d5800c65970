"""Five halvings, each used both ways."""

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score

from gramian.evaluate import (
    FiveByTwo,
)


def test_worked_number_t25_five_by_two_gives_ten_pairs():
    X, y = np.zeros((21, 2)), np.repeat([0, 1, 2], 7)
    splits = list(FiveByTwo(random_state=0).split(X, y))
    assert len(splits) == FiveByTwo().get_n_splits() == 10
    for (a, b), (c, d) in zip(splits[::2], splits[1::2], strict=True):
        assert_array_equal(a, d)  # each halving is used both ways
        assert_array_equal(b, c)
        assert sorted([*a, *b]) == list(range(21))
        assert set(np.bincount(y[a])) <= {3, 4}
    assert len({tuple(test) for _, test in splits}) == 10


def test_five_by_two_takes_numbers_and_joins_cross_validation(rng):
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    scores = cross_val_score(Ridge(), X, y, cv=FiveByTwo(random_state=1))
    assert scores.shape == (10,)
    again = cross_val_score(Ridge(), X, y, cv=FiveByTwo(random_state=1))
    assert_array_equal(scores, again)


def test_five_by_two_stratifies_labels_only():
    X = np.zeros((8, 1))
    rare = np.array([0, 0, 0, 1, 1, 1, 1, 2])  # 2 cannot be in both halves
    measured = np.array([1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    for y in (rare, measured):
        at_random = FiveByTwo(stratify=False, random_state=0).split(X)
        for ours, theirs in zip(FiveByTwo(random_state=0).split(X, y), at_random, strict=True):
            assert_array_equal(ours[1], theirs[1])
    words = np.array(["a", "b"])[(measured > 1).astype(int)]
    assert all((words[test] == "a").sum() == 2 for _, test in FiveByTwo().split(X, words))
