"""The sections of the report, in order; each prepares the values of its template."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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

Contents = dict[str, Any]


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
        Function that returns the values of the template.
    needs
        Key that the contents must have for the section to be shown.
    """

    name: str
    title: str
    prepare: Callable[[Contents, Limits], Any]
    needs: str = "run"


def _unchanged(contents: Contents, _: Limits) -> Contents:
    return contents


SECTIONS = (
    Section("verdict", "Verdict", verdict),
    Section("card", "Run", card),
    Section("data", "Data", data),
    Section("groups", "Clusters", groups, "clusters"),
    Section("labelling", "Labels", labelling, "labelling"),
    Section("leaderboard", "Leaderboard", leaderboard, "leaderboard"),
    Section("comparison", "Statistical comparison", comparison, "comparison"),
    Section("models", "Model by model", models, "models"),
    Section("learning", "Learning curve", learning, "learning_curve"),
    Section("explanation", "Feature importance", explanation, "importances"),
    Section("errors", "Errors", errors, "worst_rows"),
    Section("checks", "Checks", checks),
    Section("use", "Use the model", _unchanged),
)
