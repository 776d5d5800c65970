import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.distributions import Dirichlet, Gaussian, MultivariateGaussian, Poisson
from gramian.textbook.estimation.known_density import KnownDensity

PAIRS = [
    (Gaussian(1.0, 4.0), stats.norm(1, 2), 1, False),
    (Poisson(3.0), stats.poisson(3.0), 1, True),
    (
        MultivariateGaussian([0, 1], [[2, 1], [1, 3]]),
        stats.multivariate_normal([0, 1], [[2, 1], [1, 3]]),
        2,
        False,
    ),
]


@pytest.mark.parametrize(("ours", "theirs", "dimension", "discrete"), PAIRS)
def test_two_libraries_one_face(ours, theirs, dimension, discrete):
    a, b = KnownDensity.of("me", ours), KnownDensity.of("me", theirs)
    assert (a.dimension, a.discrete) == (b.dimension, b.discrete) == (dimension, discrete)
    np.testing.assert_allclose(a.mean, b.mean)
    np.testing.assert_allclose(a.deviation, b.deviation)
    rng = np.random.default_rng(0)
    x = a.draw(50, rng)
    np.testing.assert_allclose(a.log_density(x), b.log_density(x))
    assert np.shape(b.draw(50, rng)) == np.shape(x)
    assert (a.cdf is None) == (dimension > 1)


def test_limits_hold_almost_everything():
    low, high = KnownDensity.of("me", Gaussian(1.0, 4.0)).limits()
    assert stats.norm(1, 2).cdf(low) < 1e-13
    assert stats.norm(1, 2).sf(high) < 1e-13
    points = KnownDensity.of("me", Poisson(3.0)).support_points()
    assert points[0] == 0
    assert Poisson(3.0).prob(points).sum() == pytest.approx(1)


def test_bad_input():
    with pytest.raises(ParameterError, match="me: a distribution must be"):
        KnownDensity.of("me", 3)
    with pytest.raises(ParameterError, match="too wide"):
        KnownDensity.of("me", Poisson(1e20)).support_points()
    assert KnownDensity.of("me", Dirichlet([1, 2, 3])).dimension == 3
