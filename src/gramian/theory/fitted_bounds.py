r"""What a bound says of a fitted classifier, beside what was measured.

    linear        labellings by hyperplanes: risk <= training error + epsilon, by the theorem of
                  Vapnik and Chervonenkis with Cover's count (for K classes one hyperplane per pair)
    trees         labellings by trees of m splits on d columns, Catalan(m) (d n)^m K^(m + 1);
                  since m is found from the data, it gets the share 1 / (m (m + 1)) of delta
    AdaBoost      training error <= prod_t 2 sqrt(err_t (1 - err_t))
    perceptron    mistakes <= (R / gamma)^2 on rows that a hyperplane separates
    one neighbour no classifier has a risk below the inverse of Cover and Hart's limit of the
                  leave-one-out error (for many rows)
    test rows     risk <= test error + sqrt(ln(1 / delta) / (2 n)), by Hoeffding, for any classifier

Bounds of the first two kinds are often above 1: they hold for the worst distribution. References:
Shalev-Shwartz and Ben-David, Understanding Machine Learning, 2014, chapters 6, 10 and 18.
"""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.ensemble import AdaBoostClassifier
from gramian.evaluate.input_checks import check_fraction
from gramian.linear_model import Perceptron, separability
from gramian.neighbors import KNeighborsClassifier
from gramian.svm import mistake_bound
from gramian.theory.growth import cover_bound, cover_count
from gramian.theory.hoeffding import HoeffdingBound
from gramian.theory.nearest_neighbor import least_bayes_error
from gramian.theory.uniform import VapnikChervonenkisBound
from gramian.tree import DecisionTreeClassifier

_EXACT = 200  # columns up to which Cover's sum is computed as it is


class Limit(NamedTuple):
    """One bound.

    Attributes
    ----------
    name
        Where it comes from.
    about
        What it limits: ``"risk"``, ``"training error"``, ``"mistakes"`` or, from below,
        ``"Bayes error"``.
    value
        The limit.
    measured
        What was measured of it: the test error for the risk, if there are test rows.
    informative
        Whether it says more than that an error rate is at most 1.
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
        Share of wrong training rows.
    test_error
        Share of wrong test rows, if given.
    limits
        The bounds that apply, as `Limit`.
    """

    training_error: float
    test_error: float | None
    limits: tuple[Limit, ...]


