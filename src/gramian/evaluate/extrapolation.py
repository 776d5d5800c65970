"""How models do beyond the data they were fitted to."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict

from gramian.base.errors import DataError

Floats = npt.NDArray[np.float64]


class ExtrapolationErrors(NamedTuple):
    """Root mean squared errors, one for each model."""

    training: Floats  # on the rows fitted
    inside: Floats  # on rows inside the range, each left out of the fit that predicts it
    outside: Floats  # on rows beyond the range


def extrapolation_errors(
    models: Sequence[Any],
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    inside: npt.ArrayLike,
    *,
    folds: int = 5,
) -> ExtrapolationErrors:
    """Compare errors inside and outside the range of the training data.

    Each model is fitted to the rows `inside`. Its error there is estimated by cross-validation,
    its error elsewhere on the rows left. A polynomial of high degree is often the best of all
    inside and useless one step beyond; cross-validation cannot warn of it, because it too sees
    only the inside.

    Parameters
    ----------
    models
        Regressors, as polynomial pipelines of several degrees; they are cloned.
    X
        Rows, shape (n, d).
    y
        Targets, shape (n,).
    inside
        Which rows are in the training range, n truth values; the others are beyond it.
    folds
        Parts of the cross-validation; its rows are dealt in turn, row i to part i mod folds, so
        that every part spans the range of sorted data.

    Returns
    -------
    ExtrapolationErrors
        ``training``, ``inside`` and ``outside``: root mean squared errors, one for each model.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.preprocessing import PolynomialFeatures
    >>> from sklearn.pipeline import make_pipeline
    >>> x = np.linspace(0, 2, 21)[:, None]
    >>> degrees = [make_pipeline(PolynomialFeatures(p), LinearRegression()) for p in (1, 6)]
    >>> errors = extrapolation_errors(degrees, x, np.sin(3 * x[:, 0]), x[:, 0] < 1.5)
    >>> bool(errors.inside[1] < errors.inside[0]), bool(errors.outside[1] > errors.inside[1])
    (True, True)
    """
    rows, target, near = np.asarray(X), np.asarray(y), np.asarray(inside, dtype=bool)
    if rows.ndim != 2 or target.shape != rows.shape[:1] or near.shape != rows.shape[:1]:
        raise DataError(
            "extrapolation_errors: y and inside must have one entry for each row of X; "
            f"got shapes {rows.shape}, {target.shape} and {near.shape}."
        )
    if near.all() or near.sum() < folds:
        raise DataError(
            f"extrapolation_errors: at least folds={folds} rows must be inside and one outside; "
            f"got {near.sum()} and {(~near).sum()}."
        )
    # KFold cuts runs of neighbours; sorted by i mod folds, a run is every folds-th row.
    order = np.argsort(np.arange(near.sum()) % folds, kind="stable")
    X_in, y_in = rows[near][order], target[near][order]
    errors = []
    for model in models:
        fitted = clone(model).fit(X_in, y_in)
        left_out = cross_val_predict(clone(model), X_in, y_in, cv=KFold(folds))
        errors.append(
            (
                _rmse(y_in, fitted.predict(X_in)),
                _rmse(y_in, left_out),
                _rmse(target[~near], fitted.predict(rows[~near])),
            )
        )
    return ExtrapolationErrors(*np.array(errors, dtype=np.float64).reshape(-1, 3).T)


def _rmse(y: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> float:
    return float(np.sqrt(np.mean((y - predicted) ** 2)))
