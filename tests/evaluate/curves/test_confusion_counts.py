"""Confusion matrices, their rates, and the distribution of error counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import binom

from gramian.evaluate import (
    confusion,
)


@given(seed=st.integers(0, 2**31), n=st.integers(1, 50))
def test_counts_and_rates_equal_their_definitions(seed, n):
    """FPR counts {y = -1, f = +1}; TNR = 1 - FPR is the specificity; FNR = 1 - TPR."""
    rng = np.random.default_rng(seed)
    y, f = rng.choice([-1, 1], size=n), rng.choice([-1, 1], size=n)
    found = confusion(y, f, classes=[-1, 1])
    c = found.of(1)
    assert (c.tp, c.fp) == (((y == 1) & (f == 1)).sum(), ((y == -1) & (f == 1)).sum())
    assert (c.fn, c.tn) == (((y == 1) & (f == -1)).sum(), ((y == -1) & (f == -1)).sum())
    assert c.n == n
    assert c.error_rate == found.error_rate == pytest.approx((y != f).mean())
    assert c.accuracy == pytest.approx(1 - c.error_rate)
    if (y == -1).any():
        assert c.fpr == pytest.approx((f[y == -1] == 1).mean())
        assert c.tnr == pytest.approx(1 - c.fpr)
    if (y == 1).any():
        assert c.tpr == pytest.approx((f[y == 1] == 1).mean())
        assert c.fnr == pytest.approx(1 - c.tpr)
    else:
        assert np.isnan(c.tpr)
    if (f == 1).any():
        assert c.precision == pytest.approx((y[f == 1] == 1).mean())


def test_many_classes():
    found = confusion(["a", "b", "c", "c"], ["a", "c", "c", "a"])
    assert_array_equal(found.counts, [[1, 0, 0], [0, 0, 1], [1, 0, 1]])
    assert (found.errors, found.error_rate) == (2, 0.5)
    assert found.of("c").tpr == 0.5
    with pytest.raises(ValueError, match="got 'd'"):
        found.of("d")
    with pytest.raises(ValueError, match=r"classes must contain every label; \['b'\] are missing"):
        confusion(["a", "b"], ["a", "a"], classes=["a"])
    with pytest.raises(ValueError, match=r"y_true \(2,\), y_pred \(3,\)"):
        confusion([0, 1], [0, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize(("n", "mean"), [(20, 5), (500, 125)])
def test_worked_number_t12_errors_follow_the_binomial_distribution(n, mean):
    """A rule with risk 1/4 makes n/4 errors on n rows, on average, with binomial spread."""
    rng = np.random.default_rng(0)
    distribution, runs = binom(n, 0.25), 300
    errors = np.array(
        [
            confusion(y, np.where(rng.random(n) < 0.25, 1 - y, y), classes=[0, 1]).errors
            for y in rng.integers(2, size=(runs, n))
        ]
    )
    assert distribution.mean() == mean
    limit = 3.29 * distribution.std() / np.sqrt(runs)  # 99.9%
    assert errors.mean() == pytest.approx(mean, abs=limit)
    inside = np.mean((errors >= distribution.ppf(0.05)) & (errors <= distribution.ppf(0.95)))
    expected = distribution.cdf(distribution.ppf(0.95)) - distribution.cdf(
        distribution.ppf(0.05) - 1
    )
    assert inside == pytest.approx(expected, abs=3.29 * np.sqrt(0.1 * 0.9 / runs))