def bound(
    estimator: Any,
    X: Any,
    y: npt.ArrayLike,
    *,
    X_test: Any = None,
    y_test: npt.ArrayLike | None = None,
    delta: float = 0.05,
) -> BoundReport:
    """Return the bounds that apply to a fitted classifier, beside its errors.

    Parameters
    ----------
    estimator
        Fitted classifier: linear ones, `DecisionTreeClassifier`, `AdaBoostClassifier`,
        `Perceptron`, `KNeighborsClassifier` of one neighbour; with test rows, any classifier.
    X, y
        The rows it was fitted to.
    X_test, y_test
        Rows that it was not fitted to.
    delta
        Each bound of the risk holds with probability 1 - delta over the samples.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from gramian import LogisticRegression
    >>> X, y = make_classification(20000, 2, n_informative=2, n_redundant=0, random_state=0)
    >>> model = LogisticRegression().fit(X[:10000], y[:10000])
    >>> report = bound(model, X[:10000], y[:10000], X_test=X[10000:], y_test=y[10000:])
    >>> for limit in report.limits:
    ...     print(f"{limit.name}: risk <= {limit.value:.3f}, measured {limit.measured:.3f}")
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
        raise DataError("bound: give both X_test and y_test, or neither.")
    training = _error(estimator, X, y)
    test = None if X_test is None else _error(estimator, X_test, np.asarray(y_test))
    limits = [
        *_linear(estimator, X, training, test, delta),
        *_tree(estimator, X, training, test, delta),
        *_adaboost(estimator, training),
        *_perceptron(estimator, X, y),
        *_neighbor(estimator, y),
    ]
    if test is not None:
        epsilon = HoeffdingBound(sides=1).epsilon(len(np.asarray(y_test)), delta)
        limits.append(_risk("test rows", test + epsilon, test))
    if not limits:
        raise DataError(
            f"bound: no bound from the training rows applies to {type(estimator).__name__}; give "
            "X_test and y_test for the bound that holds for every classifier."
        )
    return BoundReport(training, test, tuple(limits))


def _error(estimator: Any, X: Any, y: npt.ArrayLike) -> float:
    """Return the share of rows that are misclassified."""
    return float(np.mean(np.asarray(estimator.predict(X)) != np.asarray(y)))


def _risk(name: str, value: float, test: float | None) -> Limit:
    """Return a limit of the risk."""
    return Limit(name, "risk", value, test, value < 1)


def _linear(
    estimator: Any, X: Any, training: float, test: float | None, delta: float
) -> list[Limit]:
    """Return the bound of a classifier whose classes are divided by hyperplanes."""
    if not hasattr(estimator, "coef_") or not hasattr(estimator, "classes_"):
        return []
    d, k = int(np.shape(estimator.coef_)[-1]), len(estimator.classes_)
    pairs = k * (k - 1) // 2

    def log_growth(n: int) -> float:
        exact = d <= _EXACT
        return pairs * (math.log(cover_count(n, d)) if exact else cover_bound(n, d, log=True))

    epsilon = _deviation(log_growth, X.shape[0] if hasattr(X, "shape") else len(X), delta)
    return [_risk("hyperplanes", training + epsilon, test)]


def _tree(estimator: Any, X: Any, training: float, test: float | None, delta: float) -> list[Limit]:
    """Return the bound of a tree with as many splits as this one."""
    if not isinstance(estimator, DecisionTreeClassifier):
        return []
    splits = estimator.get_n_leaves() - 1
    if splits == 0:
        return []
    d, k = estimator.n_features_in_, len(estimator.classes_)
    shapes = math.log(math.comb(2 * splits, splits) // (splits + 1))

    def log_growth(n: int) -> float:
        return shapes + splits * math.log(d * n) + (splits + 1) * math.log(k)

    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    epsilon = _deviation(log_growth, rows, delta / (splits * (splits + 1)))
    return [_risk("trees of this size", training + epsilon, test)]


def _deviation(log_growth: Any, n: int, delta: float) -> float:
    """Return how far the risk may lie above the training error; 1 if the bound says nothing."""
    return VapnikChervonenkisBound(log_growth, log=True).epsilon(n, delta)


def _adaboost(estimator: Any, training: float) -> list[Limit]:
    """Return the bound of AdaBoost's training error, where its votes are those of the theorem."""
    found = getattr(estimator, "training_bound_", np.empty(0))
    if not isinstance(estimator, AdaBoostClassifier) or not len(found):
        return []
    value = float(found[-1])
    return [Limit("boosting", "training error", value, training, value < 1)]


def _perceptron(estimator: Any, X: Any, y: npt.ArrayLike) -> list[Limit]:
    """Return the mistake bound, where a hyperplane separates the rows."""
    if not isinstance(estimator, Perceptron) or len(estimator.classes_) != 2:
        return []
    if not separability(X, y, fit_intercept=estimator.fit_intercept).separable:
        return []
    found = mistake_bound(X, y, fit_intercept=estimator.fit_intercept)
    return [Limit("separable rows", "mistakes", found.bound, None, True)]


def _neighbor(estimator: Any, y: npt.ArrayLike) -> list[Limit]:
    """Return the least Bayes error that one neighbour's leave-one-out error allows."""
    if not isinstance(estimator, KNeighborsClassifier) or estimator.n_neighbors != 1:
        return []
    labels = np.asarray(y)
    nearest = estimator.kneighbors(return_distance=False)[:, 0]
    left_out = float(np.mean(labels[nearest] != labels))
    value = least_bayes_error(left_out, len(estimator.classes_))
    return [Limit("one neighbour", "Bayes error", value, left_out, value > 0)]
