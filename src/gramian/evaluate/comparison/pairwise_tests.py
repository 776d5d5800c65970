"""Pairs of models with adjusted p-values, and groups without a significant difference."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gramian.base.types import Floats
from gramian.evaluate.comparison.comparison import Pair
from gramian.evaluate.comparison.groups import maximal_groups
from gramian.evaluate.hypothesis_tests.bayesian import correlated_t_posterior
from gramian.evaluate.hypothesis_tests.multiple_testing import Adjustment, adjust_p_values
from gramian.evaluate.results import HypothesisTestResult


def pairwise_tests(
    names: Sequence[str],
    scores: Floats,
    results: Sequence[HypothesisTestResult],
    *,
    test_over_train: float,
    adjust: Adjustment,
    alpha: float,
    rope: float,
    agrees: Sequence[bool] | None = None,
) -> tuple[tuple[Pair, ...], tuple[tuple[str, ...], ...]]:
    """Return every pair with its adjusted p-value and posterior, and the groups.

    Parameters
    ----------
    names, scores
        Models and their scores, a row each.
    results
        One for each of ``combinations(names, 2)``, in that order.
    test_over_train, adjust, alpha, rope
        As for `compare_scores`.
    agrees
        Whether each result has the same sign as the difference of the mean scores; None if all
        have.

    Returns
    -------
    pairs, groups
        A group is a maximal set of models in which no two differ.
    """
    adjusted = adjust_p_values([result.p_value for result in results], adjust)
    alike = np.eye(len(names), dtype=bool)
    pairs = []
    for k, (i, j) in enumerate(combinations(range(len(names)), 2)):
        posterior = correlated_t_posterior(
            scores[i], scores[j], test_over_train=test_over_train, rope=rope
        )
        same_sign = agrees is None or agrees[k]
        pairs.append(Pair(names[i], names[j], results[k], float(adjusted[k]), posterior, same_sign))
        alike[i, j] = alike[j, i] = adjusted[k] > alpha
    groups = tuple(tuple(names[i] for i in group) for group in maximal_groups(alike))
    return tuple(pairs), groups
