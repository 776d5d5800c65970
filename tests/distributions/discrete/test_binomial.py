"""Binomial."""

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Binomial


def test_eight_heads_in_ten_tosses():
    """T2: L(p) = 45 p^8 (1 - p)^2 is largest at 0.8, where it is 0.30199."""
    coin = Binomial.fit([8], n=10)
    assert coin == Binomial(10, 0.8)
    assert coin.prob(8) == pytest.approx(0.30199, abs=5e-6)
    for p in (0.1, 0.5, 0.79, 0.81):
        assert Binomial(10, p).prob(8) == pytest.approx(45 * p**8 * (1 - p) ** 2)


def test_training_errors_of_a_classifier_concentrate():
    """Errors among n rows at a true error of 25%: standard deviation sqrt(R (1 - R) / n)."""
    for n in (20, 500):
        assert np.sqrt(Binomial(n, 0.25).variance) / n == pytest.approx(np.sqrt(0.1875 / n))


def test_millions_of_trials():
    big = Binomial(10**7, 1e-3)
    assert big.entropy() == pytest.approx(0.5 * np.log(2 * np.pi * np.e * big.variance), rel=1e-4)
    assert big.cdf(10_000) == pytest.approx(scipy.stats.binom.cdf(10_000, 10**7, 1e-3))


def test_n_is_required_and_bounds_the_data():
    with pytest.raises(ParameterError, match="'n'"):
        Binomial.fit([3])
    with pytest.raises(DataError, match=r"integers from 0 to 5; got 6.0 \(row 1\)"):
        Binomial.fit([3, 6], n=5)
    with pytest.raises(ParameterError, match=r"n must be an integer >= 0; got 2\.5"):
        Binomial.fit([1], n=2.5)
    assert Binomial.fit([0, 0], n=0) == Binomial(0, 0.0)


def test_quantiles_of_no_successes():
    """The least x with P(X <= x) >= q is 0 for every q, also 1, where SciPy returns n."""
    assert_allclose(Binomial(5, 0.0).quantile([0.0, 0.5, 1.0]), 0.0)


def test_entropy_of_very_many_trials():
    """log(2 pi e n p q) / 2 + O(1 / n), without a table of all counts."""
    expected = 0.5 * np.log(2 * np.pi * np.e * 10**14 * 0.21)
    assert Binomial(10**14, 0.3).entropy() == pytest.approx(expected, rel=1e-13)


def test_probabilities_near_0_keep_their_digits():
    """mpmath; SciPy 1.17 passes 1 - p, whose rounding is 1e-9 of p here."""
    n, p = 120_399_612, 1.7801949762182142e-07
    assert Binomial(n, p).cdf(20) == pytest.approx(0.43382399492763920, rel=1e-13)


def test_quantiles_far_out():
    """SciPy 1.17 gives 3, whose probability is a hundredth of this."""
    far = Binomial(75, 0.9998449776734414)
    q = 3.6489111115238257e-268
    assert far.quantile(q) == 4
    assert far.cdf(3) < q < far.cdf(4)
    assert_allclose(Binomial(10**15, 1e-14).quantile([0, 0.5, 1]), [0, 10, 10**15])
