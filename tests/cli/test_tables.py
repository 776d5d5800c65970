"""The table of a command comes from a file, a pipe or an example."""

import io
from types import SimpleNamespace

import pytest

from gramian.base.errors import ParameterError
from gramian.cli.tables import read_data


def test_a_file_is_remembered_by_its_whole_path(here):
    (here / "t.csv").write_text("a,b\n1,2\n")
    given = read_data("t.csv", None, "b")
    assert given.table.frame.rows() == [(1, 2)]
    assert (given.target, given.source, given.piped) == ("b", str(here / "t.csv"), None)


def test_the_bytes_of_a_pipe_are_kept(monkeypatch):
    data = b"a,b\n1,2\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    given = read_data("-", None, None)
    assert given.table.frame.columns == ["a", "b"]
    assert (given.source, given.piped) == ("-", data)


def test_an_example_has_a_target_of_its_own():
    given = read_data(None, "wine", None)
    assert (given.target, given.source) == ("cultivar", "example:wine")
    assert read_data(None, "wine", "alcohol").target == "alcohol"


@pytest.mark.parametrize(("data", "example"), [(None, None), ("t.csv", "wine")])
def test_there_must_be_one_table(data, example):
    with pytest.raises(ParameterError, match="give one table"):
        read_data(data, example, None)
