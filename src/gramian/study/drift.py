"""New rows against the training table: unseen categories, ranges, missing values, distributions.

A summary of the training table is stored next to the model. The distributions of a column are
compared in bins (tenths of the training rows, or levels) by the population stability index

    PSI = sum_b (q_b - p_b) log(q_b / p_b),   p, q = proportions in training and in the new rows,

and by the chi-squared test of homogeneity. Without any change PSI is about (bins - 1) (1/n + 1/m),
so a large value from few rows means little: a column is reported if PSI is 0.1 or more (the usual
rule of thumb) and the test, adjusted by Holm over all columns, rejects at the 1% level.
Reference: Siddiqi, Credit Risk Scorecards, 2006; for the mean of PSI, Yurdakul, 2018.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2_contingency, fisher_exact

from gramian.base.files.reading import read_own
from gramian.data.columns import check_frame, dates_of, labels_of, numbers_of
from gramian.evaluate.hypothesis_tests.multiple_testing import adjust_p_values

FORMAT = 1
FEWEST = 20  # minimum number of rows to compare distributions
_LEAST_PSI = 0.1
_LEAST_MISSING = 0.05  # minimum difference between proportions of missing values
_LEVEL = 0.01  # significance level of the tests
_LEVELS = 1000  # maximum number of stored levels of a category; others are counted together
_SHOWN = 3  # maximum number of unseen values in a message


class ColumnSummary(TypedDict, total=False):
    """The distribution of a column: numbers and dates in bins, categories by level."""

    kind: str
    missing: int
    edges: list[float]
    counts: list[int]
    least: float | None
    greatest: float | None
    levels: dict[str, int]
    rest: int  # rows of levels that are not stored


class TableSummary(TypedDict):
    """What is stored of a training table."""

    format: int
    rows: int
    columns: dict[str, ColumnSummary]


@dataclass(frozen=True)
class Drift:
    """Differences between new rows and the training table.

    Attributes
    ----------
    findings
        One sentence per difference.
    compared
        Number of columns whose distribution was compared; 0 if there are too few rows.
    rows
        Number of new rows.
    """

    findings: list[str]
    compared: int
    rows: int

    def sentences(self) -> list[str]:
        """Return the findings and their meaning.

        Examples
        --------
        >>> Drift([], compared=3, rows=200).sentences()
        ['No notable differences from the training data in 3 columns.']
        """
        sentences = list(self.findings)
        if self.rows < FEWEST:
            sentences.append(
                f"With only {_rows(self.rows)}, distributions were not compared with training; "
                f"at least {FEWEST} rows are needed."
            )
        elif not sentences:
            columns = "1 column" if self.compared == 1 else f"{self.compared} columns"
            sentences.append(f"No notable differences from the training data in {columns}.")
        if self.findings:
            sentences.append(
                "Predictions may be inaccurate for rows that differ from the training data; check "
                "some rows whose outcome you know."
            )
        return sentences


def summarize_columns(table: object, kinds: dict[str, str]) -> TableSummary:
    """Return the summary of a training table that `compare_columns` needs, as JSON values.

    Parameters
    ----------
    table
        A frame.
    kinds
        Kinds of the columns that the model uses.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"size": [1.0, 2.0, None], "tree": ["ash", "oak", "ash"]})
    >>> found = summarize_columns(frame, {"size": "numeric", "tree": "categorical"})
    >>> found["columns"]["size"]["missing"], found["columns"]["tree"]["levels"]
    (1, {'ash': 2, 'oak': 1})
    """
    columns = _Columns(check_frame("summarize_columns", table), kinds)
    return {
        "format": FORMAT,
        "rows": columns.rows,
        "columns": {name: _summary(columns, name) for name in columns.kinds},
    }


def compare_columns(training: TableSummary, table: object) -> Drift:
    """Compare new rows with the summary of the training table.

    Columns missing from the new table are skipped: the model itself rejects such a table.
    """
    kinds = {name: known["kind"] for name, known in training["columns"].items()}
    columns = _Columns(check_frame("compare_columns", table), kinds)
    there = {name: training["columns"][name] for name in columns.kinds}
    n = columns.rows
    first: list[str] = []
    tests: list[tuple[float, str | None]] = []
    for name, known in there.items():
        found = _summary(columns, name, known.get("edges"))
        first += _outside(columns, name, known, found)
        tests.append(_missing_test(name, known, found, training["rows"], n))
        if n >= FEWEST and known["kind"] != "text":
            tests.append(_distribution_test(name, known, found))
    if n < FEWEST or not tests:
        return Drift(first, 0, n)
    adjusted = adjust_p_values([p for p, _ in tests])
    significant = [
        text for (_, text), p in zip(tests, adjusted.tolist(), strict=True) if text and p < _LEVEL
    ]
    return Drift(first + significant, len(there), n)


def read_summary(path: Path) -> TableSummary | None:
    """Read the summary next to a model; None if there is none that this version can read."""
    try:
        found: TableSummary = json.loads(read_own(path).decode())
        known = isinstance(found, dict) and found.get("format") == FORMAT
    except (OSError, ValueError, RecursionError):
        return None
    return found if known else None


# --- one column ----------------------------------------------------------------------------------


class _Columns:
    """The columns of a frame to summarise; numeric ones are converted all at once."""

    def __init__(self, frame: nw.DataFrame[Any], kinds: dict[str, str]) -> None:
        there = set(frame.columns)
        self.kinds = {name: kind for name, kind in kinds.items() if name in there}
        self.rows = len(frame)
        plain = [name for name, kind in self.kinds.items() if kind == "numeric"]
        numbers = numbers_of(frame, plain)
        self.numbers = {name: numbers[:, place] for place, name in enumerate(plain)}
        self.labels: dict[str, list[str | None]] = {}
        for name, kind in self.kinds.items():
            if kind == "date":
                self.numbers[name] = dates_of(frame[name])[:, 0]  # days since 1970
            elif kind != "numeric":
                self.labels[name] = labels_of(frame[name])


def _summary(columns: _Columns, name: str, edges: list[float] | None = None) -> ColumnSummary:
    kind = columns.kinds[name]
    if name in columns.numbers:
        values = columns.numbers[name]
        known = values[~np.isnan(values)]
        missing = len(values) - len(known)
        if not len(known):
            return {
                "kind": kind,
                "missing": missing,
                "edges": edges or [],
                "counts": [0] * (len(edges or []) + 1),
                "least": None,
                "greatest": None,
            }
        if edges is None:
            tenths = np.quantile(known, np.linspace(0.1, 0.9, 9), method="lower")
            edges = np.unique(tenths).tolist()
        counts = np.bincount(np.searchsorted(edges, known, "left"), minlength=len(edges) + 1)
        return {
            "kind": kind,
            "missing": missing,
            "edges": edges,
            "counts": counts.tolist(),
            "least": float(known.min()),
            "greatest": float(known.max()),
        }
    labels = columns.labels[name]
    missing = sum(label is None for label in labels)
    if kind == "text":
        return {"kind": kind, "missing": missing}
    values_, counts = np.unique(
        np.array([label for label in labels if label is not None], dtype=object).astype(str),
        return_counts=True,
    )
    often = np.argsort(-counts, kind="stable")
    return {
        "kind": kind,
        "missing": missing,
        "levels": {str(values_[i]): int(counts[i]) for i in often[:_LEVELS]},
        "rest": int(counts[often[_LEVELS:]].sum()),
    }


def _outside(columns: _Columns, name: str, known: ColumnSummary, found: ColumnSummary) -> list[str]:
    """Return findings on values outside the training range, or unseen categories."""
    rows = columns.rows
    if "levels" in known:
        if known["rest"]:  # not all levels were stored
            return []
        unseen = [label for label in found["levels"] if label not in known["levels"]]
        if not unseen:
            return []
        n = sum(found["levels"][label] for label in unseen) + found["rest"]
        shown = ", ".join(map(repr, unseen[:_SHOWN])) + (", ..." if len(unseen) > _SHOWN else "")
        what = "1 unseen value" if len(unseen) == 1 else f"{len(unseen)} unseen values"
        return [f"{name!r}: {what} in {_count_text(n, rows)}: {shown}."]
    before, now = _range(known), _range(found)
    if before is None or now is None or (now[0] >= before[0] and now[1] <= before[1]):
        return []
    values = columns.numbers[name]
    n = int(((values < before[0]) | (values > before[1])).sum())
    low, high = (_shown(end, known["kind"]) for end in before)
    new_low, new_high = (_shown(end, known["kind"]) for end in now)
    verb = "is" if n == 1 else "are"
    outside = f"{_count_text(n, rows)} {verb} outside the training range {low} to {high}"
    return [f"{name!r}: {outside}; the new range is {new_low} to {new_high}."]


def _missing_test(
    name: str, known: ColumnSummary, found: ColumnSummary, n_known: int, n: int
) -> tuple[float, str | None]:
    before, now = known["missing"] / n_known, found["missing"] / n
    table = [
        [known["missing"], n_known - known["missing"]],
        [found["missing"], n - found["missing"]],
    ]
    p = float(fisher_exact(np.array(table)).pvalue)
    if abs(now - before) < _LEAST_MISSING:
        return p, None
    return p, f"{name!r}: {_percent(now)} missing, compared with {_percent(before)} in training."


def _distribution_test(
    name: str, known: ColumnSummary, found: ColumnSummary
) -> tuple[float, str | None]:
    before, now = _bins(known, found)
    n, m = int(before.sum()), int(now.sum())
    if min(n, m) == 0 or len(before) < 2:
        return 1.0, None
    p = float(chi2_contingency(np.array([before, now]), correction=False).pvalue)
    psi = stability_index(before, now)
    if psi < _LEAST_PSI:
        return p, None
    usual = (len(before) - 1) * (1 / n + 1 / m)
    return p, (
        f"{name!r}: distributed differently than in training (population stability index "
        f"{psi:.2f}; about {usual:.2f} is expected without a change)."
    )


def _bins(
    known: ColumnSummary, found: ColumnSummary
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the counts of both tables in the same bins, without bins that are empty in both."""
    if "levels" in known:
        labels = [*known["levels"], *(k for k in found["levels"] if k not in known["levels"])]
        before = [known["levels"].get(k, 0) for k in labels] + [known["rest"]]
        now = [found["levels"].get(k, 0) for k in labels] + [found["rest"]]
    else:
        before, now = known["counts"], found["counts"]
    first: NDArray[np.int64] = np.asarray(before)
    second: NDArray[np.int64] = np.asarray(now)
    used = first + second > 0
    return first[used], second[used]


def stability_index(before: NDArray[np.int64], now: NDArray[np.int64]) -> float:
    """Return the population stability index of two vectors of counts, with 0.5 added to each.

    Examples
    --------
    >>> round(stability_index(np.array([50, 50]), np.array([90, 10])), 2)
    0.85
    """
    p, q = ((c + 0.5) / (c.sum() + 0.5 * len(c)) for c in (before, now))
    return float(((q - p) * np.log(q / p)).sum())


def _count_text(n: int, rows: int) -> str:
    return f"{n:,} of {_rows(rows)}"


def _rows(n: int) -> str:
    return f"{n:,} row{'' if n == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _range(found: ColumnSummary) -> tuple[float, float] | None:
    """Return the least and the greatest value of a column; None without values and for texts."""
    if found["kind"] == "text":
        return None
    least, greatest = found["least"], found["greatest"]
    return None if least is None or greatest is None else (least, greatest)


def _shown(value: float, kind: str) -> str:
    return str(np.datetime64(int(np.floor(value)), "D")) if kind == "date" else f"{value:.6g}"
