"""All line searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import ParameterError
from gramian.solvers import Backtracking, Secant, Wolfe
from gramian.solvers.solver import Stop
from gramian.textbook.optimization import GoldenSection, NewtonRaphson
from tests.solvers.line_search.line_search_data import line

EXACT = [Secant(tol=1e-10), NewtonRaphson(tol=1e-10), GoldenSection(tol=1e-7)]


ALL = [*EXACT, Backtracking(), Wolfe()]


@pytest.mark.parametrize("search", EXACT, ids=repr)
@given(minimum=st.floats(1e-3, 1e3), bend=st.floats(0.1, 10))
def test_the_minimum_of_a_parabola(search, minimum, bend):
    along = line(
        lambda a: bend / 2 * (a - minimum) ** 2, lambda a: bend * (a - minimum), lambda a: bend
    )
    assert search.find(along, 1.0) == pytest.approx(minimum, rel=1e-5)


@pytest.mark.parametrize("search", EXACT, ids=repr)
@given(first=st.floats(0.01, 20))
def test_the_minimum_of_a_curve_that_is_no_parabola(search, first):
    """exp(a) - 5 a has its minimum at ln 5; far right it overflows nothing but grows fast."""
    along = line(lambda a: np.exp(a) - 5 * a, lambda a: np.exp(a) - 5, lambda a: np.exp(a))
    assert search.find(along, first) == pytest.approx(np.log(5), rel=1e-4)


@pytest.mark.parametrize("search", EXACT[:2], ids=repr)
def test_where_the_slope_falls_at_first(search):
    """Concave at 0, so the tangent and the chord point the wrong way."""
    along = line(lambda a: np.cos(a + 0.1), lambda a: -np.sin(a + 0.1), lambda a: -np.cos(a + 0.1))
    assert along.value(search.find(along, 0.5)) == pytest.approx(-1)


@pytest.mark.parametrize("search", ALL, ids=repr)
def test_a_first_step_that_overflows_is_taken_back(search):
    def f(a):
        return float(np.exp(min(a, 800.0)) - 5 * a)

    along = line(f, lambda a: np.exp(min(a, 800.0)) - 5, lambda a: np.exp(min(a, 800.0)))
    with np.errstate(over="ignore"):
        assert f(search.find(along, 1000.0)) < f(0.0)


@pytest.mark.parametrize("search", ALL, ids=repr)
def test_no_step_lowers_a_function_with_a_wrong_slope(search):
    along = line(lambda a: a, lambda a: -1.0 if a == 0 else 1.0, lambda a: 1.0)
    with pytest.raises(Stop, match=r"no step of .* lowers J"):
        search.find(along, 1.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Secant(tol=0.0), "Secant: tol must be a number > 0; got 0.0"),
        (lambda: GoldenSection(max_iter=0), "GoldenSection: max_iter must be an integer >= 1"),
        (lambda: Wolfe(c1=1.5), r"Wolfe: c1 must be a number in \[0, 1\]; got 1.5"),
        (lambda: Backtracking(c1=-1.0), "Backtracking: c1 must be"),
    ],
)
def test_the_fields_are_checked(make, words):
    with pytest.raises(ParameterError, match=words):
        make()
