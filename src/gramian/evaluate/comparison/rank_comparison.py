r"""Which of several models differ over several data sets: Nemenyi's test, or adjusted pairs.

With R_i the mean rank of model i over N data sets, two of k models differ by

    z = (R_i - R_j) / sqrt(k (k + 1) / (6 N)).

Nemenyi compares sqrt(2) |z| with the range of k normal values: mean ranks further apart than

    CD = q_alpha sqrt(k (k + 1) / (6 N)),   q_alpha = (studentised range quantile) / sqrt(2)

differ; or the normal p-values of z are adjusted, which has more power.
References: Nemenyi 1963; Demsar, JMLR 7, 2006; Garcia and Herrera, JMLR 9, 2008.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.evaluate.comparison.groups import maximal_groups
from gramian.evaluate.hypothesis_tests.multiple_testing import Adjustment, adjust_p_values
from gramian.evaluate.hypothesis_tests.ranks import friedman_test, rank_rows
from gramian.evaluate.input_checks import check_fraction, check_option, check_score_table
from gramian.evaluate.results import HypothesisTestResult
from gramian.plot.evaluation.critical_difference import plot_critical_difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class RankComparison:
    """Several models over several data sets.

    Attributes
    ----------
    names
        The models.
    mean_ranks
        Mean rank of each; 1 is best.
    friedman
        Friedman's test of "no model differs".
    p_values
        Adjusted p-value of each pair, shape (k, k), with ones on the diagonal.
    groups
        Models without a significant difference, by index: the maximal sets without a
        significant pair.
    critical_difference
        Mean ranks further apart than this differ (Nemenyi only, else None).
    adjust
        Adjustment of the pairs.
    alpha
        Significance level of the family of tests.
    n_datasets
        Number of data sets.
    """

    names: tuple[str, ...]
    mean_ranks: Floats
    friedman: HypothesisTestResult
    p_values: Floats
    groups: tuple[tuple[int, ...], ...]
    critical_difference: float | None
    adjust: str
    alpha: float
    n_datasets: int

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the critical-difference diagram."""
        return plot_critical_difference(
            self.mean_ranks, self.names, self.groups, critical_difference=self.critical_difference,
            ax=ax,
        )  # fmt: skip

    def __str__(self) -> str:
        order = np.argsort(self.mean_ranks, kind="stable")
        ranks = ", ".join(f"{self.names[i]} {self.mean_ranks[i]:.2f}" for i in order)
        lines = [f"Mean ranks over {self.n_datasets} data sets: {ranks}.", str(self.friedman)]
        how = f"{self.adjust}, level {self.alpha:g}"
        shared = [group for group in self.groups if len(group) > 1]
        for group in shared:
            names = " and ".join(self.names[i] for i in order if i in group)
            lines.append(f"No significant difference ({how}): {names}.")
        if not shared:
            lines.append(f"All pairs of models differ significantly ({how}).")
        return "\n".join(lines)


def compare_ranks(
    scores: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    adjust: Literal["nemenyi"] | Adjustment = "nemenyi",
    alpha: float = 0.05,
) -> RankComparison:
    """Compare several models over several data sets by their ranks.

    Parameters
    ----------
    scores
        A row for each data set and a column for each model, shape (N, k), higher is better;
        k >= 3, N >= 2. Rows must be independent: data sets, not folds of one (see `compare`).
    names
        Names of the models; if None, they are numbered.
    adjust
        ``"nemenyi"``, or an adjustment of `adjust_p_values` (Shaffer's is made for all pairs).
    alpha
        Probability of any false difference.

    Returns
    -------
    comparison
        Ranks, Friedman's test, pairs and groups.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal([0, 0.2, 2], 1, size=(20, 3))
    >>> print(compare_ranks(scores, ["tree", "bayes", "forest"]))  # doctest: +NORMALIZE_WHITESPACE
    Mean ranks over 20 data sets: forest 1.05, tree 2.45, bayes 2.50.
    Friedman's test: "all 3 models rank alike" is rejected at level 0.05 (statistic 39.91,
    p = 4.59e-10, 2 and 38 degrees of freedom).
    No significant difference (nemenyi, level 0.05): tree and bayes.
    """
    owner = "compare_ranks"
    table = check_score_table(owner, scores, rows=2, columns=3)
    check_option(owner, "adjust", adjust, ("nemenyi", *get_args(Adjustment)))
    check_fraction(owner, "alpha", alpha)
    N, k = table.shape
    labels = tuple(map(str, range(k) if names is None else names))
    if len(labels) != k:
        raise DataError(f"{owner}: names must have {k} entries, one per model; got {len(labels)}.")
    mean_ranks: Floats = rank_rows(table).mean(axis=0)
    first, second = np.triu_indices(k, 1)
    z = np.abs(mean_ranks[first] - mean_ranks[second]) / _rank_error(k, N)
    if adjust == "nemenyi":
        pairs = np.array([_range_tail(round(float(value), 12), k) for value in z])
    else:
        pairs = adjust_p_values(2 * stats.norm.sf(z), adjust)
    p_values = np.ones((k, k))
    p_values[first, second] = p_values[second, first] = pairs
    return RankComparison(
        names=labels,
        mean_ranks=mean_ranks,
        friedman=friedman_test(table, alpha=alpha),
        p_values=p_values,
        groups=tuple(maximal_groups(p_values > alpha)),
        critical_difference=critical_difference(k, N, alpha=alpha) if adjust == "nemenyi" else None,
        adjust=adjust,
        alpha=alpha,
        n_datasets=N,
    )


def critical_difference(n_models: int, n_datasets: int, *, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of two mean ranks.

    Parameters
    ----------
    n_models
        k >= 2.
    n_datasets
        N >= 1.
    alpha
        Probability of any false difference.

    Returns
    -------
    difference
        q_alpha sqrt(k (k + 1) / (6 N)).

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    check_fraction("critical_difference", "alpha", alpha)
    if n_models < 2 or n_datasets < 1:
        raise ParameterError(
            "critical_difference: n_models must be >= 2 and n_datasets >= 1; "
            f"got {n_models} and {n_datasets}."
        )
    return _range_quantile(alpha, n_models) * _rank_error(n_models, n_datasets)


def _rank_error(k: int, N: int) -> float:
    return float(np.sqrt(k * (k + 1) / (6 * N)))


@cache  # each call computes an integral
def _range_quantile(alpha: float, k: int) -> float:
    return float(stats.studentized_range.isf(alpha, k, np.inf) / np.sqrt(2))


@cache
def _range_tail(z: float, k: int) -> float:
    return float(min(1.0, stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)))
