"""Densities by counting."""

import numpy as np
import pytest
from scipy.stats import ecdf

from gramian.neighbors import empirical_cdf, increment_density, naive_density


def test_empirical_cdf_agrees_with_scipy(rng):
    sample, x = rng.integers(0, 9, 40).astype(float), np.linspace(-1, 10, 45)
    np.testing.assert_allclose(empirical_cdf(sample, x), ecdf(sample).cdf.evaluate(x))


def test_increments_count_up_to_x_plus_h(rng):
    sample = rng.integers(0, 9, 40).astype(float)
    expected = [((sample > x) & (sample <= x + 2)).sum() / 80 for x in range(-3, 11)]
    np.testing.assert_allclose(increment_density(sample, np.arange(-3, 11), 2.0), expected)


def test_naive_estimate_of_three_points():
    assert naive_density([-1.0, 0.0, 1.0], 0.0, 1.0) == pytest.approx(1 / 3)


def test_naive_estimate_integrates_to_one(rng):
    x = np.linspace(-8, 8, 160_001)
    assert np.trapezoid(naive_density(rng.normal(size=50), x, 0.7), x) == pytest.approx(1, abs=1e-3)


def test_refused():
    for width in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="width must be"):
            naive_density([1.0], 0.0, width)
    with pytest.raises(ValueError, match="at least one number"):
        empirical_cdf([], 0.0)
    with pytest.raises(ValueError, match="NaN"):
        empirical_cdf([np.nan], 0.0)


@pytest.mark.parametrize("density", [naive_density, increment_density])
def test_messages_name_the_function_that_was_called(density):
    for sample in ([], [np.nan]):
        with pytest.raises(ValueError, match=f"^{density.__name__}: sample "):
            density(sample, [0.0], 1.0)
    with pytest.raises(ValueError, match=f"^{density.__name__}: width must be .* got 'wide'"):
        density([0.0], [0.0], "wide")
    with pytest.raises(ValueError, match=f"^{density.__name__}: x must contain numbers"):
        density([0.0], ["low"], 1.0)


def test_a_table_of_several_columns_is_no_sample():
    with pytest.raises(ValueError, match=r"one column; got shape \(5, 2\)"):
        empirical_cdf(np.zeros((5, 2)), [0.0])
    assert empirical_cdf([[1.0], [2.0]], [1.5]).tolist() == [0.5]


def test_the_window_of_the_naive_estimate_is_half_open(rng):
    assert naive_density([0.5], 0.0, 1.0) == 1.0  # x + h/2 counts
    assert naive_density([-0.5], 0.0, 1.0) == 0.0  # x - h/2 does not
    sample, x = np.round(rng.uniform(size=30), 1), np.round(rng.uniform(size=20), 1)
    for h in (0.2, 0.6):
        inside = (x[:, None] - h / 2 < sample) & (sample <= x[:, None] + h / 2)
        np.testing.assert_allclose(naive_density(sample, x, h), inside.mean(axis=1) / h)
