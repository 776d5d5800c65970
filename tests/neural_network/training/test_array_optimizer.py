"""Native steps over named arrays are the printed formulas."""

import numpy as np
import pytest

from gramian import _native
from gramian.neural_network.training.array_optimizer import ArrayOptimizer
from gramian.neural_network.training.training import Settings
from gramian.solvers import Adam, AMSGrad

SIZES = [1, 15, 16, 17, 100]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", [Adam, AMSGrad])
def test_native_steps_match_the_solvers(solver, size, dtype, rng):
    """One Adam: the compiled step and the formula of `gramian.solvers`."""
    rule, name = solver(0.01), solver.__name__.lower()
    x = rng.normal(size=size).astype(dtype)
    expected, memory = x.astype(float), rule._remember(x.astype(float))
    first, second, largest = np.zeros((3, size), dtype=dtype)
    for t in range(5):
        g = rng.normal(size=size).astype(dtype)
        move, memory = rule._move(g.astype(float), memory, t + 1)
        expected = expected + move
        _native.optimizer_step(
            optimizer=name,
            rate=0.01,
            momentum=0.0,
            beta_1=0.9,
            beta_2=0.999,
            epsilon=1e-8,
            decay=0.0,
            t=t,
            parameters=x,
            gradient=g,
            first=first,
            second=second,
            largest=largest,
        )
    np.testing.assert_allclose(x, expected, rtol=0, atol=1e-5 if dtype == np.float32 else 1e-14)


def named(rng):
    return {
        "layer0.weight": rng.normal(size=(3, 4)),
        "layer0.bias": rng.normal(size=3),
        "layer1.running_mean": np.zeros(3),
        "layer1.weight": rng.normal(size=3),
    }


def test_sgd_is_gradient_descent_with_momentum_and_the_penalty_is_on_weights_alone(rng):
    """v <- mu v + g, w <- w - eta v, though eta changes."""
    first = named(rng)
    optimizer = ArrayOptimizer(first, Settings(solver="sgd", momentum=0.5, alpha=0.2))
    assert set(optimizer.gradients) == set(first) - {"layer1.running_mean"}
    expected = {name: array.copy() for name, array in first.items()}
    v = {name: np.zeros_like(array) for name, array in first.items()}
    for rate in (0.1, 0.05, 0.02):
        for name, array in optimizer.gradients.items():
            g = rng.normal(size=array.shape)
            array[...] = g
            v[name] = 0.5 * v[name] + g + (0.2 if "weight" in name else 0.0) * expected[name]
            expected[name] -= rate * v[name]
        optimizer.step(rate)
    for name, array in expected.items():
        np.testing.assert_allclose(optimizer.weights[name], array, atol=1e-14)


def test_an_optimizer_does_not_change_the_arrays_it_gets(rng):
    first = named(rng)
    before = {name: array.copy() for name, array in first.items()}
    optimizer = ArrayOptimizer(first, Settings())
    for array in optimizer.gradients.values():
        array[...] = 1.0
    optimizer.step(0.1)
    for name, array in first.items():
        np.testing.assert_array_equal(array, before[name])


def test_arrays_that_do_not_fit_are_refused():
    arguments = {
        "optimizer": "adam", "rate": 0.1, "momentum": 0.0, "beta_1": 0.9, "beta_2": 0.999,
        "epsilon": 1e-8, "decay": 0.0, "t": 0, "parameters": np.zeros(3), "gradient": np.zeros(3),
        "first": np.zeros(3), "second": np.zeros(3), "largest": None,
    }  # fmt: skip
    _native.optimizer_step(**arguments)
    for wrong, message in (
        ({"gradient": np.zeros(2)}, "one derivative per parameter"),
        ({"second": None}, "the second moments"),
        ({"optimizer": "amsgrad"}, "the largest moments"),
        ({"t": -1}, "counted from 0"),
        ({"optimizer": "newton"}, "no optimiser named newton"),
    ):
        with pytest.raises(ValueError, match=message):
            _native.optimizer_step(**{**arguments, **wrong})
