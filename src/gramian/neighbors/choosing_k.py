"""Training and validation error for many k from one search."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

from gramian.base.errors import ParameterError
from gramian.base.kinds import Estimator
from gramian.base.types import Matrix
from gramian.neighbors.k_neighbors_classifier import KNeighborsClassifier
from gramian.neighbors.k_neighbors_regressor import KNeighborsRegressor
from gramian.neighbors.votes import nearest_votes, nearest_weights


def error_against_k(
    model: KNeighborsClassifier | KNeighborsRegressor,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    X_validation: npt.ArrayLike,
    y_validation: npt.ArrayLike,
    ks: Sequence[int],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the training and the validation error of a k-NN model for each k.

    The neighbours for the largest k contain those for every smaller k, so one search per set of
    rows is enough; the model itself would search again for each k. Each training row is its own
    first neighbour, so the training error for k = 1 is zero.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        The model whose parameters, except n_neighbors, are used; it is not modified.
    X, y : arrays of n rows
        Training data, one output.
    X_validation, y_validation : arrays of m rows
        Validation data.
    ks : sequence of int
        The values of k, each at least 1 and at most n.

    Returns
    -------
    train : array of shape (len(ks),)
        Proportion of misclassified rows, or the mean squared error for a regressor.
    validation : array of shape (len(ks),)

    Examples
    --------
    >>> from gramian.neighbors import KNeighborsClassifier, error_against_k
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> train, validation = error_against_k(
    ...     KNeighborsClassifier(), X, y, [[0.4], [1.4]], [0, 1], ks=[1, 2, 4]
    ... )
    >>> train
    array([0.  , 0.25, 0.5 ])
    >>> validation
    array([0.5, 0.5, 0.5])
    """
    ks = list(ks)
    if not ks or min(ks) < 1:
        raise ParameterError(f"error_against_k: ks must contain integers >= 1; got {ks!r}.")
    target, target_validation = _one_column(y), _one_column(y_validation)
    fitted = clone(model).set_params(n_neighbors=max(ks)).fit(X, target)
    return (
        _errors(fitted, X, target, ks),
        _errors(fitted, X_validation, target_validation, ks),
    )


def _one_column(y: npt.ArrayLike) -> npt.NDArray[Any]:
    target = np.asarray(y)
    if target.ndim > 2 or (target.ndim == 2 and target.shape[1] != 1):
        raise ParameterError(
            "error_against_k: y must have one column; got several. Evaluate one output at a time."
        )
    return target.reshape(-1)


def _errors(model: Estimator, X: npt.ArrayLike, y: npt.NDArray[Any], ks: list[int]) -> Matrix:
    distances, indices = model.kneighbors(X)
    errors = []
    for k in ks:
        weights = nearest_weights(
            type(model).__name__,
            model.weights,
            distances[:, :k],
            negative=not is_classifier(model),
        )
        if is_classifier(model):
            votes = nearest_votes(model._y, indices[:, :k], weights, len(model.classes_))
            errors.append(np.mean(model.classes_[votes.argmax(axis=1)] != y))
        else:
            mean = np.average(model._y[indices[:, :k]], axis=1, weights=weights)
            errors.append(np.mean((mean - y) ** 2))
    return np.array(errors)
