"""Stratified folds for multi-label targets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from gramian.evaluate import (
    IterativeStratifiedKFold,
)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**31), k=st.integers(2, 5), share=st.floats(0.02, 0.6))
def test_iterative_stratification_keeps_every_label(seed, k, share):
    """The rarest label is dealt first, so its folds differ by at most one row."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((60, 4)) < share).astype(int)
    folds = [test for _, test in IterativeStratifiedKFold(k, random_state=seed).split(Y, Y)]
    assert sorted(np.concatenate(folds)) == list(range(60))
    if Y.any():
        totals = Y.sum(axis=0)
        rarest = np.where(totals > 0, totals, 99).argmin()
        shares = [Y[test, rarest].sum() for test in folds]
        assert max(shares) - min(shares) <= 1


def test_iterative_stratification_is_closer_to_the_proportions_than_random_folds(data_folder):
    """Sechidis et al. 2011, measure LD: mean distance of the folds' label odds from the data's."""
    Y = _labels(data_folder / "emotions-train.arff.gz", 6)
    seeds = range(5)
    ours = [IterativeStratifiedKFold(10, random_state=seed).split(Y, Y) for seed in seeds]
    chance = [KFold(10, shuffle=True, random_state=seed).split(Y) for seed in seeds]
    distance = [np.mean([_label_distance(Y, splits) for splits in way]) for way in (ours, chance)]
    assert distance[0] < 0.5 * distance[1]


def _labels(path, count):
    import gzip

    rows = gzip.decompress(path.read_bytes()).decode().lower().partition("@data")[2].split()
    return np.array([row.split(",")[-count:] for row in rows if row], dtype=float).astype(int)


def _label_distance(Y, splits):
    odds = Y.sum(axis=0) / (1 - Y).sum(axis=0)
    found = [Y[test].sum(axis=0) / (1 - Y[test]).sum(axis=0) for _, test in splits]
    return np.abs(np.array(found) - odds).mean()


@pytest.mark.parametrize("y", [np.zeros(4), np.full((4, 2), 3), np.zeros((3, 2))])
def test_invalid_label_matrices_raise(y):
    with pytest.raises(ValueError, match="IterativeStratifiedKFold: "):
        next(IterativeStratifiedKFold(2).split(np.zeros((4, 1)), y))


def test_sets_of_labels_are_split_like_their_matrix():
    Y = np.array([[1, 0], [1, 1], [0, 1], [1, 0], [0, 0], [1, 1], [0, 1], [0, 0]])
    sets = [{"ab"[j] for j in np.flatnonzero(row)} for row in Y]
    both = [IterativeStratifiedKFold(2, random_state=0).split(Y, y) for y in (Y, sets)]
    for (_, matrix), (_, named) in zip(*both, strict=True):
        np.testing.assert_array_equal(matrix, named)


def test_more_folds_than_rows_are_refused():
    with pytest.raises(ValueError, match="between 2 and the number of rows, 3; got 5"):
        next(IterativeStratifiedKFold(5).split(np.zeros((3, 1)), np.eye(3)))
