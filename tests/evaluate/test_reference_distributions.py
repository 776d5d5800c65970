"""p-values and confidence limits from a reference distribution."""

import numpy as np
import pytest
from scipy import stats

from gramian.evaluate.reference_distributions import (
    NORMAL,
    confidence_limits,
    p_value_of,
    student,
)


@pytest.mark.parametrize("statistic", [-1.3, 0.0, 2.1])
@pytest.mark.parametrize(
    ("distribution", "known"), [(NORMAL, stats.norm), (student(4), stats.t(4))]
)
def test_p_values_are_tail_probabilities(statistic, distribution, known):
    below = known.cdf(statistic)
    assert p_value_of(statistic, distribution, "less") == pytest.approx(below)
    assert p_value_of(statistic, distribution, "greater") == pytest.approx(1 - below)
    assert p_value_of(statistic, distribution, "two-sided") == pytest.approx(
        2 * min(below, 1 - below)
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_limits_are_the_values_that_the_test_just_does_not_reject(alternative):
    estimate, error, alpha = 0.7, 0.2, 0.1
    limits = confidence_limits(estimate, error, student(7), alpha, alternative)
    finite = [limit for limit in limits if np.isfinite(limit)]
    assert len(finite) == (2 if alternative == "two-sided" else 1)
    for limit in finite:
        p = p_value_of((estimate - limit) / error, student(7), alternative)
        assert p == pytest.approx(alpha)
    assert limits[0] < estimate < limits[1]
