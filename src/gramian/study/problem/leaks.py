"""Leaks: columns that predict the target in this table but will not for new rows.

A column leaks by its values (nearly a copy of the target, or known only after it), by its missing
values, as the number of rows sorted by the target, by time, or as the identifier of a group with
rows on both sides of a split.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.randomness import stream
from gramian.base.types import RowNumbers
from gramian.data.columns import dates_of, labels_of, numbers_of
from gramian.study.contents.checks import Issue
from gramian.study.problem.duplicates import first_of_duplicates
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.single_columns import alike_in_groups, skill_of_column
from gramian.study.settings import Settings

ALONE = 0.98  # minimum skill of a column that nearly determines the target
SUSPECT = 0.9  # the same for a column that should be uninformative, such as an identifier
_COPY = 0.8  # the same for a column with the target's name and values
_LEAST_ROWS, _LEAST_ERRORS = 50, 10  # minimum numbers of rows, and of baseline errors
_SAMPLE, _MOST_COLUMNS, _MOST_DATES = 3000, 2000, 5
_FEW_MISSING = 0.01
_REPEATS, _GROUPS = 2.0, 5  # minimum mean number of rows per identifier, and of identifiers
_WEAK, _STRONG = 0.1, 0.9  # similarity of the targets within an identifier
_IDENTIFIER = re.compile(
    r"(^|[_\W])(id|ids|uuid|guid|key|nr|no|ref|reference|index|patient|subject|user|"
    r"customer|client|person|member|household|family|session|device|account|visitor|student|vin)$"
    r"|[a-z]Id$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Leaks:
    """The leaks found.

    Attributes
    ----------
    issues
        The issues.
    skills
        The skill of each column that was checked: how well it alone predicts the target.
    """

    issues: list[Issue] = field(default_factory=list)
    skills: dict[str, float] = field(default_factory=dict)


def check_leaks(problem: LearningProblem, settings: Settings, rows: RowNumbers) -> Leaks:
    """Check the given rows for leaks, or a sample if there are many."""
    if len(rows) > _SAMPLE:
        rows = np.sort(rows[stream(settings.seed, 9).permutation(len(rows))[:_SAMPLE]])
    rows = rows[first_of_duplicates(problem, rows)]  # any column would predict copies of a row
    y = problem.y[rows]
    if len(y) < _LEAST_ROWS:
        return Leaks()
    if problem.task == "classification" and len(y) - np.bincount(y).max() < _LEAST_ERRORS:
        return Leaks()
    checks = _LeakChecks(problem, settings, rows)
    grouped = checks.groups()
    numbered = checks.identifiers()
    named = {name for name, _ in (*grouped, *numbered)}
    skills = {name: checks.skill(name) for name in checks.names}
    missing = checks.missingness()
    values = [n for n, s in skills.items() if n not in named and checks.is_suspicious(n, s)]
    dated = [n for n in values if problem.kinds[n] == "date"]
    plain = [n for n in values if n not in dated and n not in missing]
    issues = [
        *(issue for _, issue in grouped),
        *(issue for _, issue in numbered),
        *_value_issues(plain),
        *_missing_issues(missing),
        *_date_issues([n for n in dated if n not in missing]),
        *checks.durations(set(dated)),
    ]
    return Leaks(issues, skills)


class _LeakChecks:
    """Checks for leaks on sampled rows of a problem, column by column."""

    def __init__(self, problem: LearningProblem, settings: Settings, rows: RowNumbers) -> None:
        self.problem, self.settings, self.sampled_target = problem, settings, problem.y[rows]
        # Squares of huge numbers overflow; scaling does not change the skill.
        self.y = self.sampled_target if len(problem.classes) else _scaled(self.sampled_target)
        self.frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)[rows]
        self.n_classes = len(problem.classes)
        self.names = [n for n, kind in problem.kinds.items() if kind != "text"][:_MOST_COLUMNS]
        plain = [n for n in self.names if problem.kinds[n] == "numeric"]
        self.numbers = dict(zip(plain, numbers_of(self.frame, plain).T, strict=True))

    # --- one column ----------------------------------------------------------------------------

    def values(self, name: str) -> tuple[NDArray[Any], NDArray[np.bool_], bool]:
        """Return a column as numbers or codes, its missing values, and whether it is ordered."""
        kind = self.problem.kinds[name]
        if kind == "categorical":
            labels = labels_of(self.frame[name])
            gone = np.array([v is None for v in labels])
            return np.unique([str(v) for v in labels], return_inverse=True)[1], gone, False
        numbers = dates_of(self.frame[name])[:, 0] if kind == "date" else self.numbers[name]
        gone = np.isnan(numbers)
        # Below the smallest number, so that missing values are a separate value.
        return np.where(gone, -3.0, _scaled(np.nan_to_num(numbers))), gone, True

    def skill(self, name: str) -> float:
        """Return how well a column alone predicts the target."""
        values, _, ordered = self.values(name)
        return skill_of_column(values, self.y, n_classes=self.n_classes, ordered=ordered)

    def is_suspicious(self, name: str, skill: float) -> bool:
        """Return whether the skill is suspicious; the limit is lower for copies of the target."""
        if skill < _COPY:
            return False
        if self.problem.kinds[name] == "date":
            return skill >= SUSPECT
        alike = self._resembles_target_name(name)
        same = self._resembles_target_values(name)
        return skill >= (_COPY if alike and same else SUSPECT if alike or same else ALONE)

    def _resembles_target_name(self, name: str) -> bool:
        target = str(self.settings.target).lower()
        return SequenceMatcher(None, name.lower(), target).ratio() > 0.7 or (
            len(target) > 3 and target in name.lower()
        )

    def _resembles_target_values(self, name: str) -> bool:
        """Return whether the labels are the classes, or most numbers equal the target."""
        if self.n_classes:
            known = {v.strip().lower() for v in labels_of(self.frame[name]) if v is not None}
            return known == {str(c).strip().lower() for c in self.problem.classes.tolist()}
        if name not in self.numbers or len(np.unique(self.y)) < 20:
            return False
        return bool((self.numbers[name] == self.sampled_target).mean() > 0.5)

    # --- what is missing -----------------------------------------------------------------------

    def missingness(self) -> list[str]:
        """Return the columns whose missing values predict the target."""
        found = []
        for name in self.names:
            gone = self.values(name)[1]
            if not _FEW_MISSING < gone.mean() < 1 - _FEW_MISSING:
                continue
            skill = skill_of_column(
                gone.astype(np.intp), self.y, n_classes=self.n_classes, ordered=False
            )
            if skill >= SUSPECT or (not self.n_classes and _one_value(self.y, gone)):
                found.append(name)
        return found

    # --- identifiers ---------------------------------------------------------------------------

    def identifiers(self) -> list[tuple[str, Issue]]:
        """Return identifiers whose order predicts the target."""
        found = []
        for name, column in self.problem.columns.items():
            if name == self.settings.target or name in self.settings.drop:
                continue
            numbers = self._row_numbers(name, str(column.kind))
            if numbers is None:
                continue
            skill = skill_of_column(numbers, self.y, n_classes=self.n_classes, ordered=True)
            if skill < SUSPECT:
                continue
            used = name in self.problem.kinds
            text = f"The order of the identifier {name!r} nearly determines the target"
            remedy = f"Drop {name!r}: new rows will have other numbers."
            issue = (
                Issue("identifier-leak", "serious", f"{text}.", remedy)
                if used
                else Issue("identifier-leak", "note", f"{text}; it was dropped.", "")
            )
            found.append((name, issue))
        return found

    def _row_numbers(self, name: str, kind: str) -> NDArray[Any] | None:
        """Return the numbers of an identifier: all different, and named or ordered as one."""
        if kind == "identifier" and not self.frame[name].dtype.is_numeric():
            digits = [re.search(r"(\d{1,15})\D*$", str(v)) for v in self.frame[name].to_list()]
            if not all(digits):
                return None
            return np.array([float(d[1]) for d in digits if d is not None])
        if kind not in ("identifier", "numeric") or not self.frame[name].dtype.is_integer():
            return None
        numbers = numbers_of(self.frame, [name])[:, 0]
        if np.isnan(numbers).any() or len(np.unique(numbers)) < len(numbers):
            return None
        in_order = bool((np.diff(numbers) > 0).all() or (np.diff(numbers) < 0).all())
        return numbers if kind == "identifier" or in_order or _IDENTIFIER.search(name) else None

    # --- groups --------------------------------------------------------------------------------

    def groups(self) -> list[tuple[str, Issue]]:
        """Return repeated identifiers, with issues on the similarity of their targets."""
        if self.settings.groups is not None:
            return []
        found = []
        for name, column in self.problem.columns.items():
            special = (self.settings.target, self.settings.time, self.settings.weights)
            if name in special or column.kind not in ("numeric", "categorical"):
                continue
            if not _IDENTIFIER.search(name) or self.frame[name].dtype.is_float():
                continue
            labels = np.array([str(v) for v in labels_of(self.frame[name])])
            distinct = len(np.unique(labels))
            if distinct < max(_GROUPS, self.n_classes + 1) or len(labels) < _REPEATS * distinct:
                continue
            likeness = alike_in_groups(labels, self.y, n_classes=self.n_classes)
            pairs = set(zip(labels.tolist(), self.y.tolist(), strict=True))
            alike = "the same target" if len(pairs) == distinct else "similar targets"
            whole = labels_of(nw.from_native(self.problem.frame, eager_only=True)[name])
            found.append((name, _group_issue(name, len(set(whole)), len(whole), likeness, alike)))
        return found

    # --- time ----------------------------------------------------------------------------------

    def durations(self, named: set[str]) -> list[Issue]:
        """Return issues on pairs of dates whose difference predicts the target."""
        dates = [n for n in self.names if self.problem.kinds[n] == "date" and n not in named]
        issues = []
        for first, second in combinations(dates[:_MOST_DATES], 2):
            days = np.nan_to_num(
                dates_of(self.frame[second])[:, 0] - dates_of(self.frame[first])[:, 0], nan=-1e6
            )
            skill = skill_of_column(days, self.y, n_classes=self.n_classes, ordered=True)
            if skill >= ALONE:
                text = f"The time from {first!r} to {second!r} nearly determines the target."
                remedy = "Will you know both dates at prediction time? If not, drop the later one."
                issues.append(Issue("time-leak", "serious", text, remedy))
        return issues


def _scaled(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return numbers between -1 and 1."""
    return np.asarray(values / (np.abs(values).max(initial=0.0) or 1.0))


