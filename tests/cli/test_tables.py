"""The table of a command comes from a file, a pipe or an example."""

import io
from types import SimpleNamespace

import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.cli.tables import label_columns, read_data


def test_a_file_is_remembered_by_its_whole_path(here):
    (here / "t.csv").write_text("a,b\n1,2\n")
    command_input = read_data("t.csv", None, "b")
    assert command_input.table.frame.rows() == [(1, 2)]
    assert (command_input.target, command_input.source, command_input.piped) == (
        "b",
        str(here / "t.csv"),
        None,
    )


def test_the_bytes_of_a_pipe_are_kept(monkeypatch):
    data = b"a,b\n1,2\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    command_input = read_data("-", None, None)
    assert command_input.table.frame.columns == ["a", "b"]
    assert (command_input.source, command_input.piped) == ("-", data)


def test_an_example_has_a_target_of_its_own():
    command_input = read_data(None, "wine", None)
    assert (command_input.target, command_input.source) == ("cultivar", "example:wine")
    assert read_data(None, "wine", "alcohol").target == "alcohol"


@pytest.mark.parametrize(("data", "example"), [(None, None), ("t.csv", "wine")])
def test_there_must_be_one_table(data, example):
    with pytest.raises(ParameterError, match="one table is needed"):
        read_data(data, example, None)


def labelled(here, target=None):
    (here / "songs.csv").write_text('x,calm,"sad,slow"\n1,0,1\n2,1,0\n')
    return read_data("songs.csv", None, target)


def test_labels_are_named_by_a_file_or_by_commas(here):
    (here / "songs.xml").write_text('<labels><label name="calm"/><label name="sad,slow"/></labels>')
    command_input = labelled(here)
    assert label_columns(command_input, here / "songs.xml") == (None, ("calm", "sad,slow"))
    assert label_columns(labelled(here, "x,calm"), None) == (None, ("x", "calm"))
    assert label_columns(labelled(here, "sad,slow"), None) == ("sad,slow", ())  # a column's name
    assert label_columns(command_input, None) == (None, ())


def test_contradictory_labels_are_named(here):
    (here / "other.xml").write_text('<labels><label name="clam"/></labels>')
    with pytest.raises(DataError, match="no column for the label 'clam'"):
        label_columns(labelled(here), here / "other.xml")
    with pytest.raises(DataError, match="no column 'fast'"):
        label_columns(labelled(here, "calm,fast"), None)
    with pytest.raises(ParameterError, match="cannot both be used"):
        label_columns(labelled(here, "calm"), here / "other.xml")
    (here / "one.xml").write_text('<labels><label name="calm"/></labels>')
    with pytest.raises(ParameterError, match="must list at least two labels; got only 'calm'"):
        label_columns(labelled(here), here / "one.xml")
