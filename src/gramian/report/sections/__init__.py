"""The sections of the report, in order; each prepares the values of its template."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from gramian.report.limits import Limits
from gramian.report.sections.card import card
from gramian.report.sections.checks import checks
from gramian.report.sections.comparison import comparison
from gramian.report.sections.data import data
from gramian.report.sections.errors import errors
from gramian.report.sections.explanation import explanation
from gramian.report.sections.groups import groups
from gramian.report.sections.labelling import labelling
from gramian.report.sections.leaderboard import leaderboard
from gramian.report.sections.learning import learning
from gramian.report.sections.models import models
from gramian.report.sections.verdict import verdict
from gramian.report.view import View
from gramian.study.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)

C = TypeVar("C", bound=Contents)
Prepare = Callable[[Contents, Limits], View | None]


@dataclass(frozen=True)
class Section:
    """One section.

    Attributes
    ----------
    name
        Name of its template, and its anchor on the page.
    title
        Heading.
    prepare
        Function that returns the values of the template, or None if the section is not shown.
    """

    name: str
    title: str
    prepare: Prepare


def _of(kind: type[C], prepare: Callable[[C, Limits], View | None]) -> Prepare:
    """Wrap the function for any contents; contents of other kinds have no such section."""

    def prepared(contents: Contents, limits: Limits) -> View | None:
        return prepare(contents, limits) if isinstance(contents, kind) else None

    return prepared


def _use(contents: Contents, _: Limits) -> View:
    return {"load": contents.load}


SECTIONS = (
    Section("verdict", "Verdict", verdict),
    Section("card", "Run", card),
    Section("data", "Data", data),
    Section("groups", "Clusters", _of(ClusterContents, groups)),
    Section("labelling", "Labels", _of(LabelContents, labelling)),
    Section("leaderboard", "Leaderboard", _of(SupervisedContents, leaderboard)),
    Section("comparison", "Statistical comparison", _of(SupervisedContents, comparison)),
    Section("models", "Model by model", _of(SupervisedContents, models)),
    Section("learning", "Learning curve", _of(SupervisedContents, learning)),
    Section("explanation", "Feature importance", _of(SupervisedContents, explanation)),
    Section("errors", "Errors", _of(SupervisedContents, errors)),
    Section("checks", "Checks", checks),
    Section("use", "Use the model", _use),
)
