"""Data checks: copies of the target and duplicates."""

import numpy as np
import polars as pl

from gramian.study.problem.checks import check_near_copies, copies_of_target, duplicates_across
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices


def test_copies_of_the_target_are_found():
    frame = mixed().with_columns(
        pl.col("bought").alias("label"),
        (pl.col("bought") == "yes").alias("flag"),
        (pl.col("bought") == "yes").cast(pl.Int64).alias("number"),
    )
    problem = pose_problem(frame, Settings(target="bought"))
    assert copies_of_target(problem) == ["number", "label", "flag"]
    problem = pose_problem(
        prices().with_columns(pl.col("price").alias("sum")), Settings(target="price")
    )
    assert copies_of_target(problem) == ["sum"]


def test_near_copies_are_suspected_and_honest_columns_are_not():
    rng = np.random.default_rng(0)
    frame = mixed().with_columns(
        (pl.col("bought") == "yes")
        .cast(pl.Float64)
        .add(pl.Series(rng.normal(0, 0.05, 120)))
        .alias("leak")
    )
    problem = pose_problem(frame, Settings(target="bought"))
    (found,) = check_near_copies(problem, np.arange(120))
    assert found.severity == "serious"
    assert "'leak'" in found.text
    assert check_near_copies(pose_problem(mixed(), Settings(target="bought")), np.arange(120)) == []
    leak = prices().with_columns((3 * pl.col("price") + 1).alias("euro"))
    (found,) = check_near_copies(pose_problem(leak, Settings(target="price")), np.arange(90))
    assert "'euro'" in found.text


def test_rows_on_both_sides_are_found():
    frame = pl.concat([mixed(40), mixed(40).head(5)])
    problem = pose_problem(frame.drop("customer"), Settings(target="bought"))
    duplicates = duplicates_across(problem, np.arange(40), np.arange(40, 45))
    assert duplicates.all()
    assert not duplicates_across(problem, np.arange(20), np.arange(20, 40)).any()
