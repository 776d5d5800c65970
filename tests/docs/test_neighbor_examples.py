"""The gallery of neighbours runs, and what its texts claim holds."""

from itertools import pairwise

import numpy as np
import pytest

from tests.docs.test_examples import run


@pytest.mark.slow
def test_greedy_descent_misses_what_the_others_find():
    found = run("plot_kdtree_watched")
    greedy, overlap, best = (found["answers"][m] for m in ("greedy", "overlap", "best_first"))
    assert greedy.distances[0] > 2 * best.distances[0]
    assert overlap.distances[0] == best.distances[0]
    assert best.n_boxes < overlap.n_boxes
    assert found["failures"][0] < 0.3 < 0.6 < found["failures"][-1]
    assert found["measured"]["sphere"] == 500
    assert found["measured"]["normal"] < 100


@pytest.mark.slow
def test_cells_are_found_in_the_plane_and_in_space():
    found = run("plot_voronoi")
    assert found["right"] == 1
    assert all(found["inside"])


@pytest.mark.slow
def test_structure_is_found_in_few_buckets_and_noise_is_not():
    found = run("plot_lsh")
    for name in ("8 hidden variables", "noise"):
        assert all(more >= less for less, more in pairwise(found["recall"][name]))
        assert all(more >= less for less, more in pairwise(found["proportion"][name]))
    # At 64 buckets structure finds far more than noise does.
    assert found["recall"]["8 hidden variables"][2] > 0.9 > 0.6 > found["recall"]["noise"][2]
    assert found["alone"]["8 hidden variables"].n_candidates_ < 1000
    assert found["alone"]["noise"].n_probes_ is None
    assert np.allclose(found["agree"], 1 - found["angles"] / np.pi, atol=0.02)


def test_pictures_are_recognised_by_their_neighbours():
    found = run("plot_retrieval")
    assert found["accuracy"][-1] > 0.98 > found["accuracy"][0]
    assert found["right"][1] > found["right"][120] > 0.9
    assert np.median(found["off"][1]) < np.median(found["off"][120])


@pytest.mark.slow
def test_bagging_helps_trees_and_not_neighbours():
    errors = run("plot_bagged_neighbors")["errors"]
    for name in ("1 neighbour", "5 neighbours"):
        assert errors[name, "bagged"] > errors[name, "alone"] - 0.005
        assert errors[name, "bagged, 10%"] > errors[name, "alone"] + 0.01
    assert errors["tree", "bagged"] < errors["tree", "alone"] / 2


def test_a_higher_degree_fits_better_and_at_last_predicts_worse():
    found = run("plot_polynomial_degrees")
    assert found["train"][-1] < found["train"][0] / 2
    assert np.argmin(found["test"]) == found["degrees"].index(3)
    assert found["test"][-1] > 2 * min(found["test"])
