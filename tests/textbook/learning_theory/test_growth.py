"""Growth functions: worked numbers and their simple bounds."""

import math

import numpy as np
import pytest

from gramian.textbook.learning_theory import cover_bound, cover_count, sauer_bound, sauer_shelah


def test_t4_counts_of_halfplanes_and_of_vc_dimension_three():
    assert [cover_count(n, 2) for n in range(1, 7)] == [2, 4, 8, 14, 22, 32]
    assert [sauer_shelah(n, 3) for n in range(1, 7)] == [2, 4, 8, 15, 26, 42]


@pytest.mark.parametrize("d", [1, 2, 5, 12])
def test_sums_are_sums_of_binomials(d):
    for n in (1, 2, d, d + 1, d + 2, 40):
        assert cover_count(n, d) == 2 * sum(math.comb(n - 1, i) for i in range(d + 1))
        assert sauer_shelah(n, d) == sum(math.comb(n, i) for i in range(d + 1))


@pytest.mark.parametrize("d", [1, 3, 20])
def test_the_simple_bounds_are_above_the_sums(d):
    for n in (1, d, d + 1, d + 2, 3 * d, 100, 10_000):
        assert cover_bound(n, d) >= cover_count(n, d) * (1 - 1e-12)
        assert sauer_bound(n, d) >= sauer_shelah(n, d) * (1 - 1e-12)


def test_logarithms_do_not_overflow():
    assert cover_bound(10**6, 10**4) == math.inf
    assert cover_bound(10**6, 10**4, log=True) == pytest.approx(
        math.log(2) + 1e4 * (1 + math.log((10**6 - 1) / 1e4))
    )
    assert sauer_bound(50, 7, log=True) == pytest.approx(math.log(sauer_bound(50, 7)))


def test_a_class_of_vc_dimension_zero_makes_one_labelling():
    assert sauer_shelah(10, 0) == sauer_bound(10, 0) == 1


@pytest.mark.parametrize("n", [0, -1, 2.5, True, math.nan])
def test_counts_must_be_integers(n):
    with pytest.raises(ValueError, match="n must be an integer of at least 1"):
        cover_count(n, 2)


def test_numpys_integers_do_not_overflow():
    n, d = np.int64(10**6), np.int64(5)
    assert cover_count(n, d) == cover_count(10**6, 5) > 2**64
    assert sauer_shelah(n, d) == sauer_shelah(10**6, 5) > 2**64
