import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.textbook.estimation import estimator_error


def test_the_mean_is_unbiased_with_variance_sigma2_over_n():
    found = estimator_error(np.mean, stats.norm(1, 2), 1.0, n=16, random_state=0)
    assert abs(found.bias) < 4 * found.bias_standard_error
    assert found.variance == pytest.approx(4 / 16, rel=0.15)
    assert found.mse == pytest.approx(found.bias**2 + found.variance)


def test_the_variance_divided_by_n_is_biased_and_by_n_minus_1_is_not():
    settings = {"n": 5, "repetitions": 4000, "random_state": 0}
    draw = lambda n, rng: rng.normal(size=n)  # noqa: E731
    biased = estimator_error(np.var, draw, 1.0, **settings)
    plain = estimator_error(lambda x: x.var(ddof=1), draw, 1.0, **settings)
    assert biased.bias == pytest.approx(-1 / 5, abs=4 * biased.bias_standard_error)
    assert abs(plain.bias) < 4 * plain.bias_standard_error
    assert biased.mse == pytest.approx(9 / 25, abs=4 * biased.mse_standard_error)
    assert plain.mse == pytest.approx(2 / 4, abs=4 * plain.mse_standard_error)


def test_vectors_and_seeds():
    draw = lambda n, rng: rng.normal(size=(n, 2))  # noqa: E731
    one, again = (
        estimator_error(lambda x: x.mean(0), draw, [0, 0], n=3, repetitions=50, random_state=1)
        for _ in range(2)
    )
    assert one.bias.shape == (2,)
    assert_allclose(one.estimates, again.estimates, rtol=0)
    assert_allclose(one.mse, one.bias**2 + one.variance)


def test_bad_input():
    with pytest.raises(ParameterError, match="n must be"):
        estimator_error(np.mean, stats.norm(), 0.0, n=0)
    with pytest.raises(ParameterError, match="sampler must be"):
        estimator_error(np.mean, 3, 0.0, n=2)
    with pytest.raises(DataError, match="shape of truth"):
        estimator_error(lambda x: x, stats.norm(), 0.0, n=2, repetitions=3)
    with pytest.raises(DataError, match="not finite"):
        estimator_error(lambda x: np.nan, stats.norm(), 0.0, n=2, repetitions=3)
