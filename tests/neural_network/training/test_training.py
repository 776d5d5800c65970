"""Batches, schedules, stopping, the weights that are kept, for named arrays."""

import math

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian.neural_network.training.array_optimizer import ArrayOptimizer
from gramian.neural_network.training.training import (
    ArrayTraining,
    Settings,
    batches,
    epochs_of,
    row_order,
    train_arrays,
)


def one_weight(settings, value=1.0):
    return ArrayOptimizer({"w.weight": np.array([value])}, settings)


def towards_zero(optimizer):
    """The loss w^2 / 2, whatever the rows are."""

    def gradient(rows):
        w = optimizer.weights["w.weight"]
        optimizer.gradients["w.weight"][:] = w
        return float(w @ w) / 2

    return gradient


def train(optimizer, gradient, settings, **watch):
    epoch = epochs_of(optimizer, gradient, 1, settings, 0)
    return train_arrays("Net", ArrayTraining(optimizer.weights, epoch, 1), settings, **watch)


def test_batches_are_a_permutation_of_all_rows():
    settings = Settings(batch_size=4)
    found = list(batches(row_order(10, 0, 0), settings))
    assert [len(b) for b in found] == [4, 4, 2]
    assert sorted(np.concatenate(found)) == list(range(10))
    np.testing.assert_array_equal(row_order(10, 0, 0), np.concatenate(found))
    assert (row_order(10, 0, 0) != row_order(10, 0, 1)).any()
    assert (row_order(10, 0, 0) != row_order(10, 1, 0)).any()


def test_a_rest_too_small_joins_the_last_batch():
    settings = Settings(batch_size=4, least_batch=2)
    assert [len(b) for b in batches(np.arange(9), settings)] == [4, 5]
    assert [len(b) for b in batches(np.arange(10), settings)] == [4, 4, 2]
    assert [len(b) for b in batches(np.arange(1), settings)] == [1]


def test_adam_takes_steps_of_the_rate_at_first():
    settings = Settings(learning_rate_init=0.01, batch_size=1, max_iter=1)
    optimizer = one_weight(settings)
    train(optimizer, towards_zero(optimizer), settings)
    assert optimizer.weights["w.weight"].item() == pytest.approx(0.99, rel=1e-6)


def test_a_cosine_lowers_the_rate_to_zero():
    """The steps of plain gradients on a line add up to the sum of the rates."""
    settings = Settings(
        solver="sgd", momentum=0.0, learning_rate="cosine", learning_rate_init=1.0, batch_size=1,
        max_iter=4, n_iter_no_change=None,
    )  # fmt: skip
    optimizer = one_weight(settings, 0.0)

    def gradient(rows):
        optimizer.gradients["w.weight"][:] = -1.0
        return 10 - optimizer.weights["w.weight"].item()

    train(optimizer, gradient, settings)
    rates = [0.5 * (1 + math.cos(math.pi * e / 4)) for e in range(4)]
    assert optimizer.weights["w.weight"].item() == pytest.approx(sum(rates))


def test_training_ends_when_the_loss_no_longer_improves():
    settings = Settings(batch_size=1, n_iter_no_change=3)
    optimizer = one_weight(settings, 0.0)
    assert (
        len(train(optimizer, towards_zero(optimizer), settings).training) == 5
    )  # one, and more than 3
    settings = Settings(batch_size=1, n_iter_no_change=None, max_iter=7)
    assert len(train(optimizer, towards_zero(optimizer), settings).training) == 7


def test_the_weights_of_the_best_validation_epoch_are_kept():
    losses, seen = iter([3.0, 1.0, 2.0, 4.0]), []
    settings = Settings(batch_size=1, max_iter=4, n_iter_no_change=None)
    optimizer = one_weight(settings)

    def validation_loss():
        seen.append(optimizer.weights["w.weight"].item())
        return next(losses)

    history = train(optimizer, towards_zero(optimizer), settings, validation_loss=validation_loss)
    assert history.best_epoch == 2
    assert optimizer.weights["w.weight"].item() == seen[1]


def with_losses(optimizer, losses):
    """Losses as given, and steps of 1 down."""
    values = iter(losses)

    def gradient(rows):
        optimizer.gradients["w.weight"][:] = 1.0
        return next(values)

    return gradient


SGD = {"solver": "sgd", "momentum": 0.0, "learning_rate_init": 1.0}


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e6])
def test_a_later_divergence_keeps_the_best_epoch(bad):
    """The loss at the start of epoch 3 is the least: after two epochs the weight was 1 - 2."""
    settings = Settings(**SGD, batch_size=1, max_iter=9)
    optimizer = one_weight(settings)
    gradient = with_losses(optimizer, [1.0, 0.8, 0.5, 0.9, bad])
    with pytest.warns(ConvergenceWarning, match=r"Net: .* in epoch 5; lower .* kept, epoch 2"):
        history = train(optimizer, gradient, settings)
    assert len(history.training) == 4
    assert optimizer.weights["w.weight"].item() == -1.0


@pytest.mark.parametrize("losses", [[1.0, math.nan], [1.0, 1.5, math.inf], [math.nan]])
def test_divergence_from_the_start_is_an_error_with_advice(losses):
    settings = Settings(**SGD, batch_size=1)
    optimizer = one_weight(settings)
    with pytest.raises(ValueError, match=r"^Net: training diverges: .* epoch.*; lower learning"):
        train(optimizer, with_losses(optimizer, losses), settings)


def test_weights_that_overflow_in_the_last_step_are_not_returned():
    settings = Settings(solver="sgd", learning_rate_init=10.0, batch_size=1, max_iter=1)
    optimizer = one_weight(settings, 1e308)

    def gradient(rows):
        optimizer.gradients["w.weight"][:] = -1e308
        return 1.0

    with pytest.raises(ValueError, match="diverges"):
        train(optimizer, gradient, settings)


def test_a_callback_stops_after_its_epoch():
    settings = Settings(batch_size=1, max_iter=9)
    optimizer = one_weight(settings)
    history = train(optimizer, towards_zero(optimizer), settings, after_epoch=lambda: True)
    assert len(history.training) == 1
