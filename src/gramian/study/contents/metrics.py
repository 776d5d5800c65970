"""The metrics of a study."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MetricInfo:
    """One metric.

    Attributes
    ----------
    name, words
        Its name, and what it measures in words.
    greater_is_better
        Its direction.
    is_main
        Whether models are selected by it.
    """

    name: str
    words: str
    greater_is_better: bool
    is_main: bool
