"""Multi-label results: the compared learners, and each label."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LearnerScores:
    """The scores of one learner, which are equal for equal seeds.

    Attributes
    ----------
    name, is_baseline
        Its name, and whether it is the baseline.
    mean, low, high
        Mean score over the folds and its interval; None if undefined.
    p_best
        Adjusted p-value of "as good as the best"; None for the best.
    """

    name: str
    mean: float
    low: float | None
    high: float | None
    p_best: float | None
    is_baseline: bool


@dataclass(frozen=True)
class LearnerRow(LearnerScores):
    """One learner: its scores, and the mean seconds of a fit."""

    fit_seconds: float


@dataclass(frozen=True)
class LabelMetric:
    """A metric on the test rows with its interval; None if undefined.

    Attributes
    ----------
    estimate, low, high, confidence
        The value, its interval and the interval's confidence.
    method, assumes
        Method of the interval, and what it assumes.
    """

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    method: str
    assumes: str


@dataclass(frozen=True)
class LabelRow:
    """One label on the test rows.

    Attributes
    ----------
    label
        Its name.
    rows, predicted
        Number of rows with the label, and of rows predicted to have it.
    precision, recall, f1
        Scores of its predictions.
    auc
        Area under the ROC curve; None if all rows have the label, or none.
    """

    label: str
    rows: int
    predicted: int
    precision: float
    recall: float
    f1: float
    auc: float | None


@dataclass(frozen=True)
class Labelling:
    """The learners, and the metrics and labels of the best on its test rows."""

    learners: tuple[LearnerRow, ...]
    metrics: dict[str, LabelMetric]
    labels: tuple[LabelRow, ...]
    rows: int
