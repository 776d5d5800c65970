"""Rows are split so that every row tests, tunes or compares as it should."""

import numpy as np
import polars as pl
import pytest

from gramian.base.errors import DataError
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.settings import Settings
from tests.study.tables import mixed


def splits_of(frame, **settings):
    wanted = Settings(**settings)
    return pose_problem(frame, wanted), split_rows(pose_problem(frame, wanted), wanted)


def test_parts_are_disjoint_and_whole():
    problem, splits = splits_of(mixed(), target="bought")
    assert np.array_equal(np.sort(np.r_[splits.development, splits.test]), np.arange(120))
    for train, held_out in [*splits.tuning, *splits.comparing]:
        assert np.array_equal(np.sort(np.r_[train, held_out]), splits.development)
    once = np.concatenate([rows for _, rows in splits.comparing[: splits.once]])
    assert np.array_equal(np.sort(once), splits.development)
    shares = [np.mean(problem.y[rows]) for rows in (splits.development, splits.test)]
    assert abs(shares[0] - shares[1]) < 0.05
    assert len(splits.comparing) >= 10


def test_tuning_and_comparing_folds_differ():
    _, splits = splits_of(mixed(), target="bought")
    tuned = {rows.tobytes() for _, rows in splits.tuning}
    assert not tuned & {rows.tobytes() for _, rows in splits.comparing}


def test_groups_stay_together():
    frame = mixed().with_columns(pl.Series("family", np.arange(120) // 4))
    problem, splits = splits_of(frame, target="bought", groups="family")
    groups = problem.groups
    for a, b in [(splits.development, splits.test), *splits.tuning, *splits.comparing]:
        assert not set(groups[a]) & set(groups[b])
    assert "family" not in problem.kinds


def test_time_goes_forward():
    frame = mixed().with_columns(pl.Series("day", np.arange(120)[::-1] * 3))
    problem, splits = splits_of(frame, target="bought", time="day")
    assert list(problem.rows[:3]) == [119, 118, 117]
    for a, b in [(splits.development, splits.test), *splits.tuning, *splits.comparing]:
        assert a.max() < b.min()
    assert "day" not in problem.kinds


def test_a_class_of_the_test_rows_alone_moves_to_the_others():
    labels = ["a"] * 20 + ["b"] * 20 + ["c"]
    frame = pl.DataFrame({"x": np.arange(41.0) ** 2, "y": labels})
    for seed in range(8):
        problem, splits = splits_of(frame, target="y", seed=seed)
        assert 2 in problem.y[splits.development]
        assert len(splits.test) >= 7


def test_one_group_is_too_few():
    frame = mixed().with_columns(pl.lit("one").alias("family"), pl.Series("x", np.arange(120.0)))
    with pytest.raises(DataError, match="groups"):
        splits_of(frame, target="bought", groups="family")
