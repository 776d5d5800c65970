"""Negative binomial."""

import time

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gamma, NegativeBinomial, Poisson

pytestmark = pytest.mark.numeric


@pytest.mark.parametrize(
    ("r", "p", "x", "expected"),
    [(1e6, 0.5, 1_000_123, -8.1771417901399457651), (0.5, 1e-6, 400_000, -14.329730647452029996)],
)
def test_log_prob_keeps_its_digits(r, p, x, expected):
    """mpmath, 50 digits."""
    assert NegativeBinomial(r, p).log_prob(x) == pytest.approx(expected, rel=1e-12)


def test_it_is_a_poisson_with_a_gamma_rate():
    from scipy.integrate import quad

    prior, x = Gamma(2.5, 1.5), 4
    mixed = quad(lambda rate: Poisson(rate).prob(x) * prior.prob(rate), 0, np.inf)[0]
    assert NegativeBinomial(2.5, 1.5 / 2.5).prob(x) == pytest.approx(mixed)


def test_counts_that_vary_no_more_than_poisson_have_no_maximum():
    with pytest.raises(DataError, match="fit a Poisson distribution, or fix r"):
        NegativeBinomial.fit([1, 1, 2, 2])
    assert NegativeBinomial.fit([1, 1, 2, 2], r=3.0).mean == pytest.approx(1.5)


def test_certain_success():
    assert NegativeBinomial(3, 1.0).prob([0, 1]).tolist() == [1.0, 0.0]


def test_counts_out_of_proportion():
    expected = 1e308 * np.log(0.9)
    assert NegativeBinomial(2.5, 0.1).log_prob(1e308) == pytest.approx(expected, rel=1e-14)
    with pytest.raises(DataError, match=r"integers from 0 to 100000000; got 10{12}"):
        NegativeBinomial.fit([0, 1, 10**12])


def test_quantiles_of_counts_beyond_the_integers_that_floats_hold():
    """SciPy 1.17 searches for minutes."""
    wide = NegativeBinomial(1e9, 1e-9)  # nearly Gamma(1e9, 1e-9)
    assert wide.quantile([0.5, 1]) == pytest.approx([Gamma(1e9, 1e-9).quantile(0.5), np.inf])
    assert NegativeBinomial(2, 1.0).quantile([0, 1]).tolist() == [0, 0]


@pytest.mark.parametrize("p", [0.3, 1e-3, 1e-8, 1e-15])
def test_the_entropy_of_huge_counts_needs_no_table(p):
    expected = -((1 - p) * np.log1p(-p) + p * np.log(p)) / p
    assert NegativeBinomial(1, p).entropy() == pytest.approx(expected, rel=1e-12)
    many = NegativeBinomial(1e8, 1e-8).entropy()
    assert many == pytest.approx(Gamma(1e8, 1e-8).entropy(), rel=1e-9)
    with pytest.raises(ParameterError, match="entropy needs counts below"):
        NegativeBinomial(1e8, 1e-305).entropy()


@pytest.mark.parametrize(("r", "p"), [(2, 1e-200), (1, 1e-160), (3.5, 1e-270)])
def test_entropy_if_the_variance_overflows(r, p):
    assert NegativeBinomial(r, p).entropy() == pytest.approx(Gamma(r, p).entropy(), rel=1e-12)


def test_the_entropy_error_reports_the_count_that_is_too_large():
    with pytest.raises(ParameterError, match=r"below 1e\+280; likely counts reach 8\.\d+e\+282"):
        NegativeBinomial(2, 1e-280).entropy()


def test_quantiles_in_a_tail_far_longer_than_the_mean():
    """SciPy's search takes a minute."""
    long, q = NegativeBinomial(1e-5, 1e-9), np.array([0.5, 1 - 1e-7, 1 - 2**-53])
    start = time.perf_counter()
    x = long.quantile(q)
    assert time.perf_counter() - start < 5
    assert x[0] == 0
    assert (long.cdf(x) >= q).all()
    assert (long.cdf(x[1:] - 1) < q[1:]).all()


def test_the_entropy_includes_a_long_tail():
    """A small r has a tail far longer than its standard deviation."""
    x = np.arange(300_000.0)
    logs = NegativeBinomial(1e-6, 0.01).log_prob(x)
    expected = -float(np.exp(logs) @ logs)
    assert NegativeBinomial(1e-6, 0.01).entropy() == pytest.approx(expected, rel=1e-12)
