"""Thresholds of labels: fixed, a function of the rows, by label frequency, or by F1.

Yang, SIGIR 2001, compares two strategies: a proportion of rows for each label (PCut, "count" here),
and the best score of each label on left-out rows (SCut, "f1").
"""

from numbers import Real
from typing import Annotated, Literal

import numpy as np
from sklearn.model_selection import KFold

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.fields import Array, Function, Interval
from gramian.base.folds import check_splits
from gramian.base.inputs.targets import LabelSets
from gramian.base.kinds import Estimator
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights

Number = Annotated[float, Interval(Real)]
Threshold = Literal["count", "f1"] | Number | Array | Function | None


def fixed_thresholds(model: Estimator, n_labels: int) -> Floats:
    """Return the fixed threshold of each label."""
    value = model._default_threshold() if model.threshold is None else model.threshold
    thresholds = parameter_array(type(model).__name__, "threshold", value)
    if thresholds.shape not in ((), (n_labels,)) or not np.isfinite(thresholds).all():
        raise ParameterError(
            f"{type(model).__name__}: threshold must be a finite number, or one for each of the "
            f"{n_labels} labels; got {value!r}."
        )
    return np.array(np.broadcast_to(thresholds, n_labels))


def row_thresholds(model: Estimator, table: Data) -> Floats:
    """Return the thresholds t(x) of rows from a function, shape (rows, 1) or (rows, labels).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(threshold=lambda x: x.mean(axis=1), thresholds_=np.zeros(3))
    >>> row_thresholds(model, np.array([[1.0, 3.0], [0.0, 1.0]]))
    array([[2. ],
           [0.5]])
    """
    n, n_labels = table.shape[0], len(model.thresholds_)
    thresholds = np.asarray(model.threshold(table), dtype=float)
    if thresholds.shape not in ((n,), (n, 1), (n, n_labels)) or not np.isfinite(thresholds).all():
        raise ParameterError(
            f"{type(model).__name__}: the threshold function must return a finite number for each "
            f"row, shape ({n},), or for each row and label, shape ({n}, {n_labels}); got shape "
            f"{thresholds.shape}."
        )
    return thresholds.reshape(n, -1)


def choose_thresholds(
    model: Estimator, table: Data, Y: LabelSets, weights: Weights | None
) -> Floats:
    """Return the thresholds chosen from the scores of left-out rows."""
    n, splitter = len(Y), model.threshold_cv
    cv = KFold(min(5, n), shuffle=True, random_state=0) if splitter is None and n > 1 else splitter
    scores = np.full(Y.shape, np.nan)
    folds = check_splits(type(model).__name__, cv, table, Y.astype(int), classifier=False)
    for train, test in folds:
        own = None if weights is None else weights[train]
        fitted = model._fit_copy(take(table, train), Y[train], own)
        scores[test] = fitted._scores(take(table, test))
    scored = ~np.isnan(scores).any(axis=1)
    scores, truth = scores[scored], Y[scored]
    counts = np.ones(len(truth)) if weights is None else weights[scored]
    natural = model._default_threshold()
    choose = threshold_by_count if model.threshold == "count" else threshold_by_f1
    return np.array(
        [choose(s, y, natural, counts) for s, y in zip(scores.T, truth.T, strict=True)], float
    )


def threshold_by_count(scores: Floats, truth: LabelSets, natural: float, counts: Floats) -> float:
    """Return the threshold for which the label is predicted as often as it occurs.

    Examples
    --------
    >>> scores, truth = np.array([0.1, 0.2, 0.4, 0.3]), np.array([0, 0, 1, 1], bool)
    >>> threshold_by_count(scores, truth, 0.5, np.ones(4))
    0.25
    """
    order = np.argsort(-scores, kind="stable")
    above = np.append(0.0, np.cumsum(counts[order]))
    return _threshold_between(scores[order], int(np.abs(above - counts @ truth).argmin()), natural)


def threshold_by_f1(scores: Floats, truth: LabelSets, natural: float, counts: Floats) -> float:
    """Return the threshold with the largest F1 = 2 TP / (predicted + positives).

    Ties go to the threshold that predicts fewest rows; a label without rows keeps the default.

    Examples
    --------
    >>> scores, truth = np.array([0.1, 0.2, 0.4, 0.3]), np.array([0, 1, 1, 0], bool)
    >>> round(threshold_by_f1(scores, truth, 0.5, np.ones(4)), 2)
    0.15
    """
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum((counts * truth)[order])
    if not len(hits) or hits[-1] == 0:
        return natural
    cut = np.append(ranked[1:] < ranked[:-1], True)  # equal scores stay on one side
    f1 = np.where(cut, 2 * hits / (np.cumsum(counts[order]) + hits[-1]), -1.0)
    return _threshold_between(ranked, int(f1.argmax()) + 1, natural)


def _threshold_between(ranked: Floats, count: int, natural: float) -> float:
    """Return a threshold between the `count` largest scores and the rest."""
    if count == 0:
        return max(natural, float(ranked[0])) if len(ranked) else natural
    if count == len(ranked):
        low = float(ranked[-1])
        return min(natural, low - abs(low) * 1e-9 - 1e-12)
    return float((ranked[count - 1] + ranked[count]) / 2)
