"""The learning curve of the best model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LearningPoint:
    """Training and validation scores for a number of training rows, one value for each split."""

    rows: int
    train: tuple[float, ...]
    validation: tuple[float, ...]


@dataclass(frozen=True)
class LearningCurve:
    """Scores by one metric against the number of training rows."""

    metric: str
    points: tuple[LearningPoint, ...]
