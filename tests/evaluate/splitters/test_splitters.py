"""Splitters: what they promise of every split."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from gramian.evaluate import (
    Bootstrap,
    FiveByTwo,
    GuardedLeavePOut,
    IterativeStratifiedKFold,
    choose_on_validation,
    three_way_split,
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


def test_worked_number_t25_leave_p_out_gives_every_subset():
    splitter, X = GuardedLeavePOut(2), np.zeros((20, 1))
    tests = {tuple(test) for _, test in splitter.split(X)}
    assert len(tests) == splitter.get_n_splits(X) == 190


def test_leaving_out_too_many_subsets_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"5 of 100 rows .* 7.529e\+07 ways.*ShuffleSplit"):
        next(GuardedLeavePOut(5).split(np.zeros((100, 1))))
    with pytest.raises(ValueError, match="less than the 3 rows; got 3"):
        GuardedLeavePOut(3).get_n_splits([[0], [1], [2]])
    assert GuardedLeavePOut(5, max_splits=10**8).get_n_splits(range(100)) == 75_287_520


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


def test_iterative_stratification_is_closer_to_the_shares_than_chance(data_folder):
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
def test_what_is_no_label_matrix_is_refused(y):
    with pytest.raises(ValueError, match="matrix of 0 and 1 with a row for each of the 4 rows"):
        next(IterativeStratifiedKFold(2).split(np.zeros((4, 1)), y))


def test_more_folds_than_rows_are_refused():
    with pytest.raises(ValueError, match="n_splits must be from 2 to the 3 rows; got 5"):
        next(IterativeStratifiedKFold(5).split(np.zeros((3, 1)), np.eye(3)))


def test_three_parts_share_no_row_and_keep_the_classes():
    y = np.repeat([0, 1], [80, 20])
    split = three_way_split(y, y, validation=0.25, test=0.15, stratify=True, random_state=4)
    parts = (split.train, split.validation, split.test)
    assert [len(part) for part in parts] == [60, 25, 15]
    assert sorted(np.concatenate(parts)) == list(range(100))
    assert [y[part].mean() for part in parts] == pytest.approx([0.2, 0.2, 0.2])
    assert_array_equal(split.development, np.r_[split.train, split.validation])


def test_the_chosen_model_is_fitted_again_on_training_and_validation_rows(rng):
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 0.0] + 0.1 * rng.normal(size=60)
    split = three_way_split(X, random_state=0)
    candidates = {"weak": Ridge(1e-3), "strong": Ridge(1e3)}
    choice = choose_on_validation(candidates, X, y, split)
    again = Ridge(1e-3).fit(X[split.development], y[split.development])
    assert choice.best == "weak"
    assert_array_equal(choice.model.coef_, again.coef_)
    assert choice.test_score == again.score(X[split.test], y[split.test])
    first = Ridge(1e-3).fit(X[split.train], y[split.train])
    assert choice.train_scores["weak"] == first.score(X[split.train], y[split.train])
    assert choice.validation_scores["weak"] > choice.validation_scores["strong"]


def test_scikit_learns_search_over_two_parameters_does_the_same(rng):
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 0.0] + 0.1 * rng.normal(size=60)
    split = three_way_split(X, random_state=0)
    grid = {"alpha": [1e-3, 1e3], "fit_intercept": [True, False]}
    search = GridSearchCV(Ridge(), grid, cv=split.cv())
    search.fit(X[split.development], y[split.development])
    assert len(search.cv_results_["params"]) == 4
    assert search.n_splits_ == 1
    best = Ridge(**search.best_params_).fit(X[split.train], y[split.train])
    assert search.best_score_ == best.score(X[split.validation], y[split.validation])
    again = Ridge(**search.best_params_).fit(X[split.development], y[split.development])
    assert_array_equal(search.best_estimator_.coef_, again.coef_)


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        ({"X": range(10), "test": 0.8, "validation": 0.3}, "sum below 1"),
        ({"X": range(3), "test": 0.1}, "3 rows are too few"),
        ({"X": range(10), "stratify": True}, "needs class labels"),
        ({"X": range(10), "y": [0] * 9 + [1], "stratify": True}, "stratify=False, or give more"),
    ],
)
def test_splits_that_cannot_be_are_refused(arguments, phrase):
    with pytest.raises(ValueError, match=phrase):
        three_way_split(**arguments)
    with pytest.raises(ValueError, match="at least one candidate"):
        choose_on_validation({}, [[0]], [0], three_way_split(range(10)))


def test_folds_of_scikit_learn_join(rng):
    """Stratified folds keep class shares within one row; K folds test every row once."""
    y = rng.permutation(np.repeat([0, 1, 2], [33, 20, 12]))
    X = rng.normal(size=(65, 2))
    tests = [test for _, test in StratifiedKFold(5).split(X, y)]
    counts = np.array([np.bincount(y[test], minlength=3) for test in tests])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert sorted(np.concatenate([t for _, t in KFold(5).split(X)])) == list(range(65))
    assert len(cross_val_score(GaussianNB(), X, y)) == 5


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
