"""The pairwise tests of the models by the main metric."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Two models compared.

    Attributes
    ----------
    first, second
        Their names.
    difference, low, high
        Mean score of the first minus that of the second, and its interval; None if undefined.
    p, p_adjusted
        P-value of "both are equally good", and adjusted for all pairs.
    better, same, worse
        Posterior probabilities that the first is better, practically the same, or worse.
    """

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p: float
    p_adjusted: float
    better: float
    same: float
    worse: float


@dataclass(frozen=True)
class ModelComparison:
    """The statistical comparison.

    Attributes
    ----------
    test, adjust, alpha
        Name of the test, how p-values are adjusted, and the significance level.
    splits, test_over_train
        Number of splits, and the ratio of test rows to training rows of each.
    rope
        Difference below which models are practically the same; None without pairs.
    groups
        Names of models without a significant difference.
    critical_difference
        Critical difference of the mean ranks.
    pairs
        Every pair of models.
    """

    test: str
    adjust: str
    alpha: float
    splits: int
    test_over_train: float
    rope: float | None
    groups: tuple[tuple[str, ...], ...]
    critical_difference: float
    pairs: tuple[Pair, ...]
