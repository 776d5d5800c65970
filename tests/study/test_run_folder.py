"""Run directories: never overwritten, written whole, and read with errors that say what to do."""

import json
import os

import numpy as np
import polars as pl
import pytest

import gramian
from gramian.base.errors import DataError
from gramian.data.reading import LoadedTable
from gramian.study import run_folder
from gramian.study.settings import Settings

TABLE = LoadedTable(pl.DataFrame({"x": [1]}), 'odd "name"', "CSV", "ab12")


def test_new_folders_are_numbered(tmp_path):
    names = [run_folder.new_folder(tmp_path, "wine").name for _ in range(3)]
    assert names == ["wine-run", "wine-run-2", "wine-run-3"]


def test_a_given_folder_must_be_new(tmp_path):
    path = run_folder.given_folder(tmp_path / "a" / "b")
    assert path.is_dir()
    with pytest.raises(DataError, match="already exists; choose another one, or resume"):
        run_folder.given_folder(path)


def test_only_a_folder_without_a_finished_step_is_removed(tmp_path):
    empty, used = tmp_path / "empty", tmp_path / "used"
    for folder, text in ((empty, ""), (used, "{}\n")):
        folder.mkdir()
        (folder / "journal.jsonl").write_text(text)
        run_folder.remove_if_nothing_done(folder)
    assert not empty.exists()
    assert used.exists()


def test_an_unused_path_has_a_number_before_its_suffix(tmp_path):
    path = tmp_path / "out.csv"
    assert run_folder.unused_path(path) == path
    path.touch()
    (tmp_path / "out-2.csv").touch()
    assert run_folder.unused_path(path).name == "out-3.csv"


def test_the_settings_of_a_run_come_back(tmp_path):
    settings = Settings(target="ö", models=("Ridge",), costs=((0.0, 1.0), (5.0, 0.0)), seed=7)
    run_folder.write_run(tmp_path, settings, TABLE, "wine.csv", "gramian fit wine.csv")
    found = run_folder.read_run(tmp_path)
    assert Settings.of(found["settings"]) == settings
    assert found["command"] == "gramian fit wine.csv"
    assert found["data"] == {
        "source": "wine.csv", "name": 'odd "name"', "format": "CSV", "sha256": "ab12",
    }  # fmt: skip
    assert found["versions"]["numpy"] == np.__version__
    assert found["gramian"] == gramian.__version__


def test_what_is_no_run_is_said(tmp_path):
    with pytest.raises(DataError, match=r"not a run directory; it has no run\.toml"):
        run_folder.read_run(tmp_path)
    (tmp_path / "run.toml").write_text("not = [toml")
    with pytest.raises(DataError, match="cannot be read"):
        run_folder.read_run(tmp_path)


def test_contents_of_a_run_that_is_not_finished_or_damaged(tmp_path):
    run_folder.write_run(tmp_path, Settings(), TABLE, "-", "gramian fit -")
    with pytest.raises(DataError, match="the run is not finished"):
        run_folder.read_contents(tmp_path)
    (tmp_path / "report.json").write_text('{"run": ')
    with pytest.raises(DataError, match="the file is damaged"):
        run_folder.read_contents(tmp_path)


def test_a_study_is_written_with_its_result_last(classified, tmp_path, monkeypatch):
    written = []
    replace = os.replace
    monkeypatch.setattr(
        "pathlib.Path.replace", lambda a, b: (written.append(b.name), replace(a, b))
    )
    run_folder.write_run(tmp_path, Settings(), TABLE, "-", "gramian fit -")
    run_folder.write_study(tmp_path, classified)
    assert written == ["run.toml", "model.gram", "report.json", "result.json"]
    assert run_folder.read_contents(tmp_path) == classified.contents
    assert json.loads((tmp_path / "result.json").read_text())["winner"] == "LogisticRegression"


def test_values_that_json_lacks_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        run_folder.write_json(tmp_path / "x.json", {"a": float("nan")})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run.toml", "report.json"])
def test_files_of_a_run_are_not_read_through_links(tmp_path, name):
    (tmp_path / "run.toml").write_text("[settings]\n")
    (tmp_path / name).unlink(missing_ok=True)
    other = tmp_path / "other"
    other.write_text("{}")
    (tmp_path / name).symlink_to(other)
    with pytest.raises(DataError, match="not a link"):
        run_folder.read_contents(tmp_path)


def test_a_report_nested_too_deep_is_damaged(tmp_path):
    (tmp_path / "run.toml").write_text("[settings]\n")
    (tmp_path / "report.json").write_text("[" * 200_000)
    with pytest.raises(DataError, match="damaged"):
        run_folder.read_contents(tmp_path)


def test_a_link_that_leads_nowhere_is_not_an_unused_path(tmp_path):
    (tmp_path / "a.csv").symlink_to("nowhere")
    assert run_folder.unused_path(tmp_path / "a.csv") == tmp_path / "a-2.csv"
