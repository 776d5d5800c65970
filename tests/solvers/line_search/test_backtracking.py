"""Backtracking."""

from hypothesis import given
from hypothesis import strategies as st

from gramian.solvers import Backtracking
from tests.solvers.line_search.line_search_data import line


@given(first=st.floats(1e-3, 100))
def test_backtracking_takes_the_first_half_with_enough_decrease(first):
    along = line(lambda a: (a - 1) ** 2, lambda a: 2 * (a - 1))
    a = Backtracking(c1=1e-4).find(along, first)
    enough = lambda a: (a - 1) ** 2 <= 1 - 2e-4 * a  # noqa: E731
    assert enough(a)
    assert a == first or not enough(2 * a)
