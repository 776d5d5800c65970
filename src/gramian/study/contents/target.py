"""The distribution of the target."""

from dataclasses import dataclass

from gramian.study.contents.columns import Histogram, LabelCount


@dataclass(frozen=True)
class ClassTarget:
    """The classes with their row counts, in the order of their codes."""

    classes: tuple[LabelCount, ...]


@dataclass(frozen=True)
class NumericTarget:
    """A histogram of the target."""

    histogram: Histogram
