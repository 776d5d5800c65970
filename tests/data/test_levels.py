"""Levels of a category, their codes and their columns."""

import numpy as np
import pytest

from gramian.data.levels import codes_of, indicators_of, learn_levels


def test_the_most_frequent_levels_are_kept_in_alphabetical_order():
    labels = ["c", "b", "c", None, "a", "b", "c"]
    assert learn_levels(labels, most=3) == (["a", "b", "c"], False)
    assert learn_levels(labels, most=2) == (["b", "c"], True)
    assert learn_levels(["b", "a"], most=1) == (["a"], True)  # ties by the alphabet
    assert learn_levels([None], most=1) == ([], False)


def test_unseen_levels_have_the_next_code_and_missing_ones_none():
    codes = codes_of(["b", "z", None, "a"], ["a", "b"])
    np.testing.assert_array_equal(codes, [1.0, 2.0, np.nan, 0.0])


@pytest.mark.parametrize("other", [True, False])
@pytest.mark.parametrize("missing", [True, False])
def test_every_level_has_a_column(other, missing):
    found = indicators_of(np.array([1.0, 2.0, np.nan, 0.0]), 2, other=other, missing=missing)
    every = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
    kept = [True, True, other, missing]
    np.testing.assert_array_equal(found, every[:, kept])
