r"""Bounds on the errors of a fitted classifier, compared with measured errors.

    linear        labellings by hyperplanes: risk <= training error + epsilon, by the theorem of
                  Vapnik and Chervonenkis with Cover's count (for K classes one hyperplane per pair)
    trees         labellings by trees of m splits on d columns, Catalan(m) (d n)^m K^(m + 1);
                  m depends on the data, so it gets the fraction 1 / (m (m + 1)) of delta; no bound
                  with categorical columns or missing values, which have more splits
    AdaBoost      training error <= prod_t 2 sqrt(err_t (1 - err_t))
    perceptron    mistakes <= (R / gamma)^2 on rows that a hyperplane separates, row by row from
                  w = 0, without penalty, margin or weights
    one neighbour no classifier has a risk below the inverse of Cover and Hart's bound at the
                  leave-one-out error (for many rows)
    test rows     risk <= test error + sqrt(ln(1 / delta) / (2 n)), by Hoeffding, for any classifier

Bounds of the first two kinds are often above 1: they hold for the worst distribution. References:
Shalev-Shwartz and Ben-David, Understanding Machine Learning, 2014, chapters 6, 10 and 18.
"""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import sklearn.neighbors
import sklearn.tree
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.types import Table
from gramian.ensemble import AdaBoostClassifier
from gramian.evaluate.input_checks import check_fraction
from gramian.linear_model import Perceptron, separability
from gramian.neighbors import KNeighborsClassifier
from gramian.textbook.learning_theory.growth import cover_bound, cover_count
from gramian.textbook.learning_theory.hoeffding import HoeffdingBound
from gramian.textbook.learning_theory.nearest_neighbor import least_bayes_error
from gramian.textbook.learning_theory.uniform import VapnikChervonenkisBound
from gramian.textbook.linear_classifiers import mistake_bound
from gramian.tree import DecisionTreeClassifier

Labels = npt.NDArray[Any]
TREES = (DecisionTreeClassifier, sklearn.tree.DecisionTreeClassifier)
NEIGHBORS = (KNeighborsClassifier, sklearn.neighbors.KNeighborsClassifier)
_EXACT = 200  # number of columns up to which Cover's sum is computed exactly


class ErrorBound(NamedTuple):
    """One bound on the errors of a classifier.

    Attributes
    ----------
    name
        Name of the bound.
    about
        The bounded quantity: ``"risk"``, ``"training error"``, ``"mistakes"`` or, from below,
        ``"Bayes error"``.
    value
        The bound.
    measured
        The measured value: the test error for the risk, if there are test rows; the number of
        updates for the mistakes; the leave-one-out error of one neighbour for the Bayes error.
    informative
        Whether the bound is stronger than 0 <= error rate <= 1.
    """

    name: str
    about: Literal["risk", "training error", "mistakes", "Bayes error"]
    value: float
    measured: float | None
    informative: bool


class BoundReport(NamedTuple):
    """The bounds of a fitted classifier.

    Attributes
    ----------
    training_error
        Fraction of misclassified training rows.
    test_error
        Fraction of misclassified test rows, if given.
    bounds
        The bounds that apply, as `ErrorBound`.
    """

    training_error: float
    test_error: float | None
    bounds: tuple[ErrorBound, ...]


def bound(
    estimator: Any,
    X: Any,
    y: npt.ArrayLike,
    *,
    X_test: Any = None,
    y_test: npt.ArrayLike | None = None,
    delta: float = 0.05,
) -> BoundReport:
    """Return the bounds that apply to a fitted classifier, with its errors.

    Parameters
    ----------
    estimator
        Fitted classifier: any linear one, `DecisionTreeClassifier`, `AdaBoostClassifier`,
        `Perceptron`, `KNeighborsClassifier` of one neighbour; with test rows, any classifier.
    X, y
        The training rows.
    X_test, y_test
        Held-out rows.
    delta
        Each bound on the risk holds with probability 1 - delta.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from gramian import LogisticRegression
    >>> X, y = make_classification(20000, 2, n_informative=2, n_redundant=0, random_state=0)
    >>> model = LogisticRegression().fit(X[:10000], y[:10000])
    >>> report = bound(model, X[:10000], y[:10000], X_test=X[10000:], y_test=y[10000:])
    >>> for found in report.bounds:
    ...     print(f"{found.name}: risk <= {found.value:.3f}, measured {found.measured:.3f}")
    hyperplanes: risk <= 0.300, measured 0.160
    test rows: risk <= 0.172, measured 0.160
    """
    check_fraction("bound", "delta", delta)
    if not is_classifier(estimator):
        raise DataError(
            f"bound: the estimator must be a classifier; got {type(estimator).__name__}."
        )
    check_is_fitted(estimator)
    if (X_test is None) != (y_test is None):
        raise DataError("bound: pass both X_test and y_test, or neither.")
    labels = _labels(y, "y")
    training = _error(estimator, X, labels, "X and y")
    test, bounds = None, []
    if X_test is not None:
        test_labels = _labels(y_test, "y_test")
        test = _error(estimator, X_test, test_labels, "X_test and y_test")
        epsilon = HoeffdingBound(sides=1).epsilon(len(test_labels), delta)
        bounds.append(_risk("test rows", test + epsilon, test))
    bounds = [
        *_linear(estimator, len(labels), training, test, delta),
        *_tree(estimator, X, training, test, delta),
        *_adaboost(estimator, training),
        *_perceptron(estimator, X, labels),
        *_neighbor(estimator, labels),
        *bounds,
    ]
    if not bounds:
        raise DataError(
            f"bound: no bound from the training rows applies to {type(estimator).__name__}; pass "
            "X_test and y_test, whose bound holds for every classifier."
        )
    return BoundReport(training, test, tuple(bounds))


