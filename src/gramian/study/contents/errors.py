"""Errors of the best model on the test rows."""

from dataclasses import dataclass

from gramian.study.contents.values import Scalar


@dataclass(frozen=True)
class WorstRow:
    """A test row with a large loss.

    Attributes
    ----------
    row
        Its index in the table; the first row is 0.
    truth, predicted
        Class or number.
    loss
        1 - probability of the true class, or the absolute error.
    values
        Its values in some columns.
    """

    row: int
    truth: str | float
    predicted: str | float
    loss: float
    values: dict[str, Scalar]


@dataclass(frozen=True)
class Slice:
    """A subgroup with a higher error than all test rows.

    Attributes
    ----------
    column, part, rows
        The column, the level or range of its values, and the number of rows.
    error, low, high
        Mean error and its interval; None if undefined.
    overall
        Mean error of all test rows.
    p, p_adjusted
        P-value of "same error as all rows", and adjusted for the number of subgroups.
    """

    column: str
    part: str
    rows: int
    error: float
    low: float | None
    high: float | None
    overall: float
    p: float
    p_adjusted: float
