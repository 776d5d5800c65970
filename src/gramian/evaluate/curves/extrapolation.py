"""Errors of models inside and outside the range of their training data."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import cross_validate

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats


class ExtrapolationErrors(NamedTuple):
    """Root mean squared errors, one for each model."""

    training: Floats  # on the training rows
    inside: Floats  # on rows inside the range, each left out of the fit that predicts it
    outside: Floats  # on rows outside the range


def extrapolation_errors(
    models: Sequence[Any],
    X: Any,
    y: npt.ArrayLike,
    inside: npt.ArrayLike,
    *,
    folds: int = 5,
) -> ExtrapolationErrors:
    """Compare errors inside and outside the range of the training data.

    Each model is fitted to the rows `inside`. Its error there is estimated by cross-validation, its
    error outside on the other rows. A polynomial of high degree is often the best model inside and
    useless just outside; cross-validation cannot detect that, because it uses only the rows inside.

    Parameters
    ----------
    models
        Regressors, such as polynomial pipelines of several degrees; they are cloned.
    X
        Rows, shape (n, d): an array, a sparse matrix or a frame.
    y
        Targets, shape (n,).
    inside
        Which rows are in the training range, n booleans.
    folds
        Number of folds; row i is in fold i mod folds, so that every fold spans the range of
        sorted data.

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
    near = np.asarray(inside, dtype=bool)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if near.shape != (n,):
        raise DataError(
            "extrapolation_errors: inside must have one boolean for each of the "
            f"{n} rows of X; got shape {near.shape}."
        )
    if folds < 2:
        raise ParameterError(f"extrapolation_errors: folds must be at least 2; got {folds}.")
    known, beyond = np.flatnonzero(near), np.flatnonzero(~near)
    if len(beyond) == 0 or len(known) < folds:
        raise DataError(
            f"extrapolation_errors: at least folds={folds} rows must be inside and one outside; "
            f"got {len(known)} and {len(beyond)}."
        )
    parts = [known[k::folds] for k in range(folds)]
    splits = [(np.setdiff1d(known, part), part) for part in parts] + [(known, beyond)]
    errors = np.empty((len(models), 3))
    for row, model in zip(errors, models, strict=True):
        squares = cross_validate(
            model, X, y, cv=splits, scoring="neg_mean_squared_error", return_train_score=True
        )
        left_out, outside = np.split(-squares["test_score"], [folds])
        within = np.average(left_out, weights=[len(part) for part in parts])
        row[:] = np.sqrt([-squares["train_score"][-1], within, outside[0]])
    return ExtrapolationErrors(*errors.T)
