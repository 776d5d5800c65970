r"""Metrics of multi-label predictions, with bootstrap intervals, and results for each label.

Means over rows: Hamming loss, accuracy of whole label sets, F1 of examples, and of the ranking of
labels by score: one-error, coverage (depth of the last true label in the list, counted from 0),
ranking loss, average precision, precision and nDCG at k. Over labels: F1 and the area under the ROC
curve, over all pairs of row and label (micro) or as the mean over labels (macro). Labels that all
rows or no rows have are left out of the mean area.

Intervals are percentiles of the metric on bootstrap samples of the rows. References: Tsoumakas,
Katakis and Vlahavas 2010; Efron and Tibshirani 1993, chapter 13.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.metrics import ndcg_score, roc_auc_score

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.evaluate.input_checks import check_fraction
from gramian.evaluate.results import Interval
from gramian.metrics.label_ranking import check_ranking, one_error, precision_at_k, row_losses

LOSSES = ("hamming_loss", "one_error", "coverage", "ranking_loss")  # smaller is better
_AREAS = 20_000  # maximum number of areas that the bootstrap computes
_Truth = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
_Metric = Callable[[Floats], float]  # function of the row weights


@dataclass(frozen=True)
class LabelScores:
    """Results of one label: how many rows have it, and how well it is predicted."""

    label: Any
    rows: int
    predicted: int
    precision: float
    recall: float
    f1: float
    auc: float  # NaN where all rows have the label, or none


@dataclass(frozen=True)
class MultiLabelReport:
    """Metrics with their intervals, and the results of each label.

    Attributes
    ----------
    metrics
        The intervals by name of the metric.
    labels
        The results of each label, in the order of the columns.
    n_rows
        Number of rows.
    """

    metrics: dict[str, Interval]
    labels: tuple[LabelScores, ...]
    n_rows: int

    def __str__(self) -> str:
        lines = [
            f"{name:18} {i.estimate:.4f}  ({i.low:.4f} to {i.high:.4f})"
            for name, i in self.metrics.items()
        ]
        sizes = [(self.n_rows, "row"), (len(self.labels), "label")]
        head = ", ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in sizes)
        return "\n".join([head, *lines])


def multilabel_report(
    y_true: Any,
    y_score: npt.ArrayLike,
    y_pred: Any = None,
    *,
    labels: Sequence[Any] | None = None,
    ks: Sequence[int] = (1, 3, 5),
    confidence: float = 0.95,
    n_bootstrap: int = 200,
    random_state: Any = 0,
) -> MultiLabelReport:
    """Return the metrics of multi-label predictions with bootstrap intervals.

    Parameters
    ----------
    y_true
        0s and 1s (n, labels), dense or sparse.
    y_score
        Scores (n, labels), such as `decision_function` or `predict_proba` returns.
    y_pred
        Predicted labels (n, labels); None means the labels of positive scores.
    labels
        Names of the labels; None means the column numbers.
    ks
        Numbers of labels at which precision and nDCG are computed; those above the number of labels
        are left out.
    confidence
        Confidence level of the intervals.
    n_bootstrap
        Number of bootstrap samples; fewer for the areas where there are many labels.
    random_state
        Seed or generator for the samples.

    Returns
    -------
    report : MultiLabelReport

    Examples
    --------
    >>> report = multilabel_report([[1, 0], [0, 1], [1, 1]], [[2.0, -1], [1, 3], [1, -1]], ks=(1,))
    >>> round(report.metrics["hamming_loss"].estimate, 4), report.labels[1].recall
    (0.3333, 0.5)
    """
    truth, scores = check_ranking("multilabel_report", y_true, y_score)
    predicted = _predicted(y_pred, scores)
    if not np.isfinite(scores).all():  # such as logarithms of 0; only their order counts
        scores = np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(float)
    names = list(range(truth.shape[1])) if labels is None else list(labels)
    if len(names) != truth.shape[1]:
        raise DataError(
            f"multilabel_report: labels must name the {truth.shape[1]} columns; got {len(names)}."
        )
    check_fraction("multilabel_report", "confidence", confidence)
    if not all(isinstance(count, Integral) and count >= 1 for count in (n_bootstrap, *ks)):
        raise ParameterError(
            "multilabel_report: n_bootstrap and ks must be integers >= 1; got "
            f"n_bootstrap={n_bootstrap!r}, ks={tuple(ks)!r}."
        )
    rng = stream(seed_of(random_state))
    n = len(truth)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=n_bootstrap).astype(float)
    found = {
        name: _interval(metric, counts, confidence)
        for name, metric in _metrics(truth, scores, predicted, ks).items()
    }
    few = counts[: max(20, _AREAS // truth.shape[1])]
    for name, metric in _areas(truth, scores).items():
        found[name] = _interval(metric, few, confidence)
    return MultiLabelReport(found, _by_label(truth, scores, predicted, names), n)


def _predicted(y_pred: Any, scores: Floats) -> _Truth:
    if y_pred is None:
        return np.asarray(scores > 0)
    predicted_sets = y_pred.toarray() if sp.issparse(y_pred) else np.asarray(y_pred)
    if predicted_sets.shape != scores.shape:
        raise DataError(
            f"multilabel_report: y_pred must have shape {scores.shape}; got {predicted_sets.shape}."
        )
    if not np.isin(predicted_sets, (0, 1)).all():
        raise DataError(
            "multilabel_report: y_pred must contain 0 and 1 only; pass scores as y_score, and "
            "leave y_pred out."
        )
    return predicted_sets.astype(bool)


def _interval(metric: _Metric, counts: Floats, confidence: float) -> Interval:
    estimate = metric(np.ones(counts.shape[1]))
    values = np.array([metric(weights) for weights in counts])
    known = values[np.isfinite(values)]
    tail = (1 - confidence) / 2
    low, high = np.quantile(known, [tail, 1 - tail]) if len(known) else (np.nan, np.nan)
    return Interval(
        estimate, float(low), float(high), confidence, "bootstrap percentiles", "independent rows"
    )


# --- the metrics, as functions of the rows' weights -------------------------------------------


def _metrics(
    truth: _Truth, scores: Floats, predicted: _Truth, ks: Sequence[int]
) -> dict[str, _Metric]:
    hits = (truth & predicted).astype(float)
    both = truth.astype(float) + predicted
    ranking = row_losses(truth, scores)
    rows: dict[str, Floats] = {
        "hamming_loss": (truth != predicted).mean(axis=1),
        "subset_accuracy": (truth == predicted).all(axis=1).astype(float),
        "f1_samples": _f1(hits.sum(axis=1), both.sum(axis=1)),
        "one_error": one_error(truth, scores, per_row=True),
        "coverage": ranking.coverage,
        "ranking_loss": ranking.ranking_loss,
        "average_precision": ranking.average_precision,
    }
    for k in ks:
        if k <= truth.shape[1]:
            rows[f"precision_at_{k}"] = precision_at_k(truth, scores, k=k, per_row=True)
            rows[f"ndcg_at_{k}"] = _ndcg(truth, scores, k)
    results: dict[str, _Metric] = {name: _mean_of(values) for name, values in rows.items()}
    results["f1_micro"] = lambda w: float(_f1(w @ hits.sum(axis=1), w @ both.sum(axis=1)))
    results["f1_macro"] = lambda w: float(_f1(w @ hits, w @ both).mean())
    return results


def _areas(truth: _Truth, scores: Floats) -> dict[str, _Metric]:
    def macro(weights: Floats) -> float:
        each = [_auc(t, s, weights) for t, s in zip(truth.T, scores.T, strict=True)]
        known = [area for area in each if np.isfinite(area)]
        return float(np.mean(known)) if known else float("nan")

    pooled = truth.ravel(), scores.ravel()
    return {
        "auc_micro": lambda w: _auc(*pooled, np.repeat(w, truth.shape[1])),
        "auc_macro": macro,
    }


def _mean_of(values: Floats) -> _Metric:
    return lambda weights: float(weights @ values / weights.sum())


def _f1(hits: Any, both: Any) -> Any:
    """Return 2 TP / (positives + predicted), or 0 if both are 0."""
    return np.divide(2 * hits, both, out=np.zeros_like(both, dtype=float), where=both > 0)


def _ndcg(truth: _Truth, scores: Floats, k: int) -> Floats:
    if truth.shape[1] == 1:
        return truth[:, 0].astype(float)
    return np.array(
        [ndcg_score(t[None], s[None], k=k) for t, s in zip(truth * 1, scores, strict=True)]
    )


def _auc(truth: _Truth, scores: Floats, weights: Floats) -> float:
    drawn = weights > 0
    if truth[drawn].all() or not truth[drawn].any():
        return float("nan")
    return float(roc_auc_score(truth[drawn], scores[drawn], sample_weight=weights[drawn]))


def _by_label(
    truth: _Truth, scores: Floats, predicted: _Truth, names: list[Any]
) -> tuple[LabelScores, ...]:
    results = []
    for name, t, s, p in zip(names, truth.T, scores.T, predicted.T, strict=True):
        hits, n_positive, n_predicted = int((t & p).sum()), int(t.sum()), int(p.sum())
        results.append(
            LabelScores(
                label=name,
                rows=n_positive,
                predicted=n_predicted,
                precision=hits / n_predicted if n_predicted else 0.0,
                recall=hits / n_positive if n_positive else 0.0,
                f1=2 * hits / (n_positive + n_predicted) if n_positive + n_predicted else 0.0,
                auc=_auc(t, s, np.ones(len(t))),
            )
        )
    return tuple(results)
