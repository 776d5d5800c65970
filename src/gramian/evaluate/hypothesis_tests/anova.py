r"""One-way analysis of variance, which tests whether L groups have the same mean.

With m_j, S_j^2 and n_j the mean, the variance and the size of group j, m the mean of all N values,

    F = (sum_j n_j (m_j - m)^2 / (L - 1)) / (sum_j (n_j - 1) S_j^2 / (N - L))  ~ F_{L-1, N-L}.

Reference: Alpaydin 2014, section 19.12.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from gramian.base.errors import DataError
from gramian.evaluate.input_checks import check_fraction, check_sample
from gramian.evaluate.results import HypothesisTestResult
from gramian.evaluate.rounding import ratio


def anova_test(*groups: ArrayLike, alpha: float = 0.05) -> HypothesisTestResult:
    """Perform a one-way analysis of variance of two or more groups.

    Parameters
    ----------
    groups
        The values of each group, two or more in each.
    alpha
        Significance level.

    Returns
    -------
    result
        The F statistic and its p-value.

    Examples
    --------
    >>> found = anova_test([6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12])
    >>> round(found.statistic, 4)
    9.2647
    """
    if len(groups) < 2:
        raise DataError(f"anova_test: pass at least two groups; got {len(groups)}.")
    check_fraction("anova_test", "alpha", alpha)
    every = [
        check_sample("anova_test", g, at_least=2, name=f"group {i}") for i, g in enumerate(groups)
    ]
    L, N = len(every), sum(map(len, every))
    mean: float = np.concatenate(every).mean()
    between = sum(len(g) * (g.mean() - mean) ** 2 for g in every) / (L - 1)
    within = sum(((g - g.mean()) ** 2).sum() for g in every) / (N - L)
    statistic = ratio(float(between), float(within))
    return HypothesisTestResult(
        test="analysis of variance",
        null=f"the {L} groups have the same mean",
        statistic=statistic,
        p_value=float(stats.f.sf(statistic, L - 1, N - L)),
        alpha=alpha,
        assumes="independent, normal values with the same variance in all groups",
        df=(L - 1, N - L),
    )