def _labels(y: Any, name: str) -> Labels:
    """Return one-dimensional labels, one per row."""
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise DataError(
            f"bound: {name} must be one-dimensional, with at least one label; got shape "
            f"{labels.shape}."
        )
    return labels


def _error(estimator: Any, X: Table, labels: Labels, names: str) -> float:
    """Return the fraction of rows that are misclassified."""
    predicted = np.asarray(estimator.predict(X))
    if predicted.shape != labels.shape:
        raise DataError(
            f"bound: {names} must have the same number of rows, one label each; got shapes "
            f"{predicted.shape} of the predictions and {labels.shape} of the labels."
        )
    return float(np.mean(predicted != labels))


def _risk(name: str, value: float, test: float | None) -> ErrorBound:
    """Return a bound on the risk."""
    return ErrorBound(name, "risk", value, test, value < 1)


def _linear(
    estimator: Any, rows: int, training: float, test: float | None, delta: float
) -> list[ErrorBound]:
    """Return the bound for a classifier whose classes are separated by hyperplanes."""
    if not hasattr(estimator, "coef_") or not hasattr(estimator, "classes_"):
        return []
    d, k = int(np.shape(estimator.coef_)[-1]), len(estimator.classes_)
    pairs = k * (k - 1) // 2

    def log_growth(n: int) -> float:
        exact = d <= _EXACT
        return pairs * (math.log(cover_count(n, d)) if exact else cover_bound(n, d, log=True))

    epsilon = _deviation(log_growth, rows, delta)
    return [_risk("hyperplanes", training + epsilon, test)]


def _tree(
    estimator: Any, X: Any, training: float, test: float | None, delta: float
) -> list[ErrorBound]:
    """Return the bound for trees with as many numeric splits as this one."""
    if not isinstance(estimator, TREES):
        return []
    splits = int(estimator.get_n_leaves()) - 1
    if splits == 0 or np.any(getattr(estimator.tree_, "levels", 0)):
        return []
    rows = X if sp.issparse(X) else np.asarray(X, dtype=float)
    if not sp.issparse(X) and np.isnan(rows).any():
        return []
    d, k = int(estimator.n_features_in_), len(estimator.classes_)
    shapes = math.log(math.comb(2 * splits, splits) // (splits + 1))

    def log_growth(n: int) -> float:
        return shapes + splits * math.log(d * n) + (splits + 1) * math.log(k)

    epsilon = _deviation(log_growth, rows.shape[0], delta / (splits * (splits + 1)))
    return [_risk("trees of this size", training + epsilon, test)]


def _deviation(log_growth: Any, n: int, delta: float) -> float:
    """Return the bound on risk minus training error; 1 if it is not informative."""
    return VapnikChervonenkisBound(log_growth, log=True).epsilon(n, delta)


def _adaboost(estimator: Any, training: float) -> list[ErrorBound]:
    """Return the bound on AdaBoost's training error, if its votes match the theorem's."""
    found = getattr(estimator, "training_bound_", np.empty(0))
    if not isinstance(estimator, AdaBoostClassifier) or not len(found):
        return []
    value = float(found[-1])
    return [ErrorBound("boosting", "training error", value, training, value < 1)]


def _perceptron(estimator: Any, X: Table, y: Labels) -> list[ErrorBound]:
    """Return the mistake bound, if its theorem applies."""
    if not isinstance(estimator, Perceptron) or len(estimator.classes_) != 2:
        return []
    changed = estimator.penalty or estimator.margin or estimator.class_weight is not None
    if changed or estimator.method != "online" or estimator.init != "zeros":
        return []
    if not separability(X, y, fit_intercept=estimator.fit_intercept).separable:
        return []
    value = mistake_bound(X, y, fit_intercept=estimator.fit_intercept).bound
    mistakes = float(estimator.mistakes_[0])
    return [ErrorBound("separable rows", "mistakes", value, mistakes, True)]


def _neighbor(estimator: Any, y: Labels) -> list[ErrorBound]:
    """Return the lower bound on the Bayes error from the 1-NN leave-one-out error."""
    if not isinstance(estimator, NEIGHBORS) or estimator.n_neighbors != 1:
        return []
    nearest = estimator.kneighbors(return_distance=False)[:, 0]
    left_out = float(np.mean(y[nearest] != y))
    value = least_bayes_error(left_out, len(estimator.classes_))
    return [ErrorBound("one neighbour", "Bayes error", value, left_out, value > 0)]
