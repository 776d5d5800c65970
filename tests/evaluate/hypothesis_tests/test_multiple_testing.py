"""Adjusted p-values: statsmodels' answers, Shaffer's counts, and what must always hold."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import adjust_p_values

P = [0.01, 0.04, 0.03, 0.005, 0.2, 0.5]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("bonferroni", [0.06, 0.24, 0.18, 0.03, 1.0, 1.0]),
        ("holm", [0.05, 0.12, 0.12, 0.03, 0.4, 0.5]),
        ("hochberg", [0.05, 0.12, 0.12, 0.03, 0.4, 0.5]),
        ("benjamini-hochberg", [0.03, 0.06, 0.06, 0.03, 0.24, 0.5]),
        ("none", P),
    ],
)
def test_adjusted_as_in_statsmodels(method, expected):
    """statsmodels 0.15.0, multipletests; Hochberg's there is "simes-hochberg"."""
    assert adjust_p_values(P, method) == pytest.approx(expected)


def test_hochberg_may_reject_where_holm_does_not():
    assert adjust_p_values([0.04, 0.045], "holm").min() == pytest.approx(0.08)
    assert adjust_p_values([0.04, 0.045], "hochberg").max() == pytest.approx(0.045)


def test_shaffer_counts_for_five_models():
    """Of 10 pairs of 5 models, 0, 1, 2, 3, 4, 6 or 10 can be equal at once (Shaffer 1986)."""
    p = np.arange(1, 11) * 1e-6  # so small and even that no cumulated maximum interferes
    factors = adjust_p_values(p, "shaffer") / p
    expected = np.maximum.accumulate(np.array([10, 6, 6, 6, 6, 4, 4, 3, 2, 1]) * p) / p
    assert factors == pytest.approx(expected)


def test_shaffer_needs_all_pairs():
    with pytest.raises(DataError, match=r"all pairs of k models.*got 4; use 'holm'"):
        adjust_p_values([0.1] * 4, "shaffer")
    assert adjust_p_values([0.04], "shaffer") == pytest.approx([0.04])


@settings(deadline=None)
@given(st.integers(2, 5).flatmap(
    lambda k: st.lists(st.floats(0, 1), min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2)
))  # fmt: skip
def test_the_order_of_power(p):
    """Unadjusted <= BH <= Hochberg <= Holm <= Bonferroni, and Shaffer <= Holm; order is kept."""
    names = ("none", "benjamini-hochberg", "hochberg", "holm", "bonferroni")
    found = [adjust_p_values(p, name) for name in names]
    for weaker, stronger in pairwise(found):
        assert (weaker <= stronger + 1e-15).all()
    shaffer = adjust_p_values(p, "shaffer")
    assert (shaffer <= found[3] + 1e-15).all()
    order = np.argsort(p, kind="stable")
    assert all((np.diff(adjusted[order]) >= 0).all() for adjusted in (*found, shaffer))


def test_bad_input_says_what_must_hold():
    with pytest.raises(DataError, match="between 0 and 1"):
        adjust_p_values([0.1, 1.2])
    with pytest.raises(ParameterError, match="method must be one of 'holm'"):
        adjust_p_values([0.1], "fdr")
    assert adjust_p_values([]).shape == (0,)
