"""Line searches: exact on parabolas, safe elsewhere, their conditions kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import ParameterError
from gramian.objectives import Function
from gramian.solvers import Backtracking, GoldenSection, Iterate, Line, NewtonRaphson, Secant, Wolfe
from gramian.solvers.solver import Stop

EXACT = [Secant(tol=1e-10), NewtonRaphson(tol=1e-10), GoldenSection(tol=1e-7)]
ALL = [*EXACT, Backtracking(), Wolfe()]


def line(f, slope, curvature=None):
    """The line from 0 to the right of a function of one number."""
    problem = Function(
        lambda x: f(x[0]), lambda x: [slope(x[0])], curvature and (lambda x: [[curvature(x[0])]])
    )
    return Line(problem, Iterate(np.zeros(1), f(0.0), np.array([slope(0.0)])), np.ones(1))


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


def test_secants_are_exact_after_one_chord_on_a_parabola():
    calls = []
    along = line(lambda a: (a - 3) ** 2, lambda a: calls.append(a) or 2 * (a - 3))
    Secant(tol=1e-12).find(along, 1.0)
    assert len(calls) == 3  # at 0, at the first step, at the minimum


def test_golden_section_needs_one_value_a_turn():
    """62 % of the interval is kept at each, so 1e-6 of it needs 29 turns."""
    calls = []
    along = line(lambda a: calls.append(a) or (a - 0.7) ** 2, lambda a: 2 * (a - 0.7))
    before = len(calls)
    GoldenSection(tol=1e-6).find(along, 1.0)
    assert len(calls) - before <= 29 + 4


@pytest.mark.parametrize("search", EXACT[:2], ids=repr)
def test_where_the_slope_falls_at_first(search):
    """Concave at 0, so the tangent and the chord point the wrong way."""
    along = line(lambda a: np.cos(a + 0.1), lambda a: -np.sin(a + 0.1), lambda a: -np.cos(a + 0.1))
    assert along.value(search.find(along, 0.5)) == pytest.approx(-1)


@given(first=st.floats(1e-3, 100), minimum=st.floats(0.1, 10), power=st.sampled_from([2, 4]))
def test_wolfe_keeps_both_conditions(first, minimum, power):
    along = line(lambda a: (a - minimum) ** power, lambda a: power * (a - minimum) ** (power - 1))
    a = Wolfe(c1=1e-4, c2=0.9).find(along, first)
    assert along.value(a) <= along.value_at_0 + 1e-4 * a * along.slope_at_0 + 1e-12
    assert along.slope(a) >= 0.9 * along.slope_at_0


@given(first=st.floats(1e-3, 100))
def test_backtracking_takes_the_first_half_with_enough_decrease(first):
    along = line(lambda a: (a - 1) ** 2, lambda a: 2 * (a - 1))
    a = Backtracking(c1=1e-4).find(along, first)
    enough = lambda a: (a - 1) ** 2 <= 1 - 2e-4 * a  # noqa: E731
    assert enough(a)
    assert a == first or not enough(2 * a)


@pytest.mark.parametrize("search", ALL, ids=repr)
def test_a_first_step_that_overflows_is_taken_back(search):
    def f(a):
        return float(np.exp(min(a, 800.0)) - 5 * a)

    along = line(f, lambda a: np.exp(min(a, 800.0)) - 5, lambda a: np.exp(min(a, 800.0)))
    with np.errstate(over="ignore"):
        assert f(search.find(along, 1000.0)) < f(0.0)


@pytest.mark.parametrize("search", ALL, ids=repr)
def test_no_step_lowers_a_function_whose_slope_lies(search):
    along = line(lambda a: a, lambda a: -1.0 if a == 0 else 1.0, lambda a: 1.0)
    with pytest.raises(Stop, match="no step that lowers J"):
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
