"""Weights of neighbours, votes, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import DataError
from gramian.neighbors.structures.radius_results import NeighborLists
from gramian.neighbors.votes import (
    check_codes,
    check_some_weight,
    nearest_votes,
    nearest_weights,
    proportions,
    radius_votes,
    radius_weights,
)

BALLS = NeighborLists(
    np.array([0, 2, 2, 5]), np.array([0, 3, 1, 2, 3]), np.array([0.0, 2, 4, 2, 1])
)


def test_weights_are_inverse_distances_and_zero_distances_take_all():
    distances = np.array([[0.5, 4.0, 1.0], [0.0, 2.0, 0.0]])
    assert_allclose(nearest_weights("distance", distances), [[2, 0.25, 1], [1, 0, 1]])
    assert nearest_weights("uniform", distances) is None
    assert nearest_weights(None, distances) is None
    assert_allclose(nearest_weights(lambda d: d + 1, distances), distances + 1)


def test_weights_within_a_radius_are_those_of_each_query():
    assert_allclose(radius_weights("distance", BALLS), [1, 0, 0.25, 0.5, 1])
    assert radius_weights("uniform", BALLS) is None
    greatest = radius_weights(lambda d: d == d.max(), BALLS._replace(offsets=np.array([0, 2, 5])))
    assert_array_equal(greatest, [0, 1, 1, 0, 0])


@pytest.mark.parametrize("weights", [None, np.array([[1.0, 2, 4], [8, 16, 32]])])
def test_votes_add_up_the_weights_of_each_class(weights):
    codes, indices = np.array([0, 2, 2, 1]), np.array([[0, 1, 2], [3, 3, 0]])
    expected = np.zeros((2, 3))
    for query, row in np.ndindex(2, 3):
        expected[query, codes[indices[query, row]]] += 1 if weights is None else weights[query, row]
    assert_array_equal(nearest_votes(codes, indices, weights, 3), expected)


def test_votes_within_a_radius():
    codes = np.array([0, 1, 1, 0])
    assert_array_equal(radius_votes(codes, BALLS, None, 2), [[2, 0], [0, 0], [1, 2]])
    weights = np.array([1.0, 2, 4, 8, 16])
    assert_array_equal(radius_votes(codes, BALLS, weights, 2), [[3, 0], [0, 0], [16, 12]])


def test_rows_without_a_vote_have_proportions_of_zero():
    assert_allclose(proportions(np.array([[1.0, 3.0], [0.0, 0.0]])), [[0.25, 0.75], [0, 0]])


def test_a_query_whose_weights_are_all_zero_is_named():
    check_some_weight("Model", None)
    check_some_weight("Model", np.array([[0.0, 1.0]]))
    with pytest.raises(DataError, match=r"Model: .*zero weights.*query 1"):
        check_some_weight("Model", np.array([[0.0, 1.0], [0.0, 0.0]]))


def test_codes_are_indices_of_classes():
    check_codes(np.array([0, 1]), ["a", "b"], several=False)
    check_codes(np.array([[0, 2], [1, 0]]), [["a", "b"], ["a", "b", "c"]], several=True)
    for codes in ([0, 2], [-1, 0], [0.0, 1.0]):
        with pytest.raises(DataError, match="index of a class"):
            check_codes(np.array(codes), ["a", "b"], several=False)
    with pytest.raises(DataError, match="index of a class"):
        check_codes(np.array([[2, 0], [0, 1]]), [["a", "b"], ["a", "b", "c"]], several=True)