def _one_value(y: NDArray[Any], gone: NDArray[np.bool_]) -> bool:
    """Return whether the target has one value in all rows with missing values, and only there."""
    inside = y[gone]
    return bool((inside == inside[0]).all() and not (y[~gone] == inside[0]).any())


def _group_issue(name: str, distinct: int, rows: int, likeness: float, alike: str) -> Issue:
    text = f"{name!r} repeats: {distinct} values in {rows} rows"
    remedy = f"Keep its rows together in every split with groups={name!r}."
    if likeness < _WEAK:
        text = f"{text}."
        return Issue(
            "repeated-identifier", "note", text, f"If these rows belong together: {remedy}"
        )
    return Issue(
        "group-leak",
        "serious" if likeness >= _STRONG else "warning",
        f"{text}, and rows with the same value have {alike}, so random splits are too optimistic.",
        remedy,
    )


def _value_issues(names: list[str]) -> Iterable[Issue]:
    if names:
        text = f"{listed_columns(names)} alone nearly {_determine(names)} the target."
        remedy = "Will you know it at prediction time? If not, drop it."
        yield Issue("target-leak", "serious", text, remedy)


def _missing_issues(names: list[str]) -> Iterable[Issue]:
    if names:
        text = f"Whether {listed_columns(names)} is missing nearly determines the target."
        remedy = "It may be filled in after the target is known; if so, drop it."
        yield Issue("missing-leak", "serious", text, remedy)


def _date_issues(names: list[str]) -> Iterable[Issue]:
    for name in names:
        text = f"The date {name!r} alone nearly determines the target."
        remedy = (
            f"If it is known only after the target, drop it; if rows of the same time "
            f"have the same target, test on later rows with time={name!r}."
        )
        yield Issue("time-leak", "serious", text, remedy)


def _determine(names: list[str]) -> str:
    return "determines" if len(names) == 1 else "determine"


def listed_columns(names: list[str]) -> str:
    """Return names in quotes, at most six of them.

    Examples
    --------
    >>> listed_columns(["a", "b"])
    "'a', 'b'"
    """
    shown = ", ".join(repr(n) for n in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")
