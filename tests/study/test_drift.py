"""New rows are compared with the training table, without crying wolf."""

import json

import numpy as np
import polars as pl
import pytest

from gramian.study.drift import (
    FEWEST,
    Drift,
    compare_columns,
    read_summary,
    stability_index,
    summarize_columns,
)

KINDS = {"age": "numeric", "town": "categorical", "when": "date", "note": "text"}


def rows(n, seed, *, shift=0.0, towns=("Aachen", "Bonn"), missing=0.1, days=0):
    rng = np.random.default_rng(seed)
    age = [
        None if g else float(v)
        for v, g in zip(rng.normal(40 + shift, 10, n), rng.random(n) < missing, strict=True)
    ]
    start = np.datetime64("2023-01-01") + days
    return pl.DataFrame(
        {
            "age": age,
            "town": rng.choice(list(towns), n),
            "when": start + rng.integers(0, 300, n),
            "note": ["word"] * n,
        }
    )


@pytest.fixture(scope="module")
def training():
    found = summarize_columns(rows(2000, 0), KINDS)
    return json.loads(json.dumps(found))  # it is stored as JSON


def test_rows_of_the_same_source_show_no_drift(training):
    """The level of the tests is 1%, adjusted over the columns: of 100 tables about one."""
    cried = 0
    for seed in range(1, 101):
        found = compare_columns(training, rows(150, seed)).findings
        cried += any("range" not in sentence for sentence in found)
    assert cried <= 3


@pytest.mark.parametrize("name", ["age", "when"])
def test_a_column_that_is_wholly_missing_is_reported(training, name):
    table = rows(50, 1)
    empty = table.with_columns(pl.lit(None, dtype=table.schema[name]).alias(name))
    before = "10%" if name == "age" else "0%"
    found = compare_columns(training, empty).findings
    assert f"{name!r}: 100% missing, compared with {before} in training." in found


def test_one_row_is_counted_in_the_singular():
    (text,) = Drift([], compared=0, rows=1).sentences()
    assert text.startswith("With only 1 row, distributions were not compared")


def test_a_shifted_column_is_reported_with_what_chance_would_give(training):
    found = compare_columns(training, rows(200, 1, shift=10))
    (text,) = [s for s in found.findings if "distributed differently" in s]
    assert text.startswith("'age': distributed differently than in training (population stability")
    assert "about 0.06 is expected without a change" in text  # 9 (1/180 + 1/1800)
    assert found.sentences()[-1].startswith("Predictions may be inaccurate for rows that differ")


def test_unseen_categories_are_named(training):
    table = rows(50, 2, towns=("Bonn", "Celle"))
    n = (table["town"] == "Celle").sum()
    found = compare_columns(training, table).findings
    assert f"'town': 1 unseen value in {n} of 50 rows: 'Celle'." in found


def test_values_beyond_the_training_range_are_counted(training):
    table = rows(3, 3).with_columns(age=pl.Series([40.0, 500.0, -7.0]))
    found = compare_columns(training, table)
    assert found.findings[0].startswith("'age': 2 of 3 rows are outside the training range ")
    assert found.findings[0].endswith("; the new range is -7 to 500.")
    assert found.compared == 0
    assert any(f"at least {FEWEST} rows are needed" in s for s in found.sentences())
    later = compare_columns(training, rows(100, 4, days=400)).findings
    assert any(
        "'when': 100 of 100 rows are outside the training range 2023-01-01 to" in s for s in later
    )


def test_missing_values_are_compared(training):
    found = compare_columns(training, rows(100, 5, missing=0.9)).findings
    assert any(
        s.startswith("'age': ") and s.endswith("missing, compared with 10% in training.")
        for s in found
    )


def test_a_large_table_that_hardly_differs_is_not_reported(training):
    """With enough rows any difference is significant; below 0.1 it is not worth a word."""
    found = compare_columns(training, rows(100_000, 6, shift=0.5))
    assert not any("differently" in s for s in found.findings)


def test_no_difference_is_said_so(training):
    assert compare_columns(training, rows(2000, 0)).sentences() == [
        "No notable differences from the training data in 4 columns."
    ]
    assert Drift([], 1, 50).sentences() == [
        "No notable differences from the training data in 1 column."
    ]


def test_empty_and_constant_columns_are_compared():
    frame = pl.DataFrame({"a": [None] * 30, "b": [1.0] * 30}, schema={"a": pl.Float64, "b": float})
    known = summarize_columns(frame, {"a": "numeric", "b": "numeric"})
    assert compare_columns(known, frame).findings == []
    other = frame.with_columns(b=pl.lit(2.0))
    assert any("'b': 30 of 30 rows" in s for s in compare_columns(known, other).findings)


def test_many_levels_are_counted_together():
    frame = pl.DataFrame({"a": [f"v{i}" for i in range(3000)]})
    known = summarize_columns(frame, {"a": "categorical"})
    assert len(known["columns"]["a"]["levels"]) == 1000
    assert known["columns"]["a"]["rest"] == 2000
    assert compare_columns(known, pl.DataFrame({"a": ["new"]})).findings == []  # cannot be told


def test_the_index_is_zero_for_equal_proportions_and_symmetric():
    a, b = np.array([30, 70]), np.array([60, 40])
    assert stability_index(a, a) == 0
    assert stability_index(a, b) == pytest.approx(stability_index(b, a))
    assert stability_index(a, b) > 0.1


def test_a_summary_that_is_not_known_is_none(tmp_path):
    path = tmp_path / "training.json"
    assert read_summary(path) is None
    for text in ("{", "[]", '{"format": 99}'):
        path.write_text(text)
        assert read_summary(path) is None
