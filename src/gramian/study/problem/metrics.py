"""Metrics for each task, with their direction.

The values equal those of scikit-learn, which tests verify. They are implemented here because
intervals need thousands of bootstrap samples, and scikit-learn's functions take a millisecond or
two to check their arguments, ten to a hundred times as long as these sums.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import ParameterError
from gramian.base.types import Floats, Mask, Matrix, Weights

TaskName = Literal["classification", "regression"]


class Predicted(NamedTuple):
    """Predictions for some rows: class codes or numbers, and probabilities if available."""

    values: NDArray[Any]
    proba: Floats | None

    def probabilities(self) -> Floats:
        """Return the probabilities, which the metric needs."""
        assert self.proba is not None
        return self.proba


@dataclass(frozen=True)
class Metric:
    """One metric.

    Attributes
    ----------
    name
        Name, as in the settings.
    words
        Description.
    scorer
        scikit-learn's name of the score, for which higher is better.
    greater_is_better
        Whether higher values of the metric are better.
    needs_proba
        Whether it needs probabilities.
    function
        Function of true values, predictions and weights.
    """

    name: str
    words: str
    scorer: str
    greater_is_better: bool
    needs_proba: bool
    function: Callable[[Matrix, Predicted, Weights | None], float]

    def score(self, value: float) -> float:
        """Return the value, with its sign changed if lower is better."""
        return value if self.greater_is_better else -value


def _roc_auc(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    """Return the area under the curve; for several classes the mean of one against the rest."""
    proba = predicted.probabilities()
    classes = [1] if proba.shape[1] == 2 else range(proba.shape[1])
    areas = [_area(y == k, proba[:, k], w) for k in classes if 0 < (y == k).sum() < len(y)]
    return float(np.mean(areas)) if areas else float("nan")


def _area(truth: Mask, score: Floats, w: Weights | None) -> float:
    """Return the probability that a positive row outscores a negative one, ties counting half."""
    weights = np.ones(len(truth)) if w is None else w
    ties = np.unique(score, return_inverse=True)[1]
    positive = np.bincount(ties, weights=weights * truth)
    negative = np.bincount(ties, weights=weights * ~truth)
    below = np.cumsum(negative) - negative / 2
    return float(positive @ below / (positive.sum() * negative.sum()))


def _log_loss(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    proba = predicted.probabilities()
    p = np.clip(proba[np.arange(len(y)), y], 1e-15, 1.0)
    return float(np.average(-np.log(p), weights=w))


def _brier(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    """Return the mean squared distance of probabilities and truth; half of it for two classes."""
    proba = predicted.probabilities()
    square = np.square(proba - np.eye(proba.shape[1])[y]).sum(axis=1)
    return float(np.average(square, weights=w)) / (2 if proba.shape[1] == 2 else 1)


def _class_weights(
    y: Matrix, predicted: Predicted, w: Weights | None
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the weight per class of correct rows, of true rows and of predicted rows."""
    K = int(max(y.max(), predicted.values.max())) + 1
    weights = np.ones(len(y)) if w is None else w
    found = np.bincount(y, weights=weights * (predicted.values == y), minlength=K)
    there = np.bincount(y, weights=weights, minlength=K)
    return found, there, np.bincount(predicted.values, weights=weights, minlength=K)


def _balanced(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    found, there, _ = _class_weights(y, predicted, w)
    return float(np.mean(found[there > 0] / there[there > 0]))


def _f1(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    found, there, named = _class_weights(y, predicted, w)
    met = there + named > 0
    return float(np.mean(2 * found[met] / (there + named)[met]))


def _r2(y: Matrix, predicted: Predicted, w: Weights | None) -> float:
    mean = np.average(y, weights=w)
    left = np.average((y - predicted.values) ** 2, weights=w)
    variance = np.average((y - mean) ** 2, weights=w)
    return float(1 - left / variance) if variance > 0 else float("nan")


CLASSIFICATION: tuple[Metric, ...] = (
    Metric("log_loss", "mean negative log-probability of the true class", "neg_log_loss", False,
           True, _log_loss),
    Metric(
        "accuracy", "proportion of correctly classified rows", "accuracy", True, False,
        lambda y, predicted, w: float(np.average(predicted.values == y, weights=w)),
    ),
    Metric(
        "balanced_accuracy", "mean recall over the classes", "balanced_accuracy",
        True, False, _balanced,
    ),
    Metric("f1_macro", "mean F1 over the classes", "f1_macro", True, False, _f1),
    Metric("roc_auc", "area under the ROC curve", "roc_auc", True, True, _roc_auc),
    Metric("brier", "mean squared error of the probabilities", "neg_brier_score", False, True,
           _brier),
)  # fmt: skip

REGRESSION: tuple[Metric, ...] = (
    Metric("r2", "proportion of variance explained", "r2", True, False, _r2),
    Metric(
        "rmse", "root mean squared error", "neg_root_mean_squared_error", False, False,
        lambda y, predicted, w: float(np.sqrt(np.average((y - predicted.values) ** 2, weights=w))),
    ),
    Metric(
        "mae", "mean absolute error", "neg_mean_absolute_error", False, False,
        lambda y, predicted, w: float(np.average(np.abs(y - predicted.values), weights=w)),
    ),
)  # fmt: skip


def metrics_for(task: TaskName) -> tuple[Metric, ...]:
    """Return the metrics of a task, the default first."""
    return CLASSIFICATION if task == "classification" else REGRESSION


def choose_metric(
    task: TaskName,
    name: str | None,
    others: tuple[Metric, ...] = (),
    *,
    have_proba: bool = True,
) -> Metric:
    """Return the named metric, or the default: the first of `others`, or that of the task.

    The default of a task is a proper score. If some models have no probabilities (`have_proba` is
    False), it is the first metric that needs none.
    """
    known = {m.name: m for m in (*others, *metrics_for(task))}
    if name is None:
        return next(m for m in known.values() if have_proba or not m.needs_proba)
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ParameterError(
            f"metric must be one of {', '.join(known)} for {task}; got {name!r}.{hint}"
        )
    return known[name]


def tie_breaker(task: TaskName) -> Metric:
    """Return the metric that decides between equal scores."""
    return next(
        m for m in metrics_for(task) if m.name == {"classification": "log_loss"}.get(task, "rmse")
    )
