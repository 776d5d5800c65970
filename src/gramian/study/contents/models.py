"""Out-of-fold predictions of each model as curves and counts."""

from dataclasses import dataclass

from gramian.study.contents.columns import Histogram


@dataclass(frozen=True)
class Points:
    """The points of a curve."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Band:
    """Minimum and maximum over the folds at each x; empty if no fold has both classes."""

    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Calibration:
    """Predicted against observed frequencies.

    Attributes
    ----------
    prob_pred, prob_true, rows
        Mean prediction, observed frequency and number of rows of each bin.
    expected_error, brier
        Expected calibration error, and the Brier score.
    """

    prob_pred: tuple[float, ...]
    prob_true: tuple[float, ...]
    rows: tuple[int, ...]
    expected_error: float
    brier: float


@dataclass(frozen=True)
class ThresholdCounts:
    """True and false positives at each threshold.

    Attributes
    ----------
    at, true_positives, false_positives
        The thresholds and the counts.
    positives, negatives
        Number of rows of the class, and of the others.
    """

    at: tuple[float, ...]
    true_positives: tuple[int, ...]
    false_positives: tuple[int, ...]
    positives: int
    negatives: int


@dataclass(frozen=True)
class ClassCurves:
    """The curves of one class against the rest.

    Attributes
    ----------
    class_
        Code of the class.
    auc, auc_low, auc_high
        Area under the ROC curve, with its interval.
    average_precision
        Area under the curve of precision and recall.
    roc, roc_band, precision_recall, precision_recall_band
        The curves, and their range over the folds.
    calibration, thresholds
        Calibration, and counts at each threshold.
    """

    class_: int
    auc: float
    auc_low: float
    auc_high: float
    average_precision: float
    roc: Points
    roc_band: Band
    precision_recall: Points
    precision_recall_band: Band
    calibration: Calibration
    thresholds: ThresholdCounts


@dataclass(frozen=True)
class Confidence:
    """Histograms of the highest probability, for correct and for wrong predictions."""

    edges: tuple[float, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]


@dataclass(frozen=True)
class ClassPredictions:
    """Predicted classes.

    Attributes
    ----------
    confusion
        Counts; rows are true classes. With costs, decisions minimise the expected cost.
    rejected
        Rejected rows of each class, not counted in `confusion`; None if rejecting is not allowed.
    curves
        Curves of the most frequent classes; empty without probabilities.
    histogram
        Histograms of the highest probability; None without probabilities.
    """

    confusion: tuple[tuple[int, ...], ...]
    rejected: tuple[int, ...] | None
    curves: tuple[ClassCurves, ...]
    histogram: Confidence | None


@dataclass(frozen=True)
class Dots:
    """True and predicted values of some rows."""

    true: tuple[float, ...]
    predicted: tuple[float, ...]


@dataclass(frozen=True)
class Decile:
    """A tenth of the rows, by predicted value.

    Attributes
    ----------
    from_, to
        Smallest and largest prediction.
    mean_error, mean_absolute_error, rows
        Mean of true minus predicted values, mean of its absolute value, and number of rows.
    """

    from_: float
    to: float
    mean_error: float
    mean_absolute_error: float
    rows: int


@dataclass(frozen=True)
class NumberPredictions:
    """Predicted numbers: some rows, the histogram of residuals, and errors by decile."""

    dots: Dots
    residuals: Histogram
    deciles: tuple[Decile, ...]
