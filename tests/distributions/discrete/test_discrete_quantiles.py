"""Quantiles of many levels."""

import numpy as np
import pytest

from gramian.distributions import BetaBinomial, Binomial, NegativeBinomial, Poisson

FAMILIES = [
    BetaBinomial(100, 2, 3),
    BetaBinomial(20_000, 0.01, 3),
    BetaBinomial(10**7, 1e5, 1e6),
    Binomial(0, 0.3),
    Binomial(20, 1),
    Binomial(20_000, 0.3),
    Binomial(10**9, 0.999999),
    Poisson(0),
    Poisson(1e-5),
    Poisson(1e9),
    NegativeBinomial(3e4, 0.5),
    NegativeBinomial(0.5, 0.9),
    NegativeBinomial(1e-5, 1e-9),
    NegativeBinomial(2, 1e-12),
]


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("n", [20, 3000])
def test_quantiles_are_the_smallest_counts(rng, family, n):
    q = np.concatenate([rng.random(n), [0.0, 1e-300, 1e-20, 0.5, 1 - 2**-53]])
    x = family.quantile(q)
    assert (family.cdf(x) >= q).all()
    assert ((x == 0) | (family.cdf(x - 1) < q)).all()
    some = slice(-25, None)
    np.testing.assert_array_equal(x[some], [family.quantile(level) for level in q[some]])
    np.testing.assert_array_equal(family.cdf(x)[some], [family.cdf(count) for count in x[some]])
