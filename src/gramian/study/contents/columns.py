"""The columns of the table: kind, missing values, distribution."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Histogram:
    """Row counts between edges; there is one more edge than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class LabelCount:
    """A category, class or word, and the number of rows that have it."""

    label: str
    rows: int


@dataclass(frozen=True)
class Column:
    """One column of a kind that has no distribution, such as an identifier.

    Attributes
    ----------
    name, kind, reason
        Its name, its kind, and why it has this kind.
    used, is_target
        Whether it is a feature, or the target.
    missing, distinct
        Number of missing values, and of different known values.
    """

    name: str
    kind: str
    reason: str
    used: bool
    is_target: bool
    missing: int
    distinct: int


@dataclass(frozen=True)
class NumericColumn(Column):
    """A numeric column.

    Attributes
    ----------
    histogram
        Its distribution.
    mean, deviation, least, median, greatest
        Statistics of the known values.
    """

    histogram: Histogram
    mean: float
    deviation: float
    least: float
    median: float
    greatest: float


@dataclass(frozen=True)
class DateColumn(Column):
    """A column of dates, with the first and the last day as ``YYYY-MM-DD``."""

    first: str
    last: str


@dataclass(frozen=True)
class TextColumn(Column):
    """A column of texts, with the words of the most rows."""

    words: tuple[LabelCount, ...]


@dataclass(frozen=True)
class CategoricalColumn(Column):
    """A categorical or constant column, with its most frequent levels."""

    levels: tuple[LabelCount, ...]


@dataclass(frozen=True)
class Columns:
    """The columns described (`shown`), and the number of those that are not (`left_out`)."""

    shown: tuple[NumericColumn | DateColumn | TextColumn | CategoricalColumn | Column, ...]
    left_out: int
