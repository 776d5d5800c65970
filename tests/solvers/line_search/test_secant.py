"""Secants."""

from gramian.solvers import Secant
from tests.solvers.line_search.line_search_data import line


def test_secants_are_exact_after_one_chord_on_a_parabola():
    calls = []
    along = line(lambda a: (a - 3) ** 2, lambda a: calls.append(a) or 2 * (a - 3))
    Secant(tol=1e-12).find(along, 1.0)
    assert len(calls) == 3  # at 0, at the first step, at the minimum
