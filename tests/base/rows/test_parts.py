"""The merges of a pass."""

import numpy as np

from gramian.base.rows.parts import Parts, add, appended, both, either, largest
from tests.scale.methods import ListParts, pieces


def test_tuples_are_added_place_by_place():
    total = add((1, np.ones(2), (2.0,)), (2, np.ones(2), (3.0,)))
    assert total[0] == 3
    assert total[1].tolist() == [2.0, 2.0]
    assert total[2] == (5.0,)


def test_other_merges():
    assert largest(np.array([1, 5]), np.array([3, 2])).tolist() == [3, 5]
    assert (both(True, False), either(True, False)) == (False, True)
    assert appended([1], [2, 3]) == [1, 2, 3]


def test_what_has_the_methods_is_parts():
    assert isinstance(ListParts(pieces(np.ones((6, 2)))), Parts)
    assert not isinstance([np.ones((6, 2))], Parts)
