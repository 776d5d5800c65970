"""Sums over huge ranges of counts."""

import math

import numpy as np
import pytest

from gramian.distributions.common.count_sums import CountSums
from gramian.distributions.common.polya import log_beta_binomial


@pytest.mark.parametrize("most", [0, 1, 23, 24, 25, 200, 10**6, 10**15])
def test_polynomials_have_exact_sums(most):
    sums = CountSums(most, most / 2, most / 4)
    assert float(sums.weights.sum()) == pytest.approx(most + 1, rel=1e-13)
    squares = most * (most + 1) * (2 * most + 1) // 6
    assert float((sums.weights * sums.nodes**2).sum()) == pytest.approx(squares, rel=1e-12)
    up_to = sums.cumulative(sums.nodes)
    x = np.floor(np.array([0, 0.1, 0.3, 0.77, 1]) * most)
    assert up_to(x) == pytest.approx([int(c) * (int(c) + 1) // 2 for c in x], rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b"), [(2, 2), (0.01, 3), (1e-3, 1e-3), (200, 3e3), (1e6, 1e7), (1e-2, 1e4), (50, 0.5)]
)
def test_sums_equal_those_over_all_counts(a, b):
    n = 100_000
    p = a / (a + b)
    deviation = math.sqrt(n * p * (1 - p) * (a + b + n) / (a + b + 1))
    sums = CountSums(n, n * p, deviation)
    logs = log_beta_binomial(np.arange(n + 1.0), n, a, b)
    each = np.exp(logs)
    log_p = log_beta_binomial(sums.nodes, n, a, b)
    assert sums.entropy(log_p) == pytest.approx(-float(each @ logs), rel=1e-13)
    expected = each.cumsum()
    found = sums.cumulative(np.exp(log_p))(np.arange(n + 1.0))
    seen = expected > 1e-30
    assert found[seen] == pytest.approx(expected[seen], rel=1e-12)
    assert (np.diff(found) >= 0).all()
