"""Explanation of the best model, and of the prediction for one row."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Importance:
    """Drop of the main metric when a column is shuffled; the interval is None if undefined."""

    column: str
    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Effect:
    """Mean prediction when a column is set to one value in all rows.

    Attributes
    ----------
    column, kind
        The column and its kind.
    values
        Numbers, levels, or words.
    means
        For each value the mean prediction, or the mean probability of each class.
    """

    column: str
    kind: str
    values: tuple[float, ...] | tuple[str, ...]
    means: tuple[float, ...] | tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class RowEffect:
    """Effect of a column on the prediction for one row.

    Attributes
    ----------
    column, value
        The column and its value in the row.
    effect
        Prediction of the row minus the mean prediction when the value is replaced by those of other
        rows; for classification, one number for each class.
    """

    column: str
    value: Any
    effect: float | tuple[float, ...]


@dataclass(frozen=True)
class Coefficients:
    """Coefficients of a linear model.

    Attributes
    ----------
    columns
        The prepared columns, those with the largest coefficients first.
    outputs
        The classes, or ``"prediction"``.
    values, intercept
        For each output its coefficients and its intercept.
    left_out
        Number of columns not shown.
    """

    columns: tuple[str, ...]
    outputs: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    intercept: tuple[float, ...]
    left_out: int


@dataclass(frozen=True)
class TreeNode:
    """A node of a tree.

    Attributes
    ----------
    rule
        The rule that leads to it; None at the root.
    rows, says, share
        Training rows, the prediction, and the proportion of that class (None for regression).
    children
        Nodes below it.
    hidden
        Number of leaves below it that are left out.
    """

    rule: str | None
    rows: int
    says: str | float
    share: float | None
    children: tuple["TreeNode", ...]
    hidden: int


@dataclass(frozen=True)
class TreeRules:
    """A tree: its root, number of leaves, and depth."""

    root: TreeNode
    leaves: int
    depth: int
