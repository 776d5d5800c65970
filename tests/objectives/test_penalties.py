"""Penalties: gradients against finite differences, the prox against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.objectives import L1, L2, ElasticNet, Lq, LqBall, numeric_gradient, numeric_hessian

away = st.one_of(st.floats(-3, -0.1), st.floats(0.1, 3))
weights = arrays(float, 3, elements=away)

MATRIX = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]])


SMOOTH = [L2(0.7), L2([1.0, 0.0, 2.0]), L2(MATRIX), Lq(2, 0.6), Lq(3.5, 0.6)]


KINKED = [L1(0.7), L1([1.0, 0.0, 2.0]), ElasticNet(0.8, 0.3), Lq(1, 0.6), Lq(1.5, 0.6)]


@pytest.mark.slow
@pytest.mark.parametrize("penalty", SMOOTH + KINKED + [Lq(0.5, 0.6)], ids=repr)
@given(w=weights)
def test_the_gradient_matches_the_value(penalty, w):
    assert_allclose(penalty.subgradient(w), numeric_gradient(penalty.value, w), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("penalty", SMOOTH, ids=repr)
@given(w=weights, v=weights)
def test_the_hessian_of_a_smooth_penalty(penalty, w, v):
    H = numeric_hessian(penalty.value, w, penalty.subgradient)
    assert_allclose(penalty.hessian(w), H, atol=1e-4)
    assert_allclose(penalty.hessian_product(w, v), penalty.hessian(w) @ v, atol=1e-10)
    assert_allclose(penalty.lipschitz(w), np.linalg.eigvalsh(penalty.hessian(w))[-1])


@pytest.mark.slow
@pytest.mark.parametrize("penalty", SMOOTH + KINKED, ids=repr)
@given(w=arrays(float, 3, elements=st.floats(-3, 3)), t=st.floats(0.01, 3), seed=st.integers(0, 99))
def test_the_prox_is_the_minimum_of_its_definition(penalty, w, t, seed):
    cost = lambda v: penalty.value(v) + ((v - w) ** 2).sum() / (2 * t)  # noqa: E731
    found = penalty.prox(w, t)
    near = np.random.default_rng(seed).normal(scale=[[1e-3], [1.0]], size=(2, 3))
    assert all(cost(found) <= cost(found + d) + 1e-9 for d in near)


@pytest.mark.parametrize("penalty", SMOOTH[:2] + KINKED, ids=repr)
def test_several_outputs_are_a_sum_over_outputs(penalty):
    W = np.array([[1.0, -2.0], [0.5, 0.0], [3.0, 1.0]])
    assert_allclose(penalty.value(W), sum(penalty.value(w) for w in W.T))
    assert_allclose(penalty.subgradient(W), np.stack([penalty.subgradient(w) for w in W.T], axis=1))
    assert_allclose(penalty.prox(W, 0.3), np.stack([penalty.prox(w, 0.3) for w in W.T], axis=1))


def test_a_matrix_penalty_of_several_outputs():
    W = np.array([[1.0, -2.0], [0.5, 0.0], [3.0, 1.0]])
    H = numeric_hessian(lambda w: L2(MATRIX).value(w.reshape(3, 2)), W.reshape(-1))
    assert_allclose(L2(MATRIX).hessian(W), H, atol=1e-5)


def test_the_stated_factors():
    w = np.array([1.0, -2.0])
    assert L2(3.0).value(w) == 7.5  # lambda/2 |w|^2
    assert L1(3.0).value(w) == 9.0
    assert Lq(3, 2.0).value(w) == 9.0  # lambda/2
    assert Lq(2, 3.0).value(w) == L2(3.0).value(w)
    assert ElasticNet(3.0, 1.0).value(w) == L1(3.0).value(w)
    assert ElasticNet(3.0, 0.0).value(w) == L2(3.0).value(w)


def test_what_does_not_exist_says_so():
    assert not Lq(0.5).has_prox
    assert not Lq(0.5).convex
    with pytest.raises(NotImplementedError, match="Lq has no prox"):
        Lq(0.5).prox(np.ones(1), 1.0)
    with pytest.raises(NotImplementedError, match="Lq has no Hessian"):
        Lq(1.5).hessian(np.ones(1))
    with pytest.raises(NotImplementedError, match="L1 has no Hessian"):
        L1().hessian(np.ones(1))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: L2(-1.0), "L2: strength must be >= 0; got -1"),
        (lambda: L2(np.inf), "L2: strength must be finite; got inf"),
        (lambda: L2(np.array([[1.0, 0.0], [0.0, -1.0]])), "positive semidefinite"),
        (lambda: L2(np.ones((2, 3))), "symmetric"),
        (lambda: L1(np.eye(2)), "a number, one per feature"),
        (lambda: L1(np.nan), "L1: strength"),
        (lambda: ElasticNet(1.0, 1.5), r"ratio must be a number in \[0, 1\]; got 1.5"),
        (lambda: ElasticNet([1.0, 2.0]), "a number; got shape"),
        (lambda: Lq(0), "q must be a finite number > 0; got 0"),
        (lambda: Lq(np.inf), "q must be a finite number > 0; got inf"),
        (lambda: LqBall(0.5, 1.0), "q must be a finite number >= 1"),
        (lambda: LqBall(np.inf, 1.0), "q must be a finite number >= 1"),
    ],
)
def test_parameters_are_checked(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("strength", [0.3, [0.1, 0.2, 0.3], np.diag([1.0, 2.0, 3.0])])
def test_the_hessian_is_added_in_place(strength, order):
    """Whatever the order in memory, and only where the penalised weights are."""
    penalty, w = L2(strength), np.ones((3, 2))
    H = np.array(np.arange(64.0).reshape(8, 8), order=order)
    expected = H.copy()
    expected[:6, :6] += penalty.hessian(w)
    penalty.add_hessian(w, H)
    np.testing.assert_allclose(H, expected)
