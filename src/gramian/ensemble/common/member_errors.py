"""The error of an ensemble against the number of its members."""

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.models import Model


def error_against_members(
    model: Model, X: npt.ArrayLike, y: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """Return the error of the first 1, 2, ... members of an ensemble.

    The error is the error rate, or the mean squared error for regression. For bagging and forests
    it levels off at a value set by the correlation of the members (see `average_variance`); for
    boosting it may keep falling, or rise again as the model overfits. Costs one pass over the
    members.

    Parameters
    ----------
    model
        A fitted ensemble with ``staged_predict``: bagging, forests, AdaBoost, gradient boosting.
    X
        Rows, (n, d); use test rows, unless you want the training error.
    y
        Classes or targets of the rows.

    Returns
    -------
    array
        (members,).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gramian import RandomForestClassifier
    >>> from gramian.ensemble import error_against_members
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(25, random_state=0).fit(X[::2], y[::2])
    >>> errors = error_against_members(forest, X[1::2], y[1::2])
    >>> errors.shape, bool(errors[-1] <= errors[0])
    ((25,), True)
    """
    if not hasattr(model, "staged_predict"):
        raise ParameterError(
            "error_against_members: model must be an ensemble with staged_predict (bagging, a "
            f"forest, AdaBoost, gradient boosting); got {type(model).__name__}."
        )
    check_is_fitted(model)
    truth = np.asarray(y)
    errors = []
    for predicted in model.staged_predict(X):
        if np.shape(predicted) != truth.shape:
            raise DataError(
                f"error_against_members: y must have the shape of the predictions, "
                f"{np.shape(predicted)}; got {truth.shape}."
            )
        wrong = predicted != truth if is_classifier(model) else np.square(predicted - truth)
        errors.append(float(np.mean(wrong)))
    return np.array(errors)
