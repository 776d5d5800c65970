"""Tables whose truth is known: clean ones, leaking ones, and ones that are hard to learn from."""

import datetime
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from gramian import load_example, read_table

Made = tuple[pl.DataFrame, str]
_ROWS = 300


def plain(n: int = _ROWS, seed: int = 0) -> pl.DataFrame:
    """Three numbers and a category that tell something of the class, none of them all."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(3)
    town = rng.choice(["Aachen", "Bonn", "Celle"], n)
    score = X[:, 0] - X[:, 1] + (town == "Bonn") + rng.normal(0, 1.2, n)
    return pl.DataFrame(
        {**{f"x{i}": X[:, i] for i in range(3)}, "town": town,
         "late": np.where(score > 0.3, "yes", "no")}
    )  # fmt: skip


def positive(frame: pl.DataFrame) -> np.ndarray:
    return (frame["late"] == "yes").to_numpy()


def unbalanced() -> Made:
    """31% positive, the best area about 0.78, and hardly a row with a probability above 1/2."""
    rng = np.random.default_rng(1)
    n = 600
    p = np.clip(0.31 + 0.16 * rng.normal(size=n), 0.02, 0.55)
    logit = np.log(p / (1 - p))
    y = rng.random(n) < p
    columns = {"risk": logit + 0.1 * rng.normal(size=n), "other": rng.normal(size=n)}
    return pl.DataFrame({**columns, "default": np.where(y, "yes", "no")}), "default"


def leak_by_value() -> Made:
    """A fee that is charged only when the loan was late."""
    frame = plain()
    rng = np.random.default_rng(2)
    fee = np.where(positive(frame), rng.uniform(10, 50, _ROWS), rng.uniform(0, 9, _ROWS))
    return frame.with_columns(fee=pl.Series(fee.round(2))), "late"


def leak_by_missing() -> Made:
    """A reminder that has a level only if one was sent."""
    frame = plain()
    rng = np.random.default_rng(3)
    level = [int(v) if late else None for v, late in
             zip(rng.integers(1, 4, _ROWS), positive(frame), strict=True)]  # fmt: skip
    return frame.with_columns(reminder=pl.Series(level)), "late"


def leak_by_copy() -> Made:
    """The target once more, entered by hand, with three per cent of mistakes."""
    frame = plain()
    rng = np.random.default_rng(4)
    wrong = rng.random(_ROWS) < 0.03
    copy = np.where(positive(frame) ^ wrong, "Yes", "No")
    return frame.with_columns(late_entered=pl.Series(copy)), "late"


def leak_by_number() -> Made:
    """The price once more, rounded and in another currency."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(_ROWS, 3))
    price = 100 + 20 * X[:, 0] - 10 * X[:, 1] + rng.normal(0, 15, _ROWS)
    frame = pl.DataFrame(X, schema=["a", "b", "c"])
    return frame.with_columns(pounds=pl.Series((0.86 * price).round()), price=price), "price"


def leak_by_identifier() -> Made:
    """Rows sorted by the class, with a running number that has gaps."""
    frame = plain().sort("late")
    steps = np.random.default_rng(6).integers(1, 9, _ROWS)
    return frame.with_columns(ticket=pl.Series(1000 + np.cumsum(steps))), "late"


def leak_by_time() -> Made:
    """When the case was closed: late cases were all closed in one summer."""
    frame = plain()
    rng = np.random.default_rng(7)
    days = np.where(positive(frame), rng.integers(200, 300, _ROWS), rng.integers(0, 190, _ROWS))
    dates = [datetime.date(2025, 1, 1) + datetime.timedelta(int(d)) for d in days]
    return frame.with_columns(closed=pl.Series(dates)), "late"


