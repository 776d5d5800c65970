"""The quad-tree: its squares, and searches against measuring every point."""

import numpy as np
import pytest

from gramian.textbook.neighbors import QuadTree


@pytest.fixture(params=["uniform", "lattice", "clumps"])
def points(request, rng):
    if request.param == "uniform":
        return rng.uniform(-3, 5, size=(150, 2))
    if request.param == "lattice":
        return rng.integers(0, 5, size=(150, 2)).astype(float)
    return np.r_[rng.normal(size=(75, 2)) * 1e-4, rng.normal(size=(75, 2)) + 10]


@pytest.mark.parametrize("leaf_size", [1, 7])
def test_squares_divide_the_plane_and_the_points(points, leaf_size):
    tree = QuadTree(points, leaf_size=leaf_size)
    assert sorted(np.concatenate([leaf.rows for leaf in tree.leaves])) == list(range(len(points)))
    for square in tree.nodes:
        assert tree.nodes[square.number] is square
        np.testing.assert_allclose(
            square.high - square.low, np.ptp(points, axis=0).max() / 2**square.depth
        )
        inside = points[square.rows]
        assert ((square.low <= inside) & (inside <= square.high)).all()
        if square.children:
            assert len(square.children) == 4
            assert len(square.rows) == 0
        else:
            assert len(square.rows) <= leaf_size or len(np.unique(inside, axis=0)) == 1


def test_every_point_is_located_in_its_own_leaf(points):
    tree = QuadTree(points)
    for row, point in enumerate(points):
        assert row in tree.locate(point).rows


@pytest.mark.parametrize("k", [1, 5])
def test_the_nearest_points_are_found(points, rng, k):
    tree = QuadTree(points, leaf_size=3)
    for q in rng.uniform(-4, 12, size=(40, 2)):
        found = tree.query(q, k)
        distances = np.linalg.norm(points - q, axis=1)
        np.testing.assert_allclose(found.distances, np.sort(distances)[:k])
        np.testing.assert_allclose(distances[found.indices], found.distances)


def test_the_search_skips_most_points(rng):
    points = rng.uniform(size=(2000, 2))
    tree = QuadTree(points)
    measured = [tree.query(q).n_points for q in rng.uniform(size=(30, 2))]
    assert np.mean(measured) < 10
    steps = tree.query([0.5, 0.5]).trace
    assert [step.box_distance for step in steps] == sorted(step.box_distance for step in steps)


def test_points_in_a_box(points, rng):
    tree = QuadTree(points, leaf_size=4)
    for _ in range(20):
        low, high = np.sort(np.round(rng.uniform(-4, 12, size=(2, 2))), axis=0)
        expected = np.flatnonzero(((low <= points) & (points <= high)).all(axis=1))
        np.testing.assert_array_equal(tree.within(low, high), expected)


def test_the_depth_follows_the_least_distance_and_not_the_number():
    tree = QuadTree([[0.0, 0.0], [2.0**-10, 0.0], [1.0, 1.0]])
    assert tree.depth == 10
    assert QuadTree([[0.0, 0.0], [2.0**-10, 0.0], [1.0, 1.0]], max_depth=3).depth == 3
    assert QuadTree(np.ones((9, 2))).depth == 0  # equal points share a leaf


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="points must have 2 columns; got 3"):
        QuadTree(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="leaf_size must be an integer >= 1; got 0"):
        QuadTree([[0.0, 1.0]], leaf_size=0)
    with pytest.raises(ValueError, match="max_depth must be an integer >= 0"):
        QuadTree([[0.0, 1.0]], max_depth=1.5)
    with pytest.raises(ValueError, match="k must be an integer between 1 and 1"):
        QuadTree([[0.0, 1.0]]).query([0, 0], k=2)
