r"""Tests of classifiers on one test set, by the rows that each misclassified.

McNemar, two classifiers: b rows only the first got wrong, c only the second. If both are equally
good, b is binomial with b + c trials and probability 1/2;

    chi2 = (|b - c| - 1)^2 / (b + c)  ~ chi2_1, nearly.

Cochran, L classifiers: G_j rows that classifier j got right, L_i classifiers that got row i right,

    Q = (L - 1) (L sum_j G_j^2 - T^2) / (L T - sum_i L_i^2)  ~ chi2_{L-1}, nearly,   T = sum_j G_j.

References: McNemar, Psychometrika 12, 1947; Edwards, Psychometrika 13, 1948; Cochran, Biometrika
37, 1950; the interval: Agresti and Min, Statistics in Medicine 24, 2005.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gramian.base.errors import DataError
from gramian.evaluate.input_checks import check_fraction, check_option
from gramian.evaluate.reference_distributions import NORMAL, confidence_limits
from gramian.evaluate.results import HypothesisTestResult
from gramian.evaluate.rounding import ratio

_ROWS = "independent test rows, not used in training; the result holds for these fitted models only"


def mcnemar_test(
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    method: Literal["exact", "mid-p", "chi2"] = "exact",
    alpha: float = 0.05,
) -> HypothesisTestResult:
    """Perform McNemar's test of two classifiers on one test set.

    Parameters
    ----------
    y
        The true classes, shape (n,).
    first, second
        Predictions of the two classifiers.
    method
        ``"exact"``: binomial, never above its level; ``"mid-p"``: counts half the probability of
        the outcome itself, closer to the level; ``"chi2"``: with Edwards' correction.
    alpha
        Significance level.

    Returns
    -------
    result
        The estimate is the difference of the error rates, first - second.

    Examples
    --------
    >>> truth = [1] * 20
    >>> print(mcnemar_test(truth, [1] * 20, [0] * 8 + [1] * 12))  # doctest: +NORMALIZE_WHITESPACE
    McNemar's test: "both have the same error rate" is rejected at level 0.05 (statistic 0,
    p = 0.00781); estimate -0.4, between -0.5835 and -0.1438.
    """
    right = _right("mcnemar_test", y, (first, second))
    check_option("mcnemar_test", "method", method, ("exact", "mid-p", "chi2"))
    check_fraction("mcnemar_test", "alpha", alpha)
    n = len(right)
    b = int((~right[:, 0] & right[:, 1]).sum())
    c = int((right[:, 0] & ~right[:, 1]).sum())
    if method == "chi2":
        statistic = ratio(float(max(abs(b - c) - 1, 0) ** 2), float(b + c))
        p = float(stats.chi2.sf(statistic, 1))
    else:
        statistic = float(min(b, c))
        p = 2 * float(stats.binom.cdf(statistic, b + c, 0.5))
        if method == "mid-p":
            p -= float(stats.binom.pmf(statistic, b + c, 0.5))
        p = min(1.0, p)
    # Adding half a row to each of the four cells keeps the coverage of small tables.
    centre = (b - c) / (n + 2)
    error = np.sqrt((b + c + 1) / (n + 2) - centre**2) / np.sqrt(n + 2)
    low, high = confidence_limits(centre, float(error), NORMAL, alpha, "two-sided")
    return HypothesisTestResult(
        test="McNemar's test",
        null="both have the same error rate",
        statistic=statistic,
        p_value=p,
        alpha=alpha,
        assumes=_ROWS,
        df=(1,) if method == "chi2" else (),
        estimate=(b - c) / n,
        interval=(max(low, -1.0), min(high, 1.0)),
    )


def cochran_q_test(
    y: ArrayLike, *predictions: ArrayLike, alpha: float = 0.05
) -> HypothesisTestResult:
    """Perform Cochran's Q test of several classifiers on one test set.

    Parameters
    ----------
    y
        The true classes, shape (n,).
    predictions
        Predictions of each classifier; two or more.
    alpha
        Significance level.

    Returns
    -------
    result
        Q against the chi-squared distribution with one degree of freedom fewer than classifiers.

    Examples
    --------
    >>> truth = [1] * 6
    >>> cochran_q_test(truth, [1] * 6, [1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0]).statistic
    6.5
    """
    right = _right("cochran_q_test", y, predictions)
    check_fraction("cochran_q_test", "alpha", alpha)
    L = right.shape[1]
    by_model, by_row = right.sum(axis=0).astype(float), right.sum(axis=1).astype(float)
    total = by_model.sum()
    above = (L - 1) * (L * (by_model**2).sum() - total**2)
    statistic = ratio(float(above), float(L * total - (by_row**2).sum()))
    return HypothesisTestResult(
        test="Cochran's Q test",
        null=f"all {L} have the same error rate",
        statistic=statistic,
        p_value=float(stats.chi2.sf(statistic, L - 1)),
        alpha=alpha,
        assumes=_ROWS + "; enough rows on which they differ (about 24)",
        df=(L - 1,),
    )


def _right(owner: str, y: ArrayLike, predictions: tuple[ArrayLike, ...]) -> NDArray[np.bool_]:
    """Return whether each classifier (column) predicts each row correctly."""
    truth = np.asarray(y)
    every = [np.asarray(p) for p in predictions]
    if len(every) < 2:
        raise DataError(f"{owner}: pass at least two classifiers; got {len(every)}.")
    if truth.ndim != 1 or len(truth) == 0 or any(p.shape != truth.shape for p in every):
        raise DataError(
            f"{owner}: y and every prediction must have one class per test row; "
            f"got shapes {truth.shape} and {', '.join(str(p.shape) for p in every)}."
        )
    return np.column_stack([p == truth for p in every])
