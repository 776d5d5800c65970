"""Which kind of problem a table poses, and which models of the catalogue answer it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import type_of_target

from gramian.base.catalogue import ESTIMATORS

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

    ``parametric`` are models whose size is fixed by the columns alone; ``nonparametric`` those
    that keep the rows and grow with them.
    """

    kind: TaskKind
    reason: str
    parametric: tuple[str, ...]
    nonparametric: tuple[str, ...]

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
    names = [e for e in ESTIMATORS if e.kind in _KINDS[kind]]
    keeps_rows = {e.name for e in names if e.path.startswith("gramian.neighbors.")}
    return Task(
        kind,
        reason,
        tuple(e.name for e in names if e.name not in keeps_rows),
        tuple(e.name for e in names if e.name in keeps_rows),
    )


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
