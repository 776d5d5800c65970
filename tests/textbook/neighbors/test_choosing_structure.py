"""The structure that suits rows and question, and that each answers as an exhaustive search."""

import numpy as np
import pytest

from gramian.neighbors import NearestNeighbors
from gramian.textbook.neighbors import choose_structure

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("shape", "k", "name"),
    [
        ((40, 1), 3, "line"),
        ((12, 2), 1, "voronoi"),
        ((6, 3), 1, "bsp"),
        ((12, 2), 2, "kd_tree"),
        ((3000, 4), 1, "kd_tree"),
        ((2000, 30), 5, "brute"),
        ((300, 90), 1, "brute"),
    ],
)
def test_the_choice_answers_as_an_exhaustive_search(shape, k, name):
    X, queries = RNG.normal(size=shape), RNG.normal(size=(20, shape[1]))
    choice = choose_structure(X, k)
    assert (choice.name, choice.exact) == (name, True)
    assert str(shape[0]) in choice.reason or "one column" in choice.reason
    distances, indices = choice.kneighbors(queries)
    true = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X).kneighbors(queries)
    np.testing.assert_array_equal(indices, true[1])
    np.testing.assert_allclose(distances, true[0], rtol=1e-12)


def test_hashing_is_chosen_where_it_may_miss_and_boxes_fail():
    rng = np.random.default_rng(0)
    groups = rng.normal(size=(2000, 100))[:, None] + 0.3 * rng.normal(size=(2000, 10, 100))
    X = groups.reshape(-1, 100)
    assert choose_structure(X, 5).name == "brute"
    rough = choose_structure(X, 5, exact=False, random_state=0)
    assert (rough.name, rough.exact) == ("lsh", False)
    found = rough.kneighbors(X[::500])[1]
    true = choose_structure(X, 5).kneighbors(X[::500])[1]
    shared = np.mean([len(set(a) & set(b)) for a, b in zip(found, true, strict=True)]) / 5
    assert shared >= 0.8


def test_bad_queries_are_refused():
    with pytest.raises(ValueError, match="choose_structure"):
        choose_structure(np.ones((3, 2)), 4)
    with pytest.raises(ValueError, match="StructureChoice"):
        choose_structure(np.ones((3, 2))).kneighbors([[1.0, 2.0, 3.0]])
