"""Known growth functions against counts of given points and brute force."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from gramian.textbook.learning_theory import (
    UniformBound,
    box_count,
    dichotomies,
    extremal_points,
    growth_function,
    is_shattered,
    known_count,
    known_vc_dimension,
    sauer_shelah,
)

CLASSES = [
    ("halfspaces", 1),
    ("halfspaces", 2),
    ("halfspaces", 3),
    ("balls", 1),
    ("balls", 2),
    ("balls", 3),
    ("intervals", 1),
    ("boxes", 1),
    ("boxes", 2),
    ("boxes", 3),
    ("power_set", 2),
]


@pytest.mark.parametrize(("sets", "d"), CLASSES)
def test_the_known_count_matches_the_extremal_points(sets, d):
    for n in range(1, 8):
        count = known_count(sets, n, d)
        if count is not None:
            assert len(dichotomies(extremal_points(sets, n, d), sets)) == count


@pytest.mark.parametrize(("sets", "d"), CLASSES)
def test_no_points_have_more_subsets_than_the_growth_function(sets, d):
    generator = np.random.default_rng(0)
    growth = growth_function(sets, d)
    for n in (2, 5, 7):
        lattice = generator.integers(0, 3, size=(n, d)).astype(float)
        for points in (generator.normal(size=(n, d)), lattice):
            assert len(dichotomies(points, sets)) <= growth(n)


@pytest.mark.parametrize(("sets", "d"), CLASSES[:-1])
def test_the_known_dimension_is_where_the_count_leaves_two_to_the_n(sets, d):
    dimension = int(known_vc_dimension(sets, d))
    assert is_shattered(extremal_points(sets, dimension, d), sets)
    assert growth_function(sets, d)(dimension + 1) < 2 ** (dimension + 1)


def test_worked_counts():
    assert [known_count("halfspaces", n, 2) for n in range(1, 7)] == [2, 4, 8, 14, 22, 32]
    assert [known_count("balls", n, 2) for n in range(1, 7)] == [2, 4, 8, 15, 26, 42]
    assert [known_count("intervals", n, 1) for n in range(1, 7)] == [2, 4, 7, 11, 16, 22]
    assert [known_count("boxes", n, 1) for n in range(1, 7)] == [2, 4, 7, 11, 16, 22]
    assert [known_count("boxes", n, 2) for n in range(1, 7)] == [2, 4, 8, 16, 28, 49]
    assert known_count("halfspaces", 8, 6) == 2**8 - 2
    assert known_count("boxes", 13, 2) is known_count("boxes", 7, 3) is None


def test_no_order_of_five_points_has_more_than_28_boxes():
    columns = np.arange(5.0)
    counts = [len(dichotomies(np.c_[columns, order], "boxes")) for order in permutations(range(5))]
    assert max(counts) == box_count(5) == 28


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_no_order_of_the_plane_has_more_boxes_than_two_falling_runs(n):
    # Equal coordinates cannot help: points moved a little keep all their subsets.
    spread = [
        (3, [[1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2]]),
        (4, [[2, 1, 4, 3], [2, 4, 1, 3], [3, 1, 4, 2], [3, 4, 1, 2]]),
    ]  # orders in which every point is leftmost, rightmost, lowest or highest
    orders = np.array(list(permutations(range(n))))
    total = np.full(len(orders), 1 + n + math.comb(n, 2))
    for size, patterns in spread:
        chosen = np.array(list(combinations(range(n), size)))
        ranks = orders[:, chosen].argsort(axis=-1).argsort(axis=-1) + 1
        for pattern in patterns:
            total += (ranks == pattern).all(axis=-1).sum(axis=-1)
    assert total.max() == box_count(n)


def test_growth_beyond_the_known_counts_is_an_upper_bound():
    assert growth_function("boxes", 2)(13) == sauer_shelah(13, 4) > box_count(13)
    assert growth_function("boxes", 3)(7) == sauer_shelah(7, 6)


def test_the_power_set_grows_as_two_to_the_n():
    growth = growth_function("power_set", 1)
    assert growth(10) == 1024
    assert growth(5000) == known_vc_dimension("power_set", 3) == math.inf
    with pytest.raises(ValueError, match="no sample size is large enough"):  # and at once
        UniformBound(growth).sample_size(0.1, 0.1)


def test_unknown_classes_are_refused():
    with pytest.raises(ValueError, match="'boxes'"):
        known_vc_dimension("squares", 2)
    with pytest.raises(ValueError, match="intervals are one-dimensional"):
        known_vc_dimension("intervals", 2)
