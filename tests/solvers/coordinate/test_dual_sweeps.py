"""Dual sweeps: where they end, the bias, warm starts and shrinking.

The native steps are tested in tests/native/test_sweep.py.
"""

import numpy as np
import pytest

from gramian.solvers.coordinate.dual_sweeps import DualSweeps, squared_norms
from gramian.textbook.optimization import smo
from tests.solvers.problems import labelled_rows

C = 0.5


def machine(X, y, **settings):
    return DualSweeps(X, "box", y, np.minimum(C * y, 0), np.maximum(C * y, 0), **settings)


def test_a_free_bias_ends_at_the_dual_of_the_support_vector_machine():
    X, y = labelled_rows()
    found = machine(X, y, ones=1.0)
    converged, violation = found.converge(1e-9, 100_000, free_bias=True)
    exact = smo(X @ X.T, y, C, tol=1e-9)
    assert converged
    assert violation <= 1e-9
    np.testing.assert_allclose(found.w[:-1], (exact.alpha * y) @ X, atol=1e-6)
    assert found.bias == pytest.approx(exact.b, abs=1e-6)
    assert found.beta.sum() == pytest.approx(0, abs=1e-8)


def test_a_column_of_ones_penalises_the_bias():
    """It is the machine without a bias on the extended rows."""
    X, y = labelled_rows()
    by_ones = machine(X, y, ones=2.0)
    by_column = machine(np.column_stack([X, np.full(len(X), 2.0)]), y)
    for one in (by_ones, by_column):
        assert one.converge(1e-10, 100_000)[0]
    np.testing.assert_allclose(by_ones.w, by_column.w[:-1], atol=1e-7)
    assert by_ones.bias == pytest.approx(2 * by_ones.w[-1])


def test_a_start_sets_the_weights_that_belong_to_it():
    X, y = labelled_rows()
    first = machine(X, y, ones=1.0)
    assert first.converge(1e-9, 100_000)[0]
    again = machine(X, y, ones=1.0)
    again.start(first.beta)
    np.testing.assert_allclose(again.w, first.w, atol=1e-12)
    assert again.sweep()[0] <= 1e-6


def test_rows_without_room_are_not_visited_and_few_sweeps_do_not_converge():
    X, y = labelled_rows()
    weights = np.where(np.arange(len(y)) < 5, 0.0, C)
    found = DualSweeps(X, "box", y, np.minimum(weights * y, 0), np.maximum(weights * y, 0))
    assert found.converge(1e-12, 2) == (False, pytest.approx(found.sweep()[0], rel=10))
    assert (found.beta[:5] == 0).all()
    assert found.sweeps == 3


def test_squared_norms_of_rows(rng):
    X = rng.normal(size=(5, 3))
    np.testing.assert_allclose(squared_norms(X), (X**2).sum(axis=1))
