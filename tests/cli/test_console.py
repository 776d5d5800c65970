"""Results go to standard output, messages to standard error."""

import json

import pytest
from rich.console import Console

from gramian.cli import console
from gramian.study.progress import Step


def test_results_and_messages_go_their_ways(capsys):
    console.emit("the result")
    console.say("a [bold]message[/bold] of many words " + "word " * 60)
    out, err = capsys.readouterr()
    assert out == "the result\n"
    assert err.startswith("a [bold]message[/bold]")  # texts of a table are no markup
    assert err.count("\n") == 1


def test_json_is_whole(capsys):
    console.emit_json({"town": "Köln", "path": object})
    out, _ = capsys.readouterr()
    assert json.loads(out)["town"] == "Köln"
    assert "Köln" in out


def test_a_table_has_a_line_for_each_row(capsys):
    console.emit_table(["model", "n"], [["Ridge", "7"], ["KNeighborsClassifier", "12"]], {1})
    assert capsys.readouterr().out == (
        "model                  n\n"
        "Ridge                  7\n"
        "KNeighborsClassifier  12\n"
    )  # fmt: skip


def test_a_table_can_be_a_message(capsys):
    console.table_of(["model", "n"], [["Ridge", "7"]], {1})
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split() for line in err.splitlines()] == [["model", "n"], ["Ridge", "7"]]


@pytest.mark.parametrize(("terminal", "quiet"), [(False, False), (True, True)])
def test_no_progress_without_a_terminal_or_where_it_is_not_wanted(monkeypatch, terminal, quiet):
    monkeypatch.setattr(console, "messages", Console(stderr=True, force_terminal=terminal))
    with console.watching(quiet) as watch:
        assert watch is None


def test_progress_names_the_stage(monkeypatch, capsys):
    monkeypatch.setattr(console, "messages", Console(stderr=True, force_terminal=True, width=120))
    with console.watching(False) as watch:
        watch(Step("compare", 3, 8, "Ridge"))
    err = capsys.readouterr().err
    assert "comparing: Ridge" in err
    assert "3/8" in err


NASTY = "\x1b[31m[bold]:smile:[/nothing]\x07\u202e"
SHOWN = "\\x1b[31m[bold]:smile:[/nothing]\\x07\\u202e"


def test_nothing_from_a_table_is_markup_or_a_control_character(capsys, monkeypatch):
    monkeypatch.setattr(console, "messages", Console(stderr=True, emoji=False, width=200))
    console.say(NASTY)
    console.table_of([NASTY], [[NASTY]])
    console.complain(NASTY)
    console.emit_table([NASTY], [[NASTY]])
    out, err = capsys.readouterr()
    assert err.count(SHOWN) == 4
    assert out.count(SHOWN) == 2
    assert "\x1b" not in out + err


def test_a_line_is_exact_in_a_pipe_and_visible_on_a_terminal(capsys, monkeypatch):
    console.emit("a\x1bb")
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    console.emit("a\x1bb")
    assert capsys.readouterr().out == "a\x1bb\na\\x1bb\n"


def test_progress_shows_no_control_characters(monkeypatch, capsys):
    monkeypatch.setattr(console, "messages", Console(stderr=True, force_terminal=True, width=120))
    with console.watching(False) as watch:
        watch(Step("compare", 3, 8, "R\x07[/x]idge"))
    err = capsys.readouterr().err
    assert "R\\x07[/x]idge" in err
    assert "\x07" not in err
