"""Groups of models of which no two differ."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.evaluate.comparison.groups import maximal_groups


def obvious_groups(alike):
    """Every subset, those without an unlike pair, of them the largest."""
    k = len(alike)
    sets = [
        {i for i in range(k) if code >> i & 1}
        for code in range(1, 1 << k)
        if all(alike[i, j] for i in range(k) for j in range(k)
               if i != j and code >> i & 1 and code >> j & 1)
    ]  # fmt: skip
    return sorted(tuple(sorted(s)) for s in sets if not any(s < other for other in sets))


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**15 - 1))
def test_groups_are_the_maximal_sets_without_a_difference(k, code):
    alike = np.zeros((k, k), dtype=bool)
    for place, (i, j) in enumerate(zip(*np.triu_indices(k, 1), strict=True)):
        alike[i, j] = alike[j, i] = code >> place & 1
    assert maximal_groups(alike) == obvious_groups(alike)
