"""Calls estimators with what they should refuse, or with drawn settings; says what came of it.

Run by `tests.fuzz.scan` in a process of its own, so that a crash ends this one alone.
"""

import os
import resource
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from tests.contract.estimators import every, is_pairwise, quick, table
from tests.fuzz.calls import ANSWERS, outcome
from tests.fuzz.children import limit_time
from tests.fuzz.drawn_settings import redraw, with_params
from tests.fuzz.wrong_tables import TABLES
from tests.fuzz.wrong_targets import TARGETS, WEIGHTS

ROOM = 3 * 2**30  # bytes of address space beyond what the process has at its start
PATIENCE = 60  # seconds of processor time for one case
ROWS = 48
ITERATIONS = 50
LETTERS = "XXXXyyw"  # how often a case changes the table, the targets, the weights

Outcomes = Iterator[str]


@cache
def models() -> list[tuple[str, Any]]:
    """Return every estimator at each of its test settings, with few iterations.

    The classes of tests/contract/kinds.py are left out: their arithmetic is not ours.
    """
    found = [(str(param.id), param.values[0]) for param in every()]
    ours = [pair for pair in found if type(pair[1]).__module__.startswith("gramian.")]
    return [(name, quick(model, ITERATIONS)) for name, model in ours]


@cache
def fitted(place: int) -> Any:
    """Return the model of this place, fitted to good data; None where that is impossible."""
    model = clone(models()[place][1])
    X, y = table(model, ROWS)
    return model if outcome(lambda: model.fit(X, y), method="fit")[1] is not None else None


def change(X: Any, name: str) -> Any:
    """Return another table; None where this one cannot be changed so."""
    return TABLES[name](X)


def bad_input(draw: np.random.Generator, place: int) -> tuple[str, Outcomes]:
    """Draw what is given to a model; return its description and what comes of it."""
    model = models()[place][1]
    X, y = table(model, ROWS)
    letter = LETTERS[draw.integers(len(LETTERS))]
    weighted = has_fit_parameter(model, "sample_weight")
    if (letter == "y" and y is None) or (letter == "w" and not weighted):
        letter = "X"
    if letter == "y":
        name = _pick(draw, TARGETS)
        other = TARGETS[name](y)
        if draw.random() < 0.15 and hasattr(model, "score"):
            return f"score y={name}", _of_score(place, X, other)
        return f"{(how := _learning(draw, model))} y={name}", _of_fit(model, how, X, other, {})
    if letter == "w":
        name = _pick(draw, WEIGHTS)
        weights = {"sample_weight": WEIGHTS[name](np.ones(ROWS))}
        return f"{(how := _learning(draw, model))} w={name}", _of_fit(model, how, X, y, weights)
    name = _pick(draw, TABLES)
    other = TABLES[name](X)
    if draw.random() < 0.4:
        return f"answers X={name}", _of_answers(place, other, y)
    if _rows(other) not in (None, ROWS) and y is not None and draw.random() < 0.7:
        y = y[: _rows(other)] if not is_pairwise(model) else y
    return f"{(how := _learning(draw, model))} X={name}", _of_fit(model, how, other, y, {})


def random_setting(draw: np.random.Generator, place: int) -> tuple[str, Outcomes]:
    """Draw parameters of a model, and with one in three also the data."""
    model = models()[place][1]
    chosen = redraw(draw, model)
    X, y = table(model, ROWS)
    settings: dict[str, Any] = {}
    data = "ordinary"
    kind = draw.integers(9)
    if kind == 0:
        data = f"X={(name := _pick(draw, TABLES))}"
        X = TABLES[name](X)
    elif kind == 1 and y is not None:
        data = f"y={(name := _pick(draw, TARGETS))}"
        y = TARGETS[name](y)
    elif kind == 2 and has_fit_parameter(model, "sample_weight"):
        data = f"w={(name := _pick(draw, WEIGHTS))}"
        settings = {"sample_weight": WEIGHTS[name](np.ones(ROWS))}
    words = ", ".join(f"{k}={_shown(v)}" for k, v in chosen.items())
    return f"[{words}] {data}", _of_fit(with_params(model, chosen), "fit", X, y, settings)


def _shown(value: Any) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) < 40 else f"{text[:15]}...({len(text)} characters)"


def _learning(draw: np.random.Generator, model: Any) -> str:
    return "partial_fit" if hasattr(model, "partial_fit") and draw.random() < 0.3 else "fit"


def _rows(X: Any) -> int | None:
    shape = getattr(X, "shape", None)
    return shape[0] if isinstance(shape, tuple) and len(shape) == 2 else None


def _of_fit(model: Any, how: str, X: Any, y: Any, keywords: dict[str, Any]) -> Outcomes:
    """Fit, then ask for everything that the model answers for the same rows."""
    model = clone(model)
    if how == "partial_fit" and is_classifier(model):
        keywords = {**keywords, "classes": np.array(["ash", "birch", "cedar"])}
    learn = getattr(model, how)
    came, answer = outcome(
        lambda: learn(X, y, **keywords),
        method=how,
        check_values=False,
    )
    yield came
    if answer is None:
        return
    for method in ANSWERS:
        if hasattr(model, method):
            yield outcome(
                lambda method=method: getattr(model, method)(X),
                method=method,
                check_values=_judge_values(model, X, method),
            )[0]
    if hasattr(model, "score") and y is not None:
        # a score may overflow where squares do; it must not raise
        yield outcome(lambda: model.score(X, y), method="score", check_values=False)[0]


def _of_answers(place: int, X: Any, y: Any) -> Outcomes:
    """Ask a model that was fitted to good rows about others."""
    model = fitted(place)
    if model is None:
        return
    for method in (*ANSWERS, "inverse_transform"):
        if hasattr(model, method):
            yield outcome(
                lambda method=method: getattr(model, method)(X),
                method=method,
                check_values=_judge_values(model, X, method),
            )[0]


def _of_score(place: int, X: Any, y: Any) -> Outcomes:
    model = fitted(place)
    if model is not None:
        yield outcome(lambda: model.score(X, y), method="score", check_values=False)[0]


def _judge_values(model: Any, X: Any, method: str) -> bool:
    """Answers to missing values may be missing where rows are transformed."""
    if type(model).__name__ == "KNeighborsDensity":
        return False  # whose density is infinite where rows coincide, as it says
    return not (model.takes_nan and "transform" in method)


def _pick(draw: np.random.Generator, found: dict[str, Any]) -> str:
    return list(found)[draw.integers(len(found))]


SCANS = {"bad-input": bad_input, "random-settings": random_setting}


def judge(outcomes: Outcomes) -> str:
    """Return the first fault, or the last of the outcomes."""
    came = "not installed"
    for came in outcomes:
        if came.startswith("!"):
            return came
    return came


def main(scan: str, seed: int, first: int, last: int) -> None:
    """Go through the cases of numbers first .. last - 1."""
    says = os.fdopen(os.dup(1), "w")  # what estimators print goes nowhere
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    names = [name for name, _ in models()]
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
    for number in range(first, last):
        draw = np.random.default_rng([seed, number])
        place = int(draw.integers(len(names)))
        what, outcomes = SCANS[scan](draw, place)
        print(number, names[place], what, file=says, flush=True)
        limit_time(PATIENCE)
        print(judge(outcomes).replace("\n", " "), file=says, flush=True)
        limit_time(0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
