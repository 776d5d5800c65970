"""Arguments reach our function as theirs would have taken them."""

import pytest

from gramian.accelerate.arguments import UnsupportedArgumentError, convert_arguments


def theirs(self, X, y=None, sample_weight=None, check_input=True):
    """As a method of scikit-learn's."""


def ours(self, X, y=None, *, sample_weight=None):
    """As ours."""


def test_the_same_arguments_pass_unchanged():
    assert convert_arguments(theirs, ours, (1, 2), {}) == ([1, 2], {})


def test_missing_arguments_are_dropped_at_their_default():
    assert convert_arguments(theirs, ours, (1,), {"check_input": True}) == ([1], {})
    with pytest.raises(UnsupportedArgumentError, match="no argument check_input"):
        convert_arguments(theirs, ours, (1,), {"check_input": False})


def test_positions_that_differ_become_names():
    def other(self, y, X):
        """With another order."""

    assert convert_arguments(theirs, other, (1, 2), {}) == ([], {"X": 1, "y": 2})


def test_a_function_of_any_keywords_gets_them_all():
    def anything(self, X, y=None, **params):
        """Routes what it is given."""

    assert convert_arguments(theirs, anything, (1,), {"groups": 3}) == ([1], {"groups": 3})


def test_names_that_differ_in_capitals_only_are_the_same_argument():
    def upper(self, X, Y, **params):
        """As that of a chain of classifiers."""

    def lower(self, X, y, sample_weight=None, **params):
        """As ours."""

    assert convert_arguments(upper, lower, (1, 2), {}) == ([1, 2], {})
    assert convert_arguments(upper, lower, (1,), {"Y": 2}) == ([1], {"y": 2})


def test_names_that_differ_in_capitals_stay_apart_where_one_function_has_both():
    def both(self, X, x=None):
        """Two arguments."""

    assert convert_arguments(both, both, (1,), {"x": 2}) == ([1], {"x": 2})
