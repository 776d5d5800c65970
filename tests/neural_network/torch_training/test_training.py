"""The loop: batches, schedules, stopping, the weights that are kept."""

import math

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian.neural_network.torch_training.tensors import generator_of
from gramian.neural_network.torch_training.training import History, Settings, batches, train

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def slope_of(weights, target=0.0):
    """The loss (w - target)^2 / 2, whatever the rows are."""

    def backward(rows):
        loss = (weights["w.weight"] - target).square().sum() / 2
        loss.backward()
        return loss

    return backward


def one_weight(value=1.0):
    return {"w.weight": torch.tensor([value], dtype=torch.float64)}


def test_batches_are_a_permutation_of_all_rows():
    settings = Settings(batch_size=4)
    found = list(batches(10, settings, generator_of(0)))
    assert [len(b) for b in found] == [4, 4, 2]
    assert sorted(torch.cat(found).tolist()) == list(range(10))
    again = list(batches(10, settings, generator_of(0)))
    assert all(torch.equal(a, b) for a, b in zip(found, again, strict=True))


def test_a_rest_too_small_joins_the_last_batch():
    settings = Settings(batch_size=4, least_batch=2)
    assert [len(b) for b in batches(9, settings, generator_of(0))] == [4, 5]
    assert [len(b) for b in batches(1, settings, generator_of(0))] == [1]


def test_sgd_is_gradient_descent_with_momentum():
    """v <- mu v + g, w <- w - eta v."""
    weights = one_weight()
    settings = Settings(
        solver="sgd", learning_rate_init=0.1, momentum=0.5, batch_size=1, max_iter=3, alpha=0.2
    )
    train("Net", weights, slope_of(weights), 1, settings, generator_of(0))
    w, v = 1.0, 0.0
    for _ in range(3):
        v = 0.5 * v + (w + 0.2 * w)
        w -= 0.1 * v
    assert weights["w.weight"].item() == pytest.approx(w)


def test_adam_takes_steps_of_the_rate_at_first():
    weights = one_weight()
    settings = Settings(learning_rate_init=0.01, batch_size=1, max_iter=1)
    train("Net", weights, slope_of(weights), 1, settings, generator_of(0))
    assert weights["w.weight"].item() == pytest.approx(0.99, rel=1e-6)


def test_a_cosine_lowers_the_rate_to_zero():
    """The steps of plain gradients on a line add up to the sum of the rates."""
    weights = one_weight(0.0)

    def backward(rows):
        loss = -weights["w.weight"].sum() + 10
        loss.backward()
        return loss

    settings = Settings(
        solver="sgd", momentum=0.0, learning_rate="cosine", learning_rate_init=1.0, batch_size=1,
        max_iter=4, n_iter_no_change=None,
    )  # fmt: skip
    train("Net", weights, backward, 1, settings, generator_of(0))
    rates = [0.5 * (1 + math.cos(math.pi * e / 4)) for e in range(4)]
    assert weights["w.weight"].item() == pytest.approx(sum(rates))


def test_training_ends_when_the_loss_rests():
    weights = one_weight(0.0)
    settings = Settings(batch_size=1, n_iter_no_change=3)
    history = train("Net", weights, slope_of(weights), 1, settings, generator_of(0))
    assert len(history.losses) == 4
    settings = Settings(batch_size=1, n_iter_no_change=None, max_iter=7)
    assert len(train("Net", weights, slope_of(weights), 1, settings, generator_of(0)).losses) == 7


def test_the_weights_of_the_best_held_out_epoch_are_kept():
    weights, losses = one_weight(), iter([3.0, 1.0, 2.0, 4.0])
    seen = []

    def held_out():
        seen.append(weights["w.weight"].item())
        return next(losses)

    settings = Settings(batch_size=1, max_iter=4, n_iter_no_change=None)
    history = train(
        "Net", weights, slope_of(weights), 1, settings, generator_of(0), held_out=held_out
    )
    assert history.best_epoch == 2
    assert weights["w.weight"].item() == seen[1]


def with_losses(weights, losses):
    """Losses as given, and steps of 1 down."""
    given = iter(losses)

    def backward(rows):
        weights["w.weight"].sum().backward()
        return torch.tensor(next(given), dtype=torch.float64)

    return backward


SGD = {"solver": "sgd", "momentum": 0.0, "learning_rate_init": 1.0}


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e6])
def test_a_later_divergence_keeps_the_best_epoch(bad):
    """The loss at the start of epoch 3 is the least: after two epochs the weight was 1 - 2."""
    weights = one_weight()
    backward = with_losses(weights, [1.0, 0.8, 0.5, 0.9, bad])
    settings = Settings(**SGD, batch_size=1, max_iter=9)
    with pytest.warns(ConvergenceWarning, match=r"Net: .* in epoch 5; .* epoch 2 are kept. .*low"):
        history = train("Net", weights, backward, 1, settings, generator_of(0))
    assert len(history.losses) == 4
    assert weights["w.weight"].item() == -1.0


@pytest.mark.parametrize("losses", [[1.0, math.nan], [1.0, 1.5, math.inf], [math.nan]])
def test_divergence_from_the_start_is_an_error_with_advice(losses):
    weights = one_weight()
    settings = Settings(**SGD, batch_size=1)
    with pytest.raises(
        ValueError, match=r"^Net: the training diverges.*no epoch.*; lower learning"
    ):
        train("Net", weights, with_losses(weights, losses), 1, settings, generator_of(0))


def test_weights_that_overflow_in_the_last_step_are_not_returned():
    weights = one_weight(1e308)

    def backward(rows):
        (weights["w.weight"] * -1e308).sum().backward()
        return torch.tensor(1.0)

    settings = Settings(solver="sgd", learning_rate_init=10.0, batch_size=1, max_iter=1)
    with pytest.raises(ValueError, match="diverges"):
        train("Net", weights, backward, 1, settings, generator_of(0))
    assert not weights["w.weight"].requires_grad


def test_a_callback_stops_after_its_epoch():
    weights = one_weight()
    settings = Settings(batch_size=1, max_iter=9)
    history = train(
        "Net", weights, slope_of(weights), 1, settings, generator_of(0), after_epoch=lambda: True
    )
    assert len(history.losses) == 1


def test_history_counts_what_is_no_improvement():
    history = History()
    assert history.add(3.0, None, 0.5)
    assert history.add(2.8, None, 0.5)  # less, but by less than tol
    assert history.waited == 1
    assert not history.add(2.9, None, 0.5)
    assert (history.best, history.best_epoch, history.waited) == (2.8, 2, 2)
    np.testing.assert_allclose(history.losses, [3.0, 2.8, 2.9])
