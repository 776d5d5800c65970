"""The ridge path by singular values, and truncated least squares for comparison."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array, check_X_y

from gramian.base.rows.moments import Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix


@dataclass(frozen=True)
class RidgePath:
    """Ridge solutions, bias and variance along alpha; arrays are in the order of `alphas`.

    Attributes
    ----------
    alphas
        The penalties.
    coef
        (alphas, d), the coefficients.
    intercept
        (alphas,).
    degrees_of_freedom
        tr H of the fitted values H y, the intercept included.
    variance
        sigma^2 tr(H^2) / n, the mean variance of the fitted values.
    bias2
        |f - E Hy|^2 / n, the mean squared bias, f being the true values or, when they are not
        given, the least-squares fit.
    train_error
        Mean squared error on the training rows.
    test_error
        The same on the test rows, or None.
    """

    alphas: Vector
    coef: Matrix
    intercept: Vector
    degrees_of_freedom: Vector
    variance: Vector
    bias2: Vector
    train_error: Vector
    test_error: Vector | None


def shrinkage(singular: npt.ArrayLike, alpha: float) -> Vector:
    """Return the factor of u_j'y in ridge for each singular direction: s / (s^2 + alpha).

    The truncated pseudoinverse uses 1 / s, or 0 for dropped directions: truncation keeps or drops a
    direction, ridge shrinks it.

    Parameters
    ----------
    singular
        Singular values s.
    alpha
        The penalty.

    Returns
    -------
    array
        One factor per singular value.

    Examples
    --------
    >>> from gramian.linear_model import shrinkage
    >>> shrinkage([2.0, 1.0, 0.0], 1.0)
    array([0.4, 0.5, 0. ])
    """
    s = np.asarray(singular, dtype=np.float64)
    power = s * s + alpha
    factors: Vector = np.divide(s, power, out=np.zeros_like(s), where=power > 0)
    return factors


def truncated_least_squares(
    X: npt.ArrayLike, y: npt.ArrayLike, n_components: int, *, fit_intercept: bool = True
) -> tuple[Vector, float]:
    """Fit least squares in the `n_components` largest singular directions of X.

    Parameters
    ----------
    X
        Rows, (n, d).
    y
        Targets, (n,).
    n_components
        Number of singular values to keep; min(n, d) gives X^+ y.
    fit_intercept
        Whether to centre first.

    Returns
    -------
    coef, intercept
        The coefficients (d,) and the intercept.

    Examples
    --------
    >>> from gramian.linear_model import truncated_least_squares
    >>> truncated_least_squares([[1, 1.01], [2, 2], [3, 2.99]], [1, 2, 3], 1)[0].round(2)
    array([0.51, 0.5 ])
    """
    table, targets = check_X_y(X, y, dtype=np.float64, y_numeric=True)
    mean, target_mean = _means(table, targets, fit_intercept)
    U, s, Vt = lapack.svd(table - mean)
    keep = (np.arange(len(s)) < n_components) & (s > np.finfo(float).eps * max(table.shape) * s[0])
    coef: Vector = Vt[keep].T @ ((U[:, keep].T @ (targets - target_mean)) / s[keep])
    return coef, float(target_mean - coef @ mean)


def ridge_path(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    alphas: npt.ArrayLike,
    *,
    fit_intercept: bool = True,
    noise: float | None = None,
    truth: npt.ArrayLike | None = None,
    X_test: npt.ArrayLike | None = None,
    y_test: npt.ArrayLike | None = None,
) -> RidgePath:
    """Fit ridge for every alpha from one singular value decomposition.

    Parameters
    ----------
    X
        Rows, (n, d).
    y
        Targets, (n,).
    alphas
        Penalties >= 0.
    fit_intercept
        Whether there is an (unpenalised) intercept.
    noise
        Variance sigma^2 of the noise; None for rss / (n - rank) of least squares (0 if n is
        the rank).
    truth
        The true values f = E y at the rows, for the bias; None uses the least-squares fit.
    X_test, y_test
        Test rows, for the test error.

    Returns
    -------
    RidgePath

    Examples
    --------
    >>> from gramian.linear_model import ridge_path
    >>> path = ridge_path([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], [0.0, 2.0])
    >>> path.coef.ravel(), path.degrees_of_freedom
    (array([1. , 0.5]), array([2. , 1.5]))
    """
    table, targets = check_X_y(X, y, dtype=np.float64, y_numeric=True)
    penalties = np.asarray(alphas, dtype=np.float64).reshape(-1)
    mean, target_mean = _means(table, targets, fit_intercept)
    U, s, Vt = lapack.svd(table - mean)
    kept = s > np.finfo(float).eps * max(table.shape) * s.max(initial=0)
    U, s, Vt = U[:, kept], s[kept], Vt[kept]
    n, one = len(targets), int(fit_intercept)
    along = U.T @ (targets - target_mean)
    coef = np.array([(shrinkage(s, a) * along) @ Vt for a in penalties])
    intercept = target_mean - coef @ mean
    hat = s * s / (s * s + penalties[:, None])  # (alphas, rank)
    outside = np.square(targets - target_mean).sum() - np.square(along).sum()
    freedom = n - one - len(s)
    if noise is None:
        noise = max(outside, 0.0) / freedom if freedom > 0 else 0.0
    true_along, true_outside = along, 0.0
    if truth is not None:
        f = np.asarray(truth, dtype=np.float64)
        f = f - f.mean() if fit_intercept else f
        true_along = U.T @ f
        true_outside = max(np.square(f).sum() - np.square(true_along).sum(), 0.0)
    test_error = None
    if X_test is not None:
        rows = check_array(X_test, dtype=np.float64)
        predicted = rows @ coef.T + intercept
        test_error = np.square(np.asarray(y_test)[:, None] - predicted).mean(axis=0)
    return RidgePath(
        penalties,
        coef,
        intercept,
        hat.sum(axis=1) + one,
        noise * (np.square(hat).sum(axis=1) + one) / n,
        (np.square((1 - hat) * true_along).sum(axis=1) + true_outside) / n,
        np.square(targets[:, None] - table @ coef.T - intercept).mean(axis=0),
        test_error,
    )


def _means(X: Matrix, y: Vector, fit_intercept: bool) -> tuple[Vector, float]:
    if fit_intercept:
        return X.mean(axis=0), float(y.mean())
    return np.zeros(X.shape[1]), 0.0