def leak_by_duplicates() -> Made:
    """Noise, and every row four times."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(80, 4)).round(3)
    frame = pl.DataFrame(X, schema=list("abcd")).with_columns(
        y=pl.Series(rng.choice(["u", "v"], 80))
    )
    return pl.concat([frame] * 4), "y"


def leak_by_groups() -> Made:
    """Six visits of each of sixty patients, who stay ill or well."""
    rng = np.random.default_rng(9)
    patients = np.repeat(np.arange(60), 6)
    own = rng.normal(size=(60, 3))[patients] + 0.05 * rng.normal(size=(360, 3))
    ill = rng.permutation(np.arange(60) % 2)[patients]
    frame = pl.DataFrame(own.round(3), schema=["a", "b", "c"])
    names = [f"P{p:03d}" for p in rng.permutation(900)[:60]]
    patient = pl.Series([names[p] for p in patients])
    return frame.with_columns(patient=patient, ill=pl.Series(np.where(ill, "ill", "well"))), "ill"


def useless() -> Made:
    """Noise."""
    rng = np.random.default_rng(10)
    frame = pl.DataFrame(rng.normal(size=(_ROWS, 4)), schema=list("abcd"))
    return frame.with_columns(y=pl.Series(rng.choice(["u", "v"], _ROWS))), "y"


def tiny() -> Made:
    """Twenty rows."""
    return plain(20, seed=3), "late"


def many_classes() -> Made:
    """Twenty-five classes around centres of their own."""
    rng = np.random.default_rng(11)
    y = np.arange(400) % 25
    X = rng.normal(0, 3, size=(25, 4))[y] + rng.normal(size=(400, 4))
    frame = pl.DataFrame(X.round(3), schema=list("abcd"))
    return frame.with_columns(kind=pl.Series([f"kind {k:02d}" for k in y])), "kind"


def wide() -> Made:
    """More columns than rows."""
    rng = np.random.default_rng(12)
    hidden = rng.normal(size=(120, 4))
    X = hidden @ rng.normal(size=(4, 250)) + rng.normal(size=(120, 250))
    y = hidden[:, 0] + 0.5 * rng.normal(size=120)
    frame = pl.DataFrame(X.round(3), schema=[f"x{i}" for i in range(250)])
    return frame.with_columns(y=pl.Series(y)), "y"


LEAKING: dict[str, Callable[[], Made]] = {
    "value": leak_by_value,
    "missing": leak_by_missing,
    "copy": leak_by_copy,
    "number": leak_by_number,
    "identifier": leak_by_identifier,
    "time": leak_by_time,
    "duplicates": leak_by_duplicates,
    "groups": leak_by_groups,
}
OTHERS: dict[str, Callable[[], Made]] = {
    "unbalanced": unbalanced,
    "useless": useless,
    "tiny": tiny,
    "many classes": many_classes,
    "wide": wide,
}
_FILES = {
    "bostonhousing.csv": "medv",
    "contact-lenses.arff": "contact-lenses",
    "dna.csv": "Class",
    "glass.csv": "Type",
    "housevotes84.csv": "Class",
    "labor.arff": "class",
    "letterrecognition.csv": "lettr",
    "pimaindiansdiabetes.csv": "diabetes",
    "pimaindiansdiabetes2.csv": "diabetes",
    "shuttle.csv": "Class",
    "sonar.csv": "Class",
    "soybean.csv": "Class",
    "supermarket.arff": "total",
    "zoo.csv": "type",
}
_EXAMPLES = ("breast-cancer", "diabetes", "digits", "iris", "wine")


def clean_tables() -> list[str]:
    """Return the names of the real tables at hand."""
    return [*(_FILES if "GRAMIAN_DATA" in os.environ else ()), *_EXAMPLES]


def clean(name: str) -> Made:
    """Return a real table, at most 250 rows and 40 columns of it."""
    if name in _EXAMPLES:
        table, target = load_example(name)
    else:
        table = read_table(Path(os.environ["GRAMIAN_DATA"]) / f"{name}.gz")
        target = _FILES[name]
    frame = table.frame
    kept = [c for c in frame.columns if c != target][:40]
    frame = frame.select(*kept, target)
    return (frame.sample(250, seed=0) if len(frame) > 250 else frame), target
