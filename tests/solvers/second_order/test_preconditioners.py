"""Approximate inverse Hessians from the bound of the curvature and from a sample."""

import numpy as np
import pytest

from gramian.objectives import Logistic, Softmax
from gramian.solvers.second_order.preconditioners import (
    bound_preconditioner,
    hessian_preconditioner,
    sample_of,
)
from tests.solvers.second_order.weighted_problem import problem


@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_bound_is_above_the_hessian(loss, rng):
    """v' H(x) v <= v' B v for all x and v: Boehning 1992."""
    full = problem(loss, n=50)
    inverse = bound_preconditioner(full)
    for _ in range(20):
        H = full.hessian(rng.normal(size=full.size))
        g = H @ rng.normal(size=full.size)
        # H <= B is, on the range of H, H B^-1 H <= H
        assert g @ inverse(g) <= g @ np.linalg.lstsq(H, g)[0] * (1 + 1e-6)


def test_preconditioner_of_a_singular_hessian(rng):
    H = np.diag([1.0, 4.0, 0.0])
    np.testing.assert_allclose(
        hessian_preconditioner(H)(np.array([1.0, 4.0, 0.0])), [1, 1, 0], atol=1e-8
    )


def test_the_sample_is_the_same_at_every_call():
    rows = sample_of(1000, 50)
    np.testing.assert_array_equal(rows, sample_of(1000, 50))
    assert (np.diff(rows) >= 0).all()
    assert rows.min() >= 0
    assert rows.max() < 1000
