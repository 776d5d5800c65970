"""Wolfe's conditions."""

from hypothesis import given
from hypothesis import strategies as st

from gramian.solvers import Wolfe
from tests.solvers.line_search.line_search_data import line


@given(first=st.floats(1e-3, 100), minimum=st.floats(0.1, 10), power=st.sampled_from([2, 4]))
def test_wolfe_keeps_both_conditions(first, minimum, power):
    along = line(lambda a: (a - minimum) ** power, lambda a: power * (a - minimum) ** (power - 1))
    a = Wolfe(c1=1e-4, c2=0.9).find(along, first)
    assert along.value(a) <= along.value_at_0 + 1e-4 * a * along.slope_at_0 + 1e-12
    assert along.slope(a) >= 0.9 * along.slope_at_0
