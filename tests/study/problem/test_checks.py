"""Data checks: copies of the target."""

import polars as pl

from gramian.study.problem.checks import copies_of_target
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
