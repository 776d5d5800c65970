"""Columns are described by their kind, their missing values and their distribution."""

import datetime

import numpy as np
import polars as pl

from gramian.study.contents.columns import LabelCount
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.profile import describe_columns, describe_target
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices


def described(frame, target=None):
    task = "clustering" if target is None else "auto"
    problem = pose_problem(frame, Settings(target=target, task=task))
    return describe_columns(problem, target)


def test_the_target_comes_first_and_what_is_not_used_last():
    shown = described(mixed(), "bought").shown
    assert [c.name for c in shown] == ["bought", "age", "income", "town", "customer", "country"]
    assert [c.used for c in shown] == [False, True, True, True, False, False]
    assert [c.is_target for c in shown] == [True] + [False] * 5


def test_a_number_has_its_moments_and_a_histogram():
    income = next(c for c in described(mixed(), "bought").shown if c.name == "income")
    values = mixed()["income"]
    assert income.missing == values.null_count() > 0
    known = values.drop_nulls().to_numpy()
    np.testing.assert_allclose(
        [getattr(income, k) for k in ("mean", "deviation", "least", "median", "greatest")],
        [known.mean(), known.std(), known.min(), np.median(known), known.max()],
    )
    assert sum(income.histogram.counts) == len(known)
    assert len(income.histogram.edges) == len(income.histogram.counts) + 1


def test_a_category_has_its_levels_and_a_date_its_range():
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(i) for i in range(120)]
    frame = mixed().with_columns(day=pl.Series(days), long=pl.Series(["x" * 70, "y"] * 60))
    columns = {c.name: c for c in described(frame, "bought").shown}
    towns = mixed()["town"].value_counts(sort=True).rows()
    assert [(v.label, v.rows) for v in columns["town"].levels] == towns
    assert (columns["day"].first, columns["day"].last) == ("2026-01-01", "2026-04-30")
    assert columns["long"].levels[0].label == "x" * 57 + "..."


def test_missing_values_are_no_distinct_value():
    gaps = pl.Series([1.0, 2.0, None, float("nan")] * 30)
    frame = mixed().with_columns(gaps=gaps, town=pl.Series(["Bonn", "Ulm", None] * 40))
    columns = {c.name: c for c in described(frame, "bought").shown}
    assert (columns["gaps"].distinct, columns["town"].distinct) == (2, 2)


def test_a_text_has_its_words():
    texts = [f"the box number {i} is {'broken' if i % 3 else 'fine'}" for i in range(60)]
    frame = pl.DataFrame({"note": texts, "x": range(60), "y": ["a", "b"] * 30})
    columns = {c.name: c for c in described(frame, "y").shown}
    words = columns["note"].words
    assert words[0] == LabelCount("fine", 20)  # "broken" and "the" are in most rows
    assert len(words) == 8


def test_only_two_hundred_columns_are_described(rng):
    frame = pl.DataFrame(rng.normal(size=(12, 210)), schema=[f"x{i}" for i in range(210)])
    found = described(frame)
    assert len(found.shown) == 200
    assert found.left_out == 10


def test_the_target_is_classes_or_a_histogram():
    classes = describe_target(pose_problem(mixed(), Settings(target="bought"))).classes
    assert {c.label: c.rows for c in classes} == dict(mixed()["bought"].value_counts().rows())
    histogram = describe_target(pose_problem(prices(), Settings(target="price"))).histogram
    assert sum(histogram.counts) == 90
