"""Which kind of problem a table poses, and which models of the catalogue answer it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target

from gramian.base.catalogue import ESTIMATORS, Entry

TaskKind = Literal["classification", "regression", "clustering or dimension reduction"]

_KINDS: dict[str, tuple[str, ...]] = {
    "classification": ("classifier",),
    "regression": ("regressor",),
    "clustering or dimension reduction": ("clusterer", "transformer"),
}
_FEW_VALUES = 20  # whole numbers with at most so many values, each met often, name classes


@dataclass(frozen=True)
class Task:
    """What is to be learned, why that was concluded, and what can learn it.

    ``parametric`` are models whose number of parameters is fixed by the columns and the settings;
    ``nonparametric`` those that grow with the rows, as trees and neighbours do; ``as_members``
    those that join or wrap other models and are what these are. Each class says it of itself, in
    its class attribute ``parametric``; an ensemble that has learners of its own is put down by
    these.
    """

    kind: TaskKind
    reason: str
    parametric: tuple[str, ...]
    nonparametric: tuple[str, ...]
    as_members: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


def describe_task(y: npt.ArrayLike | None = None) -> Task:
    """Tell which task a target poses.

    Without labels the task is to group the rows or to find fewer columns; with categories it is
    classification; with numbers regression, unless they are a few whole numbers that each occur
    often, which name classes.

    Parameters
    ----------
    y : array of shape (n,) or (n, outputs), optional
        The target, if there is one.

    Returns
    -------
    task : Task
        The kind, the reason in words, and the names of the models that fit.

    Examples
    --------
    >>> from gramian.evaluate import describe_task
    >>> print(describe_task(["ash", "birch", "ash"]))
    classification: the target holds categories (2 of them)
    >>> print(describe_task([0.1, 0.7, 0.9]))
    regression: the target holds numbers
    >>> "KNeighborsRegressor" in describe_task([0.1, 0.7, 0.9]).nonparametric
    True
    """
    kind, reason = _kind(y)
    fitting = [
        e for e in ESTIMATORS if e.kind in _KINDS[kind] and (y is not None or _needs_no_target(e))
    ]

    def named(parametric: bool | None) -> tuple[str, ...]:
        return tuple(e.name for e in fitting if e.resolve().parametric is parametric)

    return Task(kind, reason, named(True), named(False), named(None))


def _needs_no_target(entry: Entry) -> bool:
    """Whether an estimator can be fitted without a target."""
    return not get_tags(entry.resolve()()).target_tags.required


def _kind(y: npt.ArrayLike | None) -> tuple[TaskKind, str]:
    if y is None:
        return "clustering or dimension reduction", "there is no target"
    values = np.asarray(y)
    target = type_of_target(values, input_name="y")
    if target.startswith("continuous"):
        return "regression", "the target holds numbers"
    if target == "multilabel-indicator":
        return "classification", f"the target marks {values.shape[1]} labels"
    found = len(np.unique(values))
    if values.dtype.kind in "iuf":
        if found <= _FEW_VALUES and found <= max(2, len(values) // 5):
            return "classification", f"the target holds {found} whole numbers, each met often"
        return "regression", f"the target holds {found} different whole numbers"
    return "classification", f"the target holds categories ({found} of them)"
