"""The run directory: settings, journal, model, result and report data.

``run.toml``      command, settings, seed, digest of the data, versions: written first
``journal.jsonl`` and ``arrays/``   every finished step
``training.json`` summary of the training table, which new rows are compared with
``model.gram``, ``result.json``, ``report.json``, ``report.html``   written last, each atomically
"""

import json
import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import gramian
from gramian.base.errors import DataError
from gramian.base.files.model_file import write_model
from gramian.base.files.reading import read_own
from gramian.base.files.writing import named_errors, written_whole
from gramian.base.models import Model
from gramian.base.versions import versions_of
from gramian.data.reading import LoadedTable
from gramian.study.contents import Contents
from gramian.study.drift import summarize_columns
from gramian.study.running import Study
from gramian.study.settings import Settings
from gramian.study.using import preparer_of

_RUN = "run.toml"
TRAINING = "training.json"  # summary of the training table, for `gramian predict`
_MOST_SETTINGS = 2**26  # bytes of run.toml
_PACKAGES = ("numpy", "scipy", "scikit-learn", "polars")


def new_folder(parent: Path, name: str) -> Path:
    """Make and return a new folder ``name-run``, or ``name-run-2`` and so on if that exists."""
    number = 1
    while True:
        path = parent / (f"{name}-run" if number == 1 else f"{name}-run-{number}")
        try:
            with named_errors(path):
                path.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return path


def given_folder(path: Path) -> Path:
    """Create and return a folder; an existing one is never overwritten."""
    try:
        with named_errors(path):
            path.mkdir(parents=True)
    except FileExistsError:
        raise DataError(
            f"{path}: the folder already exists; choose another one, or resume that run."
        ) from None
    return path


def remove_if_nothing_done(folder: Path) -> None:
    """Remove a folder whose journal is empty, as after an invalid setting."""
    journal = folder / "journal.jsonl"
    if not journal.exists() or journal.stat().st_size == 0:
        shutil.rmtree(folder)  # removes links, not their targets


def unused_path(path: Path) -> Path:
    """Return the path, or one with a number before its suffix if it already exists."""
    number, free = 1, path
    while os.path.lexists(free):  # also a broken link
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def write_run(
    folder: Path,
    settings: Settings,
    table: LoadedTable,
    source: str,
    command: str,
    *,
    chunks: bool = False,
) -> None:
    """Write the settings of a run, so that it can be resumed and repeated.

    `chunks`: whether the table is a sample of a larger one, read in chunks.
    """
    sections: dict[str, dict[str, Any]] = {
        "": {"command": command, "gramian": gramian.__version__},
        "data": {
            "source": source,
            "name": table.name,
            "format": table.format,
            "sha256": table.sha256,
            **({} if table.sheet is None else {"sheet": table.sheet}),
            **({"chunks": True} if chunks else {}),
        },
        "settings": settings.plain(),
        "versions": versions_of(_PACKAGES),
    }
    write_whole(folder / _RUN, _toml(sections))


def read_run(folder: Path) -> dict[str, Any]:
    """Read the settings of a run."""
    path = folder / _RUN
    if not path.is_file():
        raise DataError(f"{folder}: not a run directory; it has no {_RUN}.")
    try:
        found = tomllib.loads(read_own(path, _MOST_SETTINGS).decode())
    except DataError:
        raise
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise DataError(f"{path}: cannot be read ({error}).") from None
    return found


def write_study(folder: Path, study: Study) -> None:
    """Write the model, the report data and, to mark the run as done, the result last."""
    with written_whole(folder / "model.gram") as file:
        write_model(study.model, file)
    write_json(folder / "report.json", study.contents.to_json())
    write_json(folder / "result.json", study.result)


def write_training(folder: Path, table: LoadedTable, model: Model) -> None:
    """Write the summary of the training table that new rows are compared with."""
    preparer = preparer_of(model)
    if preparer is not None:
        summary = summarize_columns(table.frame, preparer.kinds_)
        write_whole(folder / TRAINING, json.dumps(summary, allow_nan=False) + "\n")


def read_contents(folder: Path) -> Contents:
    """Read the report data of a finished run."""
    path = folder / "report.json"
    read_run(folder)  # raises if this is not a run directory
    if not path.is_file():
        raise DataError(
            f"{folder}: the run is not finished (no report.json); resume it first with "
            f"`gramian fit --resume {folder}`."
        )
    try:
        value = json.loads(read_own(path).decode())
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: the file is damaged ({error}).") from None
    try:
        return Contents.from_json(value)
    except DataError as error:
        raise DataError(f"{path}: the file is damaged ({error}); fit again.") from None


def write_json(path: Path, value: Any) -> Path:
    """Write a value as JSON, atomically."""
    return write_whole(
        path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    )


def write_whole(path: Path, text: str) -> Path:
    """Write a file atomically; a link under its name is replaced."""
    with written_whole(path) as file:
        file.write(text.encode())
    return path


def _toml(sections: dict[str, dict[str, Any]]) -> str:
    """Return TOML of strings, numbers, booleans and lists; JSON strings are valid in TOML."""
    lines = []
    for section, values in sections.items():
        lines += [f"[{section}]"] if section else []
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()
        ]
        lines.append("")
    return "\n".join(lines)
