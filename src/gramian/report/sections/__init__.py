"""The sections of the page, in order: each turns contents into what its template needs."""

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
        Of its template, and its address on the page.
    title
        Its heading.
    prepare
        Gives the template its values.
    needs
        Key that the contents must have.
    """

    name: str
    title: str
    prepare: Callable[[Contents, Limits], Any]
    needs: str = "run"


def _as_it_is(contents: Contents, _: Limits) -> Contents:
    return contents


SECTIONS = (
    Section("verdict", "Verdict", verdict),
    Section("card", "The run", card),
    Section("data", "The data", data),
    Section("groups", "Groups of rows", groups, "clusters"),
    Section("leaderboard", "Leaderboard", leaderboard, "leaderboard"),
    Section("comparison", "Statistical comparison", comparison, "comparison"),
    Section("models", "Model by model", models, "models"),
    Section("learning", "Learning curve", learning, "learning_curve"),
    Section("explanation", "What the model looks at", explanation, "importances"),
    Section("errors", "Where it errs", errors, "worst_rows"),
    Section("checks", "Checks", checks),
    Section("use", "Use the model", _as_it_is),
)
