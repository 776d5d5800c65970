r"""Tests that use only ranks: two or more models over several data sets.

Wilcoxon ranks the sizes of N differences; R+ and R- are the sums of the ranks of the positive and
the negative ones. Friedman ranks k models on each of N data sets (1 is best, ties share the mean
rank); with R_j the mean rank of model j,

    chi2_F = 12 N / (k (k + 1)) (sum_j R_j^2 - k (k + 1)^2 / 4)       ~ chi2_{k-1}, nearly
    F_F    = (N - 1) chi2_F / (N (k - 1) - chi2_F)                    ~ F_{k-1, (k-1)(N-1)}

chi2_F is divided by 1 - sum(t^3 - t) / (N (k^3 - k)) over ties of t models. References: Wilcoxon,
Biometrics Bulletin 1, 1945; Friedman, JASA 32, 1937; Iman and Davenport, Communications in
Statistics 9, 1980; Demsar, JMLR 7, 2006.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from gramian.base.types import Floats
from gramian.evaluate.hypothesis_tests.corrected_t import differences
from gramian.evaluate.input_checks import (
    check_alternative,
    check_fraction,
    check_option,
    check_score_table,
)
from gramian.evaluate.reference_distributions import Alternative
from gramian.evaluate.results import HypothesisTestResult
from gramian.evaluate.rounding import ratio, round_off_ties


def wilcoxon_test(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> HypothesisTestResult:
    """Perform Wilcoxon's signed-rank test of two models over several data sets.

    Differences of 0 are split between the two sides. The p-value is exact up to 50 data sets
    without ties and 13 with ties; beyond that it is from the normal approximation.

    Parameters
    ----------
    first, second
        Scores of the two models on the same N data sets; or only their differences.
    alternative
        ``"greater"``: the alternative is that the first scores higher.
    alpha
        Significance level.

    Returns
    -------
    result
        The statistic is the smaller of R+ and R- (R+ if one-sided); the estimate is the median of
        the means of all pairs of differences (Hodges and Lehmann).

    Examples
    --------
    >>> print(wilcoxon_test([0.8, 0.7, 0.9, 0.6, 0.75, 0.81], [0.7, 0.68, 0.84, 0.61, 0.71, 0.78]))
    ... # doctest: +NORMALIZE_WHITESPACE
    Wilcoxon's signed-rank test: "the differences are symmetric about 0" cannot be rejected at level
    0.05 (statistic 1, p = 0.0625); estimate 0.04.
    """
    owner = "wilcoxon_test"
    d = differences(owner, first, second)
    check_alternative(owner, alternative)
    check_fraction(owner, "alpha", alpha)
    walsh = (d[:, None] + d[None, :])[np.triu_indices(len(d))] / 2
    if not d.any():
        statistic, p = len(d) * (len(d) + 1) / 4, 1.0
    else:
        found = stats.wilcoxon(d, zero_method="zsplit", alternative=alternative)
        statistic, p = float(found.statistic), float(found.pvalue)
    return HypothesisTestResult(
        test="Wilcoxon's signed-rank test",
        null={
            "two-sided": "the differences are symmetric about 0",
            "greater": "the differences lie at or below 0",
            "less": "the differences lie at or above 0",
        }[alternative],
        statistic=statistic,
        p_value=p,
        alpha=alpha,
        assumes="independent data sets; differences symmetric about their median",
        estimate=float(np.median(walsh)),
    )


def friedman_test(
    scores: ArrayLike, *, method: Literal["f", "chi2"] = "f", alpha: float = 0.05
) -> HypothesisTestResult:
    """Perform Friedman's test of several models over several data sets.

    Parameters
    ----------
    scores
        A row for each data set and a column for each model, shape (N, k); k >= 3, N >= 2.
    method
        ``"f"``: Iman and Davenport's F; ``"chi2"``: Friedman's own, more conservative.
    alpha
        Significance level.

    Returns
    -------
    result
        Statistic and p-value; `compare_ranks` shows which models differ.

    Examples
    --------
    >>> friedman_test([[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.72, 0.6]], method="chi2").statistic
    4.666666666666667
    """
    owner = "friedman_test"
    table = check_score_table(owner, scores, rows=2, columns=3)
    check_option(owner, "method", method, ("f", "chi2"))
    check_fraction(owner, "alpha", alpha)
    N, k = table.shape
    df: tuple[float, ...]
    ranks = rank_rows(table)
    between = 12 * N / (k * (k + 1)) * float(((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum())
    # The variance of the ranks; ties make it smaller than that of 1..k.
    untied = float(12 * ((ranks - (k + 1) / 2) ** 2).sum() / (N * k * (k * k - 1)))
    chi2 = ratio(between, untied)
    if method == "chi2":
        statistic, df = chi2, (float(k - 1),)
        p = float(stats.chi2.sf(chi2, *df))
    else:
        # All data sets rank the models alike: the remainder is 0 up to rounding.
        left = max(N * (k - 1) - chi2, 0.0)
        statistic = ratio((N - 1) * chi2, left if left > 1e-12 * N * k else 0.0)
        df = (float(k - 1), float((k - 1) * (N - 1)))
        p = float(stats.f.sf(statistic, *df))
    return HypothesisTestResult(
        test="Friedman's test",
        null=f"all {k} models rank alike",
        statistic=statistic,
        p_value=p,
        alpha=alpha,
        assumes="independent data sets",
        df=df,
    )


def rank_rows(scores: Floats) -> Floats:
    """Rank each row, 1 for the highest score; ties share the mean of their ranks.

    Scores that differ only by rounding are ties.
    """
    clean = np.array([round_off_ties(row, float(np.abs(row).max())) for row in scores])
    ranks: Floats = stats.rankdata(-clean, axis=1)
    return ranks
