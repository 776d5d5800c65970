"""Weights of neighbours, votes, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import DataError, ParameterError
from gramian.neighbors.structures.radius_results import NeighborLists
from gramian.neighbors.votes import (
    check_codes,
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
    weights = nearest_weights("Model", "distance", distances, negative=False)
    assert_allclose(weights, [[1, 0.125, 0.5], [1, 0, 1]])
    assert nearest_weights("Model", "uniform", distances, negative=False) is None
    assert nearest_weights("Model", None, distances, negative=False) is None
    weights = nearest_weights("Model", lambda d: d + 1, distances, negative=False)
    assert_allclose(weights / weights[:, :1], (distances + 1) / (distances[:, :1] + 1))


def test_weights_of_a_query_are_scaled_so_that_their_sum_is_finite():
    for d in (1e-308, 3e-20, 1.0, 1e300):
        for weights in ("distance", lambda d: 1 / d, lambda d: -1 / d):
            found = nearest_weights("Model", weights, np.array([[d, 2 * d]]), negative=True)
            assert_allclose(np.abs(found[0, 0] / found[0, 1]), 2)
            assert 1 <= np.abs(found).max() < 2


def test_weights_within_a_radius_match_each_query():
    weights = radius_weights("Model", "distance", BALLS, negative=False)
    assert_allclose(weights, [1, 0, 0.25, 0.5, 1])
    assert radius_weights("Model", "uniform", BALLS, negative=False) is None
    greatest = radius_weights("Model", lambda d: d == d.max(), BALLS, negative=False)
    assert_array_equal(
        greatest, [0, 1, 1, 0, 0]
    )  # of the query without neighbours nothing is asked
    nobody = BALLS._replace(offsets=np.array([0, 0]), indices=np.arange(0), distances=np.empty(0))
    assert radius_weights("Model", np.exp, nobody, negative=False).shape == (0,)


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


def test_a_query_whose_weights_have_no_sum_is_named():
    distances = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    with pytest.raises(DataError, match=r"Model: .*zero weights.*query 1\."):
        nearest_weights("Model", lambda d: d, distances, negative=False)
    with pytest.raises(DataError, match=r"Model: .*sum to zero.*query 2\."):
        nearest_weights("Model", lambda d: d - [[0.0, 0.0], [0, 1], [2, 0]], distances,
                        negative=True)  # fmt: skip
    with pytest.raises(DataError, match=r"Model: .*zero weights.*query 2\."):
        radius_weights("Model", lambda d: d * (d.size == 2), BALLS,
                       negative=False)  # fmt: skip


@pytest.mark.parametrize(
    "answer", [None, "text", 1.0, [1.0, 2.0], [[np.nan, 1.0]], [[np.inf, 1.0]], [[10**400, 1]]]
)
def test_a_function_must_return_one_finite_number_per_distance(answer):
    with pytest.raises(ParameterError, match=r"Model: the function weights must return one finite"):
        nearest_weights("Model", lambda d: answer, np.ones((1, 2)), negative=True)


def test_an_error_of_the_function_is_its_own():
    with pytest.raises(ZeroDivisionError):
        nearest_weights("Model", lambda d: 1 / 0, np.ones((1, 2)), negative=True)


def test_codes_are_indices_of_classes():
    check_codes(np.array([0, 1]), ["a", "b"], several=False)
    check_codes(np.array([[0, 2], [1, 0]]), [["a", "b"], ["a", "b", "c"]], several=True)
    for codes in ([0, 2], [-1, 0], [0.0, 1.0]):
        with pytest.raises(DataError, match="indices of the classes"):
            check_codes(np.array(codes), ["a", "b"], several=False)
    with pytest.raises(DataError, match="indices of the classes"):
        check_codes(np.array([[2, 0], [0, 1]]), [["a", "b"], ["a", "b", "c"]], several=True)
