"""The test: scores of the best model on held-out rows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HeldOutScore:
    """A score on the test rows.

    Attributes
    ----------
    value, low, high
        The score and its interval; None if undefined.
    method
        Method of the interval.
    """

    value: float
    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True)
class HeldOutResult:
    """The test of the best model.

    Attributes
    ----------
    rows
        Number of test rows.
    scores, baseline
        Scores of the best model and of the baseline, by name of the metric.
    duplicates
        Test rows that duplicate a training row.
    without_duplicates
        Scores of the other test rows; None if there are no duplicates, or too few others.
    without_copies
        Scores of all test rows by a model fitted without their duplicates; None if there are none.
    confusion, rejected
        For classes, as in `gramian.study.contents.models.ClassPredictions`; else None.
    """

    rows: int
    scores: dict[str, HeldOutScore]
    baseline: dict[str, float]
    duplicates: int
    without_duplicates: dict[str, HeldOutScore] | None
    without_copies: dict[str, float] | None
    confusion: tuple[tuple[int, ...], ...] | None = None
    rejected: tuple[int, ...] | None = None
