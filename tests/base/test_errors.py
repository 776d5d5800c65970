"""Errors are those that scikit-learn's users catch, and a missing extra says how to get it."""

import re
import sys
from pathlib import Path

import pytest

import gramian
from gramian.base.errors import (
    DataError,
    MissingExtra,
    ModelFileError,
    ParameterError,
    caller_level,
    need,
    raised_by,
)


@pytest.mark.parametrize("error", [DataError, ModelFileError, ParameterError])
def test_errors_are_value_errors(error):
    assert issubclass(error, ValueError)


def test_a_module_that_is_there_is_returned():
    assert need("xml.dom", extra="app") is sys.modules["xml.dom"]


def test_a_missing_package_names_its_extra():
    with pytest.raises(MissingExtra, match=r'^no_such_package .*pip install "gramian\[plot\]"$'):
        need("no_such_package.parts", extra="plot")
    assert issubclass(MissingExtra, ImportError)


def test_what_a_package_itself_lacks_is_not_hidden(tmp_path, monkeypatch):
    """An installed package that fails on an import of its own is not a missing extra."""
    (tmp_path / "half_installed.py").write_text("import something_of_its_own")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="something_of_its_own") as caught:
        need("half_installed", extra="plot")
    assert not isinstance(caught.value, MissingExtra)


def test_an_error_of_a_helper_names_the_function_called():
    with pytest.raises(DataError, match=r"^knn_graph: 3 rows are required by knn_graph\.$"):  # noqa: SIM117
        with raised_by("knn_graph", "NearestNeighbors"):
            raise DataError("NearestNeighbors: 3 rows are required by NearestNeighbors.")


def test_the_caller_is_the_first_that_is_neither_ours_nor_of_scikit_learn():
    """A warning of one frame has the level 1; each frame of ours between adds one."""
    ours = {"__name__": "gramian.some_module", "caller_level": caller_level}
    theirs = {"__name__": "sklearn.callback", "inner": None}
    exec("def inner(): return caller_level()", ours)
    exec("def outer(): return inner()", theirs)
    theirs["inner"] = ours["inner"]
    assert ours["inner"]() == 2
    assert theirs["outer"]() == 3
    assert caller_level() == 1


def test_no_warning_counts_the_frames_to_the_user():
    """Decorators of `fit` add frames, so the level is found by `caller_level`."""
    counted = [
        f"{path.name}:{number}"
        for path in sorted(Path(gramian.__file__).parent.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"stacklevel=(?!caller_level\(\))", line)
    ]
    assert counted == []
