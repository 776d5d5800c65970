"""Compare models by precomputed scores on the same splits."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.evaluate.comparison.comparison import Comparison
from gramian.evaluate.comparison.mean_score import score_interval, score_name
from gramian.evaluate.comparison.pairwise_tests import pairwise_tests
from gramian.evaluate.hypothesis_tests.corrected_t import corrected_t_test
from gramian.evaluate.hypothesis_tests.multiple_testing import Adjustment
from gramian.evaluate.input_checks import check_fraction


def compare_scores(
    scores: Mapping[str, ArrayLike],
    *,
    test_over_train: float,
    scoring: str | None = None,
    classify: bool = True,
    tested_rows: int,
    adjust: Adjustment = "holm",
    alpha: float = 0.05,
    rope: float = 0.01,
    baseline: str | None = None,
    fit_seconds: Mapping[str, float] | None = None,
    predict_seconds: Mapping[str, float] | None = None,
    sizes: Mapping[str, float] | None = None,
) -> Comparison:
    """Report which models differ, given their scores on the same splits; see `compare`.

    Parameters
    ----------
    scores
        Scores of each model, by name, on the same K splits; higher is better.
    test_over_train
        n_test / n_train: 1 / (k - 1) for k folds, however often repeated.
    scoring
        scikit-learn's name of the score; None means accuracy, or R squared.
    classify
        Whether the models are classifiers.
    tested_rows
        Number of distinct rows that the splits tested.
    adjust, alpha, rope
        As for `compare`.
    baseline
        Name of the baseline, if it is among the models.
    fit_seconds, predict_seconds, sizes
        Values for each model, if known.

    Returns
    -------
    comparison
        As returned by `compare`.

    Examples
    --------
    >>> found = compare_scores(
    ...     {"tree": [0.81, 0.79, 0.83, 0.80, 0.82], "bayes": [0.90, 0.91, 0.89, 0.92, 0.90]},
    ...     test_over_train=1 / 4, tested_rows=500,
    ... )
    >>> found.best, found.groups
    ('bayes', (('bayes',), ('tree',)))
    """
    check_fraction("compare_scores", "alpha", alpha)
    table = {name: np.asarray(row, dtype=np.float64) for name, row in scores.items()}
    if len({row.shape for row in table.values()}) != 1:
        raise DataError(
            "compare_scores: every model needs a score on each of the same splits; got "
            + ", ".join(f"{len(row)} for {name!r}" for name, row in table.items())
            + "."
        )
    names = sorted(table, key=lambda name: -table[name].mean())  # stable: ties stay in order
    rows = np.array([table[name] for name in names])
    results = [
        corrected_t_test(first, second, test_over_train=test_over_train, alpha=alpha)
        for first, second in combinations(rows, 2)
    ]
    pairs, groups = pairwise_tests(
        names,
        rows,
        results,
        test_over_train=test_over_train,
        adjust=adjust,
        alpha=alpha,
        rope=rope,
    )

    def listed(values: Mapping[str, float] | None) -> np.ndarray:
        return np.array([np.nan if values is None else values[name] for name in names])

    return Comparison(
        names=tuple(names),
        scores=rows,
        intervals=tuple(
            score_interval(row, test_over_train, 1 - alpha, scoring, classify, tested_rows)
            for row in rows
        ),
        pairs=pairs,
        groups=groups,
        fit_seconds=listed(fit_seconds),
        predict_seconds=listed(predict_seconds),
        sizes=listed(sizes),
        scoring=score_name(scoring, classify),
        test="corrected_t",
        adjust=adjust,
        alpha=alpha,
        baseline=baseline,
        n_rows=tested_rows,
    )
