"""Rows that are copies of one another are found."""

import numpy as np
import polars as pl

from gramian.study.problem.duplicates import duplicates_across, first_of_duplicates
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings
from tests.study.tables import mixed


def test_rows_on_both_sides_are_found():
    frame = pl.concat([mixed(40), mixed(40).head(5)])
    problem = pose_problem(frame.drop("customer"), Settings(target="bought"))
    duplicates = duplicates_across(problem, np.arange(40), np.arange(40, 45))
    assert duplicates.all()
    assert not duplicates_across(problem, np.arange(20), np.arange(20, 40)).any()


def test_the_first_of_each_copy_is_kept():
    frame = pl.concat([mixed(40), mixed(40).head(5), mixed(40).head(2)]).drop("customer")
    problem = pose_problem(frame, Settings(target="bought"))
    assert first_of_duplicates(problem, np.arange(47)).tolist() == [True] * 40 + [False] * 7
    assert first_of_duplicates(problem, np.arange(40, 47)).tolist() == [True] * 5 + [False] * 2
