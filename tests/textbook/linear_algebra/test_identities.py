"""Both sides of identities are equal, and where they need not be they are not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.linear_algebra import (
    determinant_lemma,
    product_rules,
    push_through,
    spectral_rules,
    trace_cycle,
    woodbury,
)


@pytest.mark.parametrize("sizes", [(4,), (2, 3), (2, 3, 4), (3, 3, 3, 3)])
def test_traces_of_a_cycle_are_equal(rng, sizes):
    factors = [rng.normal(size=(a, b)) for a, b in zip(sizes, [*sizes[1:], sizes[0]], strict=True)]
    traces = trace_cycle(*factors)
    product = factors[0]
    for factor in factors[1:]:
        product = product @ factor
    assert traces.shape == (len(sizes),)
    assert_allclose(traces, np.trace(product))


def test_the_reversed_order_has_another_trace(rng):
    a, b, c = rng.normal(size=(3, 3, 3))
    assert abs(trace_cycle(a, b, c)[0] - trace_cycle(c, b, a)[0]) > 1e-3  # a common misprint


def test_products(rng):
    a, b = rng.normal(size=(2, 4, 4))
    rules = product_rules(a, b)
    assert_allclose(rules.trace.left, np.trace(a @ b))
    assert_allclose(rules.determinant.left, np.linalg.det(a @ b))
    assert_allclose(rules.inverse.left @ a @ b, np.eye(4), atol=1e-10)
    for sides in rules:
        assert sides.difference < 1e-10
    assert not np.allclose(rules.inverse.left, np.linalg.inv(a) @ np.linalg.inv(b))


def test_eigenvalues_give_trace_and_determinant(rng):
    for matrix in (rng.normal(size=(5, 5)), [[0.0, -1.0], [1.0, 0.0]]):  # with complex pairs
        rules = spectral_rules(matrix)
        assert_allclose(rules.trace.left, np.trace(matrix))
        assert rules.trace.difference < 1e-10
        assert rules.determinant.difference < 1e-10


@pytest.mark.parametrize("k", [1, 2, 7])
def test_determinant_of_an_update(rng, k):
    u, v = rng.normal(size=(2, 5, k))
    sides = determinant_lemma(rng.normal(size=(5, 5)), u, v)
    assert sides.difference < 1e-8
    sylvester = determinant_lemma(np.eye(5), u, v)
    assert_allclose(sylvester.left, np.linalg.det(np.eye(k) + v.T @ u))


@pytest.mark.parametrize("k", [1, 3, 6])
def test_inverse_of_an_update(rng, k):
    a, c = rng.normal(size=(5, 5)) + 5 * np.eye(5), np.eye(k) + 0.1 * rng.normal(size=(k, k))
    u, v = rng.normal(size=(5, k)), rng.normal(size=(k, 5))
    sides = woodbury(a, u, c, v)
    assert_allclose(sides.left @ (a + u @ c @ v), np.eye(5), atol=1e-9)
    assert sides.difference < 1e-8


def test_woodbury_follows_from_pushing_through(rng):
    """(P^-1 + B^T R^-1 B)^-1 = P - P B^T (B P B^T + R)^-1 B P."""
    B, P, R = rng.normal(size=(2, 4)), np.diag([1.0, 2.0, 3.0, 4.0]), np.diag([0.5, 2.0])
    left = woodbury(np.linalg.inv(P), B.T, np.linalg.inv(R), B).left
    assert_allclose(left, P - push_through(P, B, R) @ B @ P)


def test_bad_matrices_are_refused():
    with pytest.raises(ValueError, match="as many columns as the next one has rows"):
        trace_cycle(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="at least one matrix"):
        trace_cycle()
    with pytest.raises(ValueError, match="A must be square"):
        spectral_rules(np.ones((2, 3)))
    with pytest.raises(ValueError, match="must have the same size"):
        product_rules(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="singular"):
        product_rules(np.zeros((2, 2)), np.eye(2))
    with pytest.raises(ValueError, match="U and V must have the same shape with 2 rows"):
        determinant_lemma(np.eye(2), np.ones((3, 1)), np.ones((3, 1)))
    with pytest.raises(ValueError, match=r"U must have shape \(2, 1\)"):
        woodbury(np.eye(2), np.ones((2, 2)), [[1.0]], np.ones((1, 2)))
