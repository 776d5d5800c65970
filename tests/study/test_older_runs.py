"""Run directories of older formats are read with the names of today."""

import json
from pathlib import Path

import numpy as np

from gramian.report import render
from gramian.study.older_runs import FORMAT, current_contents
from gramian.study.run_folder import read_contents, read_run
from gramian.study.settings import Settings

OLDER = Path(__file__).parent / "older"


def test_there_is_an_older_run_for_every_older_format():
    """Each was written by the version that introduced the next format."""
    formats = [json.loads(path.read_text())["format"] for path in OLDER.glob("*/report.json")]
    assert sorted(formats) == list(range(1, FORMAT))


def test_an_older_report_has_the_names_of_today(classified):
    found = read_contents(OLDER / "run1")
    today = classified.contents
    assert found.keys() == today.keys()
    assert found["format"] == today["format"] == FORMAT
    assert found["test"].keys() - {"rejected"} == today["test"].keys()
    assert found["worst_rows"][0].keys() == today["worst_rows"][0].keys()
    (old,), (new,) = (c["models"]["LogisticRegression"]["curves"] for c in (found, today))
    assert sum(found["test"]["rejected"]) + np.sum(found["test"]["confusion"]) == 54
    assert "rejected" in found["models"]["LogisticRegression"]
    assert old["calibration"].keys() == new["calibration"].keys()
    shown = {column["name"]: column["kind"] for column in found["columns"]["shown"]}
    assert (shown["age"], shown["town"], shown["country"]) == ("numeric", "categorical", "constant")
    assert {effect["kind"] for effect in found["effects"]} == {"numeric", "categorical"}
    assert [check["code"] for check in found["checks"]].count("duplicate-rows") == 1


def test_the_settings_of_an_older_run_are_read():
    settings = Settings.of(read_run(OLDER / "run1")["settings"])
    assert (settings.test_size, settings.reject, settings.target) == (0.3, 0.2, "bought")
    assert read_contents(OLDER / "run1")["run"]["settings"]["test_size"] == 0.3


def test_an_older_report_is_rendered():
    page = render(read_contents(OLDER / "run1"))
    assert "duplicate-rows" in page
    assert "11 test rows also appear in the training data" in page
    assert "--test 0.3" in page


def test_contents_of_today_are_left_alone(classified):
    before = json.dumps(classified.contents)
    assert json.dumps(current_contents(classified.contents)) == before
