"""Leaks are found, each with its own issue, and honest columns are left alone."""

import datetime

import numpy as np
import polars as pl
import pytest

from gramian.study.problem.leaks import check_leaks
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings
from tests.study import made_tables
from tests.study.tables import mixed, prices


def found(frame, target, **settings):
    wanted = Settings(target=target, **settings)
    problem = pose_problem(frame, wanted)
    return check_leaks(problem, wanted, np.arange(len(problem.rows)))


def codes(frame, target, **settings):
    return [f"{i.code}: {i.severity}" for i in found(frame, target, **settings).issues]


@pytest.mark.parametrize(
    ("name", "code", "column"),
    [
        ("value", "target-leak", "'fee' alone nearly determines"),
        ("missing", "missing-leak", "Whether 'reminder' is missing"),
        ("copy", "target-leak", "'late_entered' alone nearly determines"),
        ("number", "target-leak", "'pounds' alone nearly determines"),
        ("identifier", "identifier-leak", "The order of the identifier 'ticket' nearly"),
        ("time", "time-leak", "The date 'closed' alone nearly determines"),
        ("groups", "group-leak", "'patient' repeats: 60 values in 360 rows"),
    ],
)
def test_a_leak_is_serious_and_names_its_column(name, code, column):
    (issue,) = found(*made_tables.LEAKING[name]()).issues
    assert (issue.code, issue.severity) == (code, "serious")
    assert column in issue.text


def test_honest_tables_have_none():
    assert codes(made_tables.plain(), "late") == []
    assert codes(mixed(), "bought") == []
    assert codes(prices(), "price") == []
    assert codes(*made_tables.unbalanced()) == []


def test_copies_of_rows_do_not_make_columns_suspicious():
    """Each value of a row that occurs four times tells its class; no column is to blame."""
    leaks = found(*made_tables.leak_by_duplicates())
    assert leaks.issues == []
    assert max(leaks.skills.values()) < 0.5


def test_an_identifier_that_was_left_out_is_only_noted():
    frame = made_tables.plain().sort("late").with_row_index("id")
    assert codes(frame, "late") == ["identifier-leak: note"]
    named = frame.with_columns(id=pl.Series([f"T-{i:04d}" for i in range(300)]))
    assert codes(named, "late") == ["identifier-leak: note"]
    assert codes(frame.sample(fraction=1, shuffle=True, seed=0), "late") == [
        "identifier-leak: note"
    ]
    assert codes(made_tables.plain().with_row_index("id"), "late") == []


def test_the_time_between_two_dates_gives_the_target_away():
    frame = made_tables.plain()
    rng = np.random.default_rng(0)
    opened = [datetime.date(2025, 1, 1) + datetime.timedelta(int(d))
              for d in rng.integers(0, 300, 300)]  # fmt: skip
    took = np.where(made_tables.positive(frame), 31 + rng.integers(0, 60, 300),
                    rng.integers(0, 30, 300))  # fmt: skip
    closed = [day + datetime.timedelta(int(d)) for day, d in zip(opened, took, strict=True)]
    frame = frame.with_columns(opened=pl.Series(opened), closed=pl.Series(closed))
    (issue,) = found(frame, "late").issues
    assert issue.text == "The time from 'opened' to 'closed' nearly determines the target."
    assert issue.severity == "serious"


def test_a_number_that_is_missing_where_the_target_has_one_value():
    rng = np.random.default_rng(0)
    paid = np.where(rng.random(200) < 0.4, 0.0, rng.normal(50, 10, 200))
    day = [None if p == 0 else int(d) for p, d in zip(paid, rng.integers(1, 30, 200), strict=True)]
    frame = pl.DataFrame({"a": rng.normal(size=200), "day": day, "paid": paid})
    assert codes(frame, "paid", task="regression") == ["missing-leak: serious"]


def test_an_identifier_that_repeats_suggests_groups():
    frame, target = made_tables.leak_by_groups()
    assert codes(frame, target, groups="patient") == []
    mixed_up = frame.with_columns(pl.Series(target, frame[target].shuffle(seed=0)))
    (issue,) = found(mixed_up, target).issues
    assert (issue.code, issue.severity) == ("repeated-identifier", "note")
    assert "groups='patient'" in issue.remedy
    rng = np.random.default_rng(0)
    some = [value if keep else other for value, other, keep in
            zip(frame[target], mixed_up[target], rng.random(360) < 0.7, strict=True)]  # fmt: skip
    assert codes(frame.with_columns(pl.Series(target, some)), target) == ["group-leak: warning"]


def test_targets_of_one_identifier_are_called_the_same_only_if_they_are():
    rng = np.random.default_rng(0)
    customer = np.repeat(np.arange(60), 6)
    amount = rng.normal(size=60)[customer]
    frame = pl.DataFrame({"x": rng.normal(size=360), "customer_id": customer, "amount": amount})
    (issue,) = found(frame, "amount", task="regression").issues
    assert issue.severity == "serious"
    assert "rows with the same value have the same target," in issue.text
    near = frame.with_columns(amount=amount + rng.normal(scale=0.01, size=360))
    (issue,) = found(near, "amount", task="regression").issues
    assert issue.severity == "serious"
    assert "rows with the same value have similar targets," in issue.text


def test_few_rows_are_not_judged():
    frame, target = made_tables.leak_by_value()
    assert codes(frame.head(40), target) == []


def test_a_sample_of_many_rows_finds_the_same():
    frame, target = made_tables.leak_by_value()
    rng = np.random.default_rng(0)
    many = pl.concat([frame] * 20).with_columns(x0=pl.Series(rng.normal(size=6000)))
    assert codes(many, target) == ["target-leak: serious"]


def test_columns_of_any_size():
    rng = np.random.default_rng(0)
    x = rng.normal(size=100)
    frame = pl.DataFrame({"big": 1e300 * x, "tiny": 1e-300 * rng.normal(size=100), "y": 1e300 * x})
    near = frame.with_columns(near=pl.col("y") * 0.5)
    assert codes(near, "y", task="regression") == ["target-leak: serious"]
