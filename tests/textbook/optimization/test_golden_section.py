"""Golden section."""

from gramian.textbook.optimization import GoldenSection
from tests.solvers.line_search.line_search_data import line


def test_golden_section_needs_one_value_an_iteration():
    """62% of the interval is kept at each, so 1e-6 of it needs 29 iterations."""
    calls = []
    along = line(lambda a: calls.append(a) or (a - 0.7) ** 2, lambda a: 2 * (a - 0.7))
    before = len(calls)
    GoldenSection(tol=1e-6).find(along, 1.0)
    assert len(calls) - before <= 29 + 4
