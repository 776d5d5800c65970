"""Each step of the limits shows less than the one before."""

from dataclasses import astuple
from itertools import pairwise

from gramian.report.limits import TIERS, Limits


def test_every_limit_falls_from_step_to_step():
    assert TIERS[0] == Limits()
    for more, less in pairwise(TIERS):
        assert all(a > b >= 1 for a, b in zip(astuple(more), astuple(less), strict=True))
