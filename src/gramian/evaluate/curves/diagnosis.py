"""Diagnosis of underfitting and overfitting from training and validation error.

A high training error is bias: the model cannot fit even its training data. A large gap between
validation and training error is variance: the model fitted the noise as well. The two add up to the
validation error above the acceptable one; if that is small the fit is good, since every model
fitted to few rows has some gap.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError

Fit = Literal["good", "underfit", "overfit", "underfit and overfit"]

_SHARE_OF_BASELINE = 0.01

_ADVICE: dict[Fit, str] = {
    "good": "The validation error is close to the acceptable error; there is little left to gain.",
    "underfit": (
        "The model cannot fit even its training data (bias): make it more flexible, add "
        "features, or weaken the penalty. More rows will not help."
    ),
    "overfit": (
        "The model fits the noise of its training data (variance): use more rows, fewer "
        "features, a stronger penalty or a simpler model."
    ),
    "underfit and overfit": (
        "The model misses the pattern and fits the noise: use another kind of model or other "
        "features, not another penalty."
    ),
}


@dataclass(frozen=True)
class Diagnosis:
    """Diagnosis of a fit; prints as the diagnosis and advice.

    Attributes
    ----------
    fit
        ``"good"``, ``"underfit"``, ``"overfit"`` or ``"underfit and overfit"``.
    train, validation
        Mean errors.
    bias
        Training error above the acceptable one.
    gap
        Validation error above the training error.
    tolerance
        Difference that counts as small.
    """

    fit: Fit
    train: float
    validation: float
    bias: float
    gap: float
    tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.fit}: training error {self.train:.3g} ({self.bias:.3g} above acceptable), "
            f"validation error {self.validation:.3g} ({self.gap:.3g} above training); up to "
            f"{self.tolerance:.3g} counts as small. {_ADVICE[self.fit]}"
        )


def diagnose_fit(
    train_error: ArrayLike,
    validation_error: ArrayLike,
    *,
    acceptable: float = 0.0,
    baseline: float | None = None,
    tolerance: float | None = None,
) -> Diagnosis:
    """Diagnose underfitting and overfitting.

    Parameters
    ----------
    train_error, validation_error
        Errors, one number or one for each fold.
    acceptable
        The error that a good model would have: the noise, human error, or that of the best
        known model.
    baseline
        The error of a model that ignores all features (the most frequent class, the mean of the
        targets), which sets the scale: 1 % of it counts as small. None takes a training error up
        to 0.01 as low, which suits error rates; for squared errors pass the variance of the
        targets.
    tolerance
        Difference that counts as small. None takes 20 % of the larger of the two mean errors,
        and at least two standard errors of the mean over the folds and 1 % of the baseline.

    Returns
    -------
    Diagnosis
        The diagnosis; ``print`` it for advice.

    Examples
    --------
    >>> diagnose_fit(0.01, 0.25).fit, diagnose_fit(0.3, 0.31).fit
    ('overfit', 'underfit')
    >>> diagnose_fit(0.05, 0.06, acceptable=0.05).fit
    'good'
    >>> diagnose_fit(0.001, 0.0011).fit                 # one row in a thousand is wrong
    'good'
    >>> diagnose_fit(0.001, 0.0011, baseline=0.0012).fit  # hardly better than the baseline
    'underfit'
    """
    train = np.atleast_1d(np.asarray(train_error, dtype=np.float64))
    validation = np.atleast_1d(np.asarray(validation_error, dtype=np.float64))
    if (
        min(train.size, validation.size) == 0
        or not np.isfinite([*train.flat, *validation.flat]).all()
    ):
        raise DataError("diagnose_fit: errors must be finite numbers, at least one of each.")
    mean_train, mean_validation = float(train.mean()), float(validation.mean())
    if baseline is not None and not (np.isfinite(baseline) and baseline > 0):
        raise ParameterError(
            f"diagnose_fit: baseline must be an error above 0, or None; got {baseline!r}."
        )
    low = 0.0  # a bias that is small whatever the gap
    if tolerance is None:
        low = _SHARE_OF_BASELINE * (1.0 if baseline is None else baseline)
        tolerance = 0.2 * max(mean_train, mean_validation)
        if baseline is not None:
            tolerance = max(tolerance, low)
        if validation.size > 1:
            spread = float(validation.std(ddof=1) / np.sqrt(validation.size))
            tolerance = max(tolerance, 2 * spread)
    bias, gap = mean_train - acceptable, mean_validation - mean_train
    fit: Fit
    high_bias, wide_gap = bias > max(tolerance, low), gap > tolerance
    if mean_validation - acceptable <= tolerance or (bias <= low and not wide_gap):
        fit = "good"
    elif high_bias and wide_gap:
        fit = "underfit and overfit"
    else:
        fit = "underfit" if bias > max(gap, low) else "overfit"
    return Diagnosis(fit, mean_train, mean_validation, bias, gap, tolerance)
