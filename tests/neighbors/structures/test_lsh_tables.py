"""Hash functions: how often rows share a value, and tables of buckets."""

import numpy as np
import pytest
from scipy.stats import norm

import gramian
from gramian.neighbors.structures.lsh_tables import Functions, HashTables, draw_functions, project

X = np.random.default_rng(0).normal(size=(60, 4))


@pytest.mark.parametrize("degrees", [10, 45, 90, 150])
def test_hyperplanes_are_shared_with_probability_one_less_angle_over_pi(degrees):
    """Charikar 2002: Pr[h(x) = h(z)] = 1 - angle / pi."""
    angle = np.deg2rad(degrees)
    pair = np.array([[1.0, 0, 0, 0], [np.cos(angle), np.sin(angle), 0, 0]])
    both = np.vstack([pair, -pair])  # so that the median is the origin
    functions = draw_functions(both, "hyperplane", 1000, 4, None, seed=1)
    sides = project(pair, functions.directions) > 0
    assert np.mean(sides[0] == sides[1]) == pytest.approx(1 - angle / np.pi, abs=0.025)


@pytest.mark.parametrize("distance", [0.3, 1.0, 3.0])
def test_cells_collide_with_the_probability_of_datar(distance):
    """Datar et al. 2004: 1 - 2 F(-w/c) - 2c/(w sqrt(2 pi)) (1 - exp(-w^2/2c^2)), c = |x - z|."""
    w, c = 2.0, distance
    pair = np.array([[0.0, 0, 0], [c, 0, 0]])
    functions = draw_functions(pair, "p_stable", 1000, 4, w, seed=1)
    places = project(pair, functions.directions)[:, :4000] - functions.offsets
    same = np.mean(np.floor(places[0] / w) == np.floor(places[1] / w))
    ratio = w / c
    tail = 2 / (np.sqrt(2 * np.pi) * ratio) * (1 - np.exp(-(ratio**2) / 2))
    assert same == pytest.approx(1 - 2 * norm.cdf(-ratio) - tail, abs=0.025)


def test_hash_tables_are_built_of_finite_rows_only():
    functions = draw_functions(X, "hyperplane", 4, 3, None, 0)
    for bad in (np.nan, np.inf):
        rows = X.copy()
        rows[3, 1] = bad
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match="lsh"):
            HashTables.build(rows, functions)


def test_hash_tables_need_a_function():
    functions = draw_functions(X, "hyperplane", 4, 3, None, 0)
    none = Functions(*functions[:3], np.empty((4, 0), np.uint64))
    with pytest.raises(ValueError, match="lsh"):
        HashTables.build(X, none)


def test_buckets_far_beyond_the_rows_are_refused():
    with pytest.raises(ValueError, match="Decrease n_functions"):
        gramian.LSHNeighbors(n_tables=64, n_functions=24).fit(X)
