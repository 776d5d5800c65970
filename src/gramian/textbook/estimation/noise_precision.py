"""The precision of Gaussian noise about a regression."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError


class NoisePrecision(NamedTuple):
    """Maximum likelihood of the noise about given predictions."""

    precision: float  # beta; infinite if every residual is 0
    variance: float  # 1 / beta, the mean of squared residuals
    log_likelihood: float  # log-likelihood at that precision


def noise_precision(
    y: npt.ArrayLike, predicted: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
) -> NoisePrecision:
    r"""Return the maximum likelihood precision of Gaussian noise in y = h(x) + noise.

        ln p(y) = N/2 ln beta - N/2 ln 2 pi - beta E_D,   E_D = 1/2 sum_i (y_i - h(x_i))^2,

    which is largest at 1 / beta = 2 E_D / N (Bishop 2006, 3.1.1). For any beta, the predictions of
    maximum likelihood are those of least squares.

    Parameters
    ----------
    y
        Targets, shape (n,).
    predicted
        Predictions h(x), shape (n,).
    sample_weight
        Weights of the rows; None: 1 each.

    Returns
    -------
    NoisePrecision

    Examples
    --------
    >>> from gramian.textbook.estimation import noise_precision
    >>> noise_precision([1.0, 2.0, 4.0], [1.5, 2.0, 3.5]).precision
    6.0
    """
    target, fitted = np.asarray(y, np.float64), np.asarray(predicted, np.float64)
    weights = np.ones(target.shape) if sample_weight is None else np.asarray(sample_weight, float)
    if target.ndim != 1 or fitted.shape != target.shape or weights.shape != target.shape:
        raise DataError(
            "noise_precision: y, predicted and sample_weight must have the same shape (n,); got "
            f"{target.shape}, {fitted.shape} and {weights.shape}."
        )
    if not (np.isfinite(target).all() and np.isfinite(fitted).all() and len(target)):
        raise DataError(
            "noise_precision: y and predicted must contain finite numbers, at least one."
        )
    n = float(weights.sum())
    if (weights < 0).any() or not 0 < n < np.inf:
        raise DataError(
            "noise_precision: sample_weight must contain finite numbers >= 0, not all zero."
        )
    variance = float(weights @ (target - fitted) ** 2) / n
    if variance == 0:
        return NoisePrecision(np.inf, 0.0, np.inf)
    return NoisePrecision(1 / variance, variance, -n / 2 * (np.log(2 * np.pi * variance) + 1))
