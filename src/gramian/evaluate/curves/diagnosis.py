"""Diagnosis of underfitting and overfitting from training and validation error.

A high training error is bias: the model cannot fit even its training data. A large gap between
validation and training error is variance: the model fitted the noise as well. What counts as high
and large is measured on the scale of the errors, `baseline`, which is 1 for error rates:

    high bias    training error - acceptable > 10% of the baseline
    large gap    validation - training error > 5% of the baseline, 20% of the validation error,
                 and two standard errors over the folds
    good         neither, or a validation error above the acceptable one by no more than such a gap
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError

Fit = Literal["good", "underfit", "overfit", "underfit and overfit"]

_SMALL_BIAS = 0.1  # of the baseline
_SMALL_GAP = 0.05  # of the baseline
_RELATIVE = 0.2  # of an error

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
        Gap that counts as small.
    bias_tolerance
        Bias that counts as small.
    """

    fit: Fit
    train: float
    validation: float
    bias: float
    gap: float
    tolerance: float
    bias_tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.fit}: training error {self.train:.3g} ({self.bias:.3g} above acceptable; up to "
            f"{self.bias_tolerance:.3g} is small), validation error {self.validation:.3g} "
            f"({self.gap:.3g} above training; up to {self.tolerance:.3g} is small). "
            f"{_ADVICE[self.fit]}"
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

    The bias, training error - acceptable, is small up to 10% of the baseline. The gap, validation
    - training error, is small up to 5% of the baseline, 20% of the validation error or two
    standard errors of its mean over the folds, whichever is largest. If both are small the fit is
    good. Without a baseline the errors are treated as error rates, whose baseline is 1. With
    `acceptable` but no baseline, the tolerance of bias, gap and their sum is 20% of the larger
    error.

    Parameters
    ----------
    train_error, validation_error
        Errors, one number or one for each fold.
    acceptable
        The error that a good model would have: the noise, human error, or that of the best
        known model.
    baseline
        The error of a model that ignores all features: 1 minus the proportion of the most frequent
        class, or the variance of the targets for squared errors. Errors above 1 need it, or
        `acceptable` or `tolerance`.
    tolerance
        Bias, gap and their sum that count as small, instead of the rule above.

    Returns
    -------
    Diagnosis
        The diagnosis; ``print`` it for advice.

    Examples
    --------
    >>> diagnose_fit(0.01, 0.25).fit, diagnose_fit(0.3, 0.31).fit
    ('overfit', 'underfit')
    >>> diagnose_fit(0.02, 0.03).fit, diagnose_fit(0.05, 0.055).fit
    ('good', 'good')
    >>> diagnose_fit(0.05, 0.055, baseline=0.06).fit   # little better than the baseline
    'underfit'
    >>> diagnose_fit(25.0, 30.0, baseline=400.0).fit   # squared errors, variance 400
    'good'
    """
    train = np.atleast_1d(np.asarray(train_error, dtype=np.float64))
    validation = np.atleast_1d(np.asarray(validation_error, dtype=np.float64))
    if (
        min(train.size, validation.size) == 0
        or not np.isfinite([*train.flat, *validation.flat]).all()
    ):
        raise DataError(
            "diagnose_fit: train_error and validation_error must be finite numbers, or lists of "
            "them that are not empty."
        )
    mean_train, mean_validation = float(train.mean()), float(validation.mean())
    if baseline is not None and not (np.isfinite(baseline) and baseline > 0):
        raise ParameterError(
            f"diagnose_fit: baseline must be an error above 0, or None; got {baseline!r}."
        )
    largest = max(mean_train, mean_validation)
    spread = 0.0
    if validation.size > 1:
        spread = 2 * float(validation.std(ddof=1) / np.sqrt(validation.size))
    bias, gap = mean_train - acceptable, mean_validation - mean_train
    check_separately = (
        False  # True: bias and gap are checked separately; False: their sum is checked too
    )
    if tolerance is not None:
        small_gap = small_bias = float(tolerance)
    elif baseline is None and acceptable != 0:
        small_gap = small_bias = max(_RELATIVE * largest, spread)
    else:
        if baseline is None and largest > 1:
            raise ParameterError(
                f"diagnose_fit: an error of {largest:.3g} is not an error rate; pass baseline, the "
                "error of a model that ignores all features, for example the variance of the "
                "targets."
            )
        scale = 1.0 if baseline is None else float(baseline)
        small_bias = _SMALL_BIAS * scale
        small_gap = max(_SMALL_GAP * scale, _RELATIVE * mean_validation, spread)
        check_separately = True
    fit: Fit
    high_bias, wide_gap = bias > small_bias, gap > small_gap
    if bias + gap <= small_gap or (check_separately and not high_bias and not wide_gap):
        fit = "good"
    elif high_bias and wide_gap:
        fit = "underfit and overfit"
    elif high_bias or wide_gap:
        fit = "underfit" if high_bias else "overfit"
    else:
        fit = "underfit" if bias > gap else "overfit"
    return Diagnosis(fit, mean_train, mean_validation, bias, gap, small_gap, small_bias)
