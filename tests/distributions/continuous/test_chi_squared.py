"""Chi-squared."""

import numpy as np
import pytest

from gramian.distributions import ChiSquared, MultivariateGaussian


@pytest.mark.parametrize("d", [1, 5, 40])
def test_it_is_the_squared_norm_of_a_standard_normal(d):
    """Mean d and variance 2 d; high-dimensional normal rows lie near a sphere of radius sqrt(d)."""
    rows = MultivariateGaussian.isotropic(np.zeros(d), 1.0).sample(20000, random_state=0)
    squares = (rows**2).sum(axis=1)
    law = ChiSquared(d)
    assert (law.mean, law.variance) == (d, 2 * d)
    assert squares.mean() == pytest.approx(d, abs=4.5 * np.sqrt(2 * d / 20000))
    for q in (0.1, 0.5, 0.9):
        assert (squares <= law.quantile(q)).mean() == pytest.approx(q, abs=0.016)
