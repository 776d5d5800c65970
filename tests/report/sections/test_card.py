"""The run card: facts, and the command that repeats the run."""

import shlex

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.card import card, command
from gramian.study.contents.run_card import RunCard
from gramian.study.settings import Settings
from tests.report.parts import contents_of, part_of

RUN = {
    "data": {
        "name": "shop", "format": "CSV", "rows": 1200, "rows_used": 1100, "columns": 7,
        "sha256": "ab12", "notes": ["read as Latin-1"],
    },
    "evaluations": {"made": 10, "planned": 12}, "task": "classification", "reason": "it is so",
    "target": "bought", "metric": "accuracy", "split": "5 folds", "seconds": 75.0, "seed": 0,
    "alpha": 0.05, "versions": {"gramian": "1", "numpy": "2"}, "complete": False,
    "settings": {"target": "bought"},
}  # fmt: skip


def test_facts_are_in_words():
    found = card(contents_of({"run": RUN}), Limits())
    facts = dict(found["facts"])
    assert facts["Data"] == "shop (CSV): 1,200 rows, 1,100 used, 7 columns"
    assert facts["Task"] == "classification, because it is so"
    assert facts["Settings tried"] == "10 of 12"
    assert facts["Time"] == "1 min 15 s"
    assert facts["Versions"] == "gramian 1, numpy 2"
    assert (found["digest"], found["notes"], found["complete"]) == (
        "ab12", ("read as Latin-1",), False,
    )  # fmt: skip


def test_facts_that_do_not_apply_are_left_out():
    run = {**RUN, "target": None, "metric": "", "seconds": 0.0}
    facts = dict(card(contents_of({"run": run}), Limits())["facts"])
    assert not facts.keys() & {"Target", "Metric", "Time", "Significance level"}


@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        ({"target": "a b"}, ["--target", "a b"]),
        ({"target": "y", "test_size": 0.3}, ["--target", "y", "--test", "0.3"]),
        ({"target": "y", "test_size": 0.2, "alpha": 0.05}, ["--target", "y"]),
        ({"models": ["Ridge", "Lasso"], "drop": []}, ["--models", "Ridge,Lasso"]),
        ({"budget": 90.0, "seed": 3}, ["--budget", "90s", "--seed", "3"]),
        ({"costs": [[0, 1], [5, 0]]}, ["--costs", "COSTS.csv"]),
    ],
)
def test_the_command_asks_for_the_same_run(settings, flags):
    words = shlex.split(command(part_of(RunCard, {**RUN, "settings": settings})))
    assert words == ["gramian", "fit", "DATA", *flags]


def test_defaults_are_those_of_the_settings():
    plain = Settings(target="y").plain()
    assert shlex.split(command(part_of(RunCard, {**RUN, "settings": plain}))) == [
        "gramian", "fit", "DATA", "--target", "y", "--seed", "0",
    ]  # fmt: skip


def test_the_command_names_the_sheet_and_values_that_begin_with_a_dash():
    data = {"name": "book", "format": "XLSX", "sheet": "May sales"}
    run = {"data": data, "settings": {"target": "-y", "drop": ["-a", "b"]}}
    assert (
        command(part_of(RunCard, run))
        == "gramian fit DATA --sheet 'May sales' --target=-y --drop=-a,b"
    )
