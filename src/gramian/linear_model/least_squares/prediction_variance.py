"""The variance of a fitted value at a new point."""

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.moments import Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix


def prediction_variance(
    X: npt.ArrayLike,
    Z: npt.ArrayLike,
    *,
    noise: float,
    alpha: npt.ArrayLike = 0.0,
    fit_intercept: bool = True,
) -> Vector | Matrix:
    """Return the variance of least squares or ridge at new points, from the training rows alone.

    With targets y = f(x) + e, where the e are independent with variance sigma^2, the fitted value
    h(z) at z has the variance

        var h(z) = sigma^2 z'(X'X + alpha I)^-1 X'X (X'X + alpha I)^-1 z,

    for least squares (alpha = 0) sigma^2 z'(X'X)^-1 z, whose mean over the training rows is
    sigma^2 d / n. With an intercept, which is not penalised, X and z are centred by the column
    means, and sigma^2 / n is added. The bias of least squares is 0 where f is linear. Costs one
    singular value decomposition of X.

    Parameters
    ----------
    X
        Training rows, (n, d).
    Z
        The points, (m, d).
    noise
        Variance sigma^2 of the noise.
    alpha
        Penalty of ridge, or several penalties.
    fit_intercept
        Whether the model has an intercept.

    Returns
    -------
    array
        (m,), or (penalties, m) for several. If X is rank-deficient and alpha is 0, it is the
        variance of the least-norm solution.

    Examples
    --------
    >>> from gramian.linear_model import prediction_variance
    >>> X = [[0.0], [1.0], [2.0]]
    >>> prediction_variance(X, [[1.0], [2.0], [9.0]], noise=1.0).round(3)
    array([ 0.333,  0.833, 32.333])
    >>> prediction_variance(X, [[2.0]], noise=1.0, alpha=[0.0, 2.0]).round(3)
    array([[0.833],
           [0.458]])
    """
    rows = check_array(X, dtype=np.float64, input_name="X")
    points = check_array(Z, dtype=np.float64, input_name="Z")
    penalties = np.asarray(alpha, dtype=np.float64)
    if points.shape[1] != rows.shape[1]:
        raise DataError(
            f"prediction_variance: Z must have the {rows.shape[1]} columns of X; got "
            f"{points.shape[1]}."
        )
    if not (0 <= noise < np.inf and (penalties >= 0).all()):
        raise ParameterError(
            "prediction_variance: noise (a variance) and alpha must be >= 0; got "
            f"noise={noise!r}, alpha={alpha!r}."
        )
    mean = rows.mean(axis=0) if fit_intercept else np.zeros(rows.shape[1])
    _, s, Vt = lapack.svd(rows - mean)
    kept = s > np.finfo(float).eps * max(rows.shape) * s.max(initial=0)
    along = np.square((points - mean) @ Vt[kept].T)  # (m, rank)
    power = np.square(s[kept])
    factors = power / np.square(power + penalties.reshape(-1, 1))  # (penalties, rank)
    variance = noise * (factors @ along.T + (1 / len(rows) if fit_intercept else 0.0))
    return np.asarray(variance[0] if penalties.ndim == 0 else variance)
