"""Contents to make pages from: real small studies, and the same made wide or long."""

import copy
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from gramian import load_example, study
from gramian.report import page
from gramian.study.contents import Contents
from tests.study.tables import mixed

_PLAIN = [
    "the",
    "parcel",
    "came",
    "today",
    "and",
    "box",
    "was",
    "with",
    "my",
    "order",
    "service",
    "shop",
    "they",
]
_GOOD, _BAD = ["great", "lovely", "excellent"], ["broken", "awful", "refund"]
NASTY = "</script><b>\"&'{{ 7 * 7 }}"  # ends a script, opens a tag, closes an attribute


def render(contents: dict[str, Any]) -> str:
    """The page of contents in JSON."""
    return page.render(Contents.from_json(contents))


def wine() -> dict[str, Any]:
    """Three classes."""
    table, target = load_example("wine")
    return study.run(table, target, evals=2).contents.to_json()


def tumours() -> dict[str, Any]:
    """Two classes with costs; a missed tumour costs five false alarms."""
    table, target = load_example("breast-cancer")
    return study.run(table, target, evals=2, costs=((0.0, 1.0), (5.0, 0.0))).contents.to_json()


def diabetes() -> dict[str, Any]:
    """A numeric target."""
    table, target = load_example("diabetes")
    return study.run(table, target, evals=2).contents.to_json()


def customers() -> dict[str, Any]:
    """Numeric columns with missing values, a category, an identifier and a constant; a tree."""
    return study.run(
        mixed(), "bought", evals=2, models=("DecisionTreeClassifier",)
    ).contents.to_json()


def flowers() -> dict[str, Any]:
    """No target."""
    table, target = load_example("iris")
    return study.run(table.frame.drop(target), task="clustering").contents.to_json()


def digits() -> dict[str, Any]:
    """Ten classes."""
    table, target = load_example("digits")
    frame = table.frame.sample(200, seed=0)
    return study.run(frame, target, evals=1, models=("LogisticRegression",)).contents.to_json()


def complaints() -> dict[str, Any]:
    """A text whose words decide."""
    rng = np.random.default_rng(0)
    angry = rng.random(150) < 0.5
    texts = [
        " ".join(rng.permutation([*rng.choice(_PLAIN, 6), *rng.choice(_BAD if a else _GOOD, 2)]))
        for a in angry
    ]
    frame = pl.DataFrame(
        {"comment": texts, "stars": rng.normal(size=150), "mood": np.where(angry, "angry", "happy")}
    )
    return study.run(frame, "mood", evals=1, models=("LogisticRegression",)).contents.to_json()


def nasty() -> dict[str, Any]:
    """A table whose every text would do harm on a page that does not escape it."""
    table, target = load_example("iris")
    names = {name: f"{NASTY}{i}" for i, name in enumerate(table.frame.columns)}
    frame = table.frame.with_columns(
        pl.col(target) + NASTY,
        pl.Series("level", [f"{NASTY}{i % 3}" for i in range(len(table.frame))]),
    ).rename(names)
    return study.run(frame, names[target], evals=2).contents.to_json()


def widened(contents: dict[str, Any], columns: int) -> dict[str, Any]:
    """The same contents as of a table of so many columns, as a study describes it."""
    widened_contents = copy.deepcopy(contents)
    shown = widened_contents["columns"]["shown"]
    pattern = [c for c in shown if not c["is_target"]]
    described = 200
    widened_contents["columns"] = {
        "shown": [
            {**pattern[i % len(pattern)], "name": f"column number {i} of a very wide table"}
            for i in range(described)
        ],
        "left_out": columns - described,
    }
    widened_contents["run"]["data"]["columns"] = columns
    return widened_contents


def with_models(contents: dict[str, Any], count: int) -> dict[str, Any]:
    """The same contents with so many models more, each a little worse than the one before."""
    many = copy.deepcopy(contents)
    board = many["leaderboard"]
    base, first = board[-1], board[0]
    added = []
    for i in range(count):
        row = copy.deepcopy(first)
        row |= {"name": f"GradientBoostingNumber{i}Classifier", "is_winner": False}
        row["rank"] = 2.0 + i
        for found in row["metrics"].values():
            found["mean"] *= 1 - 0.01 * (i + 1)
            found["status"] = "undecided" if i < 3 else "worse"
        added.append(row)
        many["models"][row["name"]] = many["models"][first["name"]]
    base["rank"] = count + 2.0
    many["leaderboard"] = [first, *added, base]
    names = [row["name"] for row in many["leaderboard"]]
    pattern = many["comparison"]["pairs"][0]
    many["comparison"]["pairs"] = [
        {**pattern, "first": a, "second": b} for a, b in combinations(names, 2)
    ]
    many["comparison"]["groups"] = [names[i : i + 4] for i in range(0, len(names) - 3, 3)]
    return many
