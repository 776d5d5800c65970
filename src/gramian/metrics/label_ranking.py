"""Metrics of ranked labels that scikit-learn lacks.

scikit-learn has the others: `hamming_loss`, `accuracy_score` (of whole label sets),
`coverage_error` (counted from 1), `label_ranking_loss`, `label_ranking_average_precision_score`,
`ndcg_score`, `f1_score` and `roc_auc_score` with ``average="micro"``, ``"macro"`` or ``"samples"``.
"""

from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.stats import rankdata

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats, Matrix


def precision_at_k(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    k: int = 5,
    per_row: bool = False,
    divisor: Literal["k", "possible"] = "k",
) -> Any:
    """Return the proportion of relevant labels among the k labels with the highest scores.

    Parameters
    ----------
    y_true
        0s and 1s (n, labels), dense or sparse.
    y_score
        Scores (n, labels); among equal scores the lower column comes first.
    k
        Number of top labels to consider.
    per_row
        Whether to return the value of each row instead of the mean.
    divisor
        "k", or "possible": the smaller of k and the number of relevant labels, so that every row
        can reach 1; rows without a label then have 0.

    Returns
    -------
    float, or array (n,)

    Examples
    --------
    >>> precision_at_k([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.1], [0.2, 0.7, 0.1]], k=2)
    0.5
    """
    truth, scores = check_ranking("precision_at_k", y_true, y_score)
    if not (isinstance(k, Integral) and 1 <= k <= truth.shape[1]):
        raise ParameterError(
            f"precision_at_k: k must be an integer from 1 to {truth.shape[1]}, the number of "
            f"labels; got {k!r}."
        )
    if divisor not in ("k", "possible"):
        raise ParameterError(f"precision_at_k: divisor must be 'k' or 'possible'; got {divisor!r}.")
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    hits = np.take_along_axis(truth, best, axis=1).sum(axis=1)
    whole = np.full(len(hits), k) if divisor == "k" else np.minimum(truth.sum(axis=1), k)
    precision = hits / np.maximum(whole, 1)
    return precision if per_row else float(precision.mean())


def one_error(y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, per_row: bool = False) -> Any:
    """Return the proportion of rows whose highest-scored label is not relevant.

    Schapire and Singer 2000. Among equal scores the lower column comes first.

    Parameters
    ----------
    y_true
        0s and 1s (n, labels), dense or sparse.
    y_score
        Scores (n, labels).
    per_row
        Whether to return the value of each row instead of the mean.

    Returns
    -------
    float, or array (n,)

    Examples
    --------
    >>> one_error([[1, 0], [0, 1]], [[0.9, 0.1], [0.6, 0.4]])
    0.5
    """
    truth, scores = check_ranking("one_error", y_true, y_score)
    wrong = ~truth[np.arange(len(truth)), scores.argmax(axis=1)]
    return wrong.astype(float) if per_row else float(wrong.mean())


class RowLosses(NamedTuple):
    """Ranking metrics of each row; their means are scikit-learn's, coverage counted from 0."""

    coverage: Floats
    ranking_loss: Floats
    average_precision: Floats


def row_losses(truth: npt.NDArray[np.bool_], scores: Floats) -> RowLosses:
    """Return the ranking metrics of each row; equal scores share the largest rank.

    With r(l) the number of labels whose score is at least that of l: coverage is the largest r of a
    relevant label minus 1; the ranking loss the proportion of pairs of a relevant and an irrelevant
    label that are in the wrong order, ties included; average precision the mean over relevant
    labels of the proportion of relevant labels among the first r(l). Rows whose labels are all
    relevant or all irrelevant have no wrong pair, and average precision 1.
    """
    n_labels = truth.shape[1]
    ranks = rankdata(-scores, method="max", axis=1)
    among = np.where(truth, scores, -np.inf)
    relevant = truth.sum(axis=1)
    within = np.where(
        truth, rankdata(-among, method="max", axis=1), 0
    )  # rank among relevant labels
    coverage = np.maximum(np.where(truth, ranks, 0).max(axis=1) - 1, -1) + (relevant == 0)
    wrong: Matrix = np.where(truth, ranks - within, 0).sum(axis=1)  # irrelevant labels at or above
    pairs = relevant * (n_labels - relevant)
    precision: Matrix = np.where(truth, within / ranks, 0).sum(axis=1)
    trivial = pairs == 0
    return RowLosses(
        coverage.astype(float),
        np.where(trivial, 0.0, wrong / np.maximum(pairs, 1)),
        np.where(trivial, 1.0, precision / np.maximum(relevant, 1)),
    )


def check_ranking(
    owner: str, y_true: Any, y_score: npt.ArrayLike
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return relevant labels and scores as arrays of one shape."""
    truth = y_true.toarray() if sp.issparse(y_true) else np.asarray(y_true)
    scores = np.asarray(y_score, dtype=float)
    if truth.ndim != 2 or truth.shape != scores.shape:
        raise DataError(
            f"{owner}: y_true and y_score must be matrices of one shape (rows, labels); got "
            f"{truth.shape} and {scores.shape}. Pass a score for each row and label of y_true."
        )
    if not truth.size:
        raise DataError(
            f"{owner}: y_true must have at least one row and one label; got shape {truth.shape}."
        )
    if not np.isin(truth, (0, 1)).all():
        raise DataError(
            f"{owner}: y_true must contain only 0 and 1; pass an indicator matrix of the labels."
        )
    if np.isnan(scores).any():
        raise DataError(f"{owner}: y_score contains NaN; pass a score for every label.")
    return truth.astype(bool), scores
