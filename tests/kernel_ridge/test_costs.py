"""Primal or dual, by cost."""

import pytest

from gramian.base.errors import ParameterError
from gramian.kernel_ridge import primal_or_dual
from gramian.kernel_ridge.costs import n_explicit_features
from gramian.kernels import RBF, Linear, Polynomial


def test_the_costs_of_the_textbook():
    """KE-12: O(D^3 + D^2 n) by features, O(n^3 + n^2 d) by rows."""
    costs = primal_or_dual(100, 10)
    assert costs.primal == pytest.approx(10**3 / 3 + 10**2 * 100)
    assert costs.dual == pytest.approx(100**3 / 3 + 100**2 * 10)
    assert costs.cheaper == "primal"
    assert primal_or_dual(10, 100).cheaper == "dual"
    assert primal_or_dual(100, 10, 10_000).cheaper == "dual"


def test_the_number_of_features():
    assert n_explicit_features(Linear(), 7) == 7
    assert n_explicit_features(Polynomial(2), 3) == 10
    assert n_explicit_features(Polynomial(2, coef0=0.0), 3) == 6
    assert n_explicit_features(RBF(), 3) is None
    assert n_explicit_features(Polynomial(2.5), 3) is None


def test_there_must_be_rows():
    with pytest.raises(ParameterError, match="at least 1"):
        primal_or_dual(0, 3)
