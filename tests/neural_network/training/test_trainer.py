"""The training loop, with networks whose losses are given."""

import math

import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian.neural_network.mlp.torch_descent import TorchDescent
from gramian.neural_network.mlp.training import PerceptronTraining
from gramian.neural_network.training.schedules import Rate
from gramian.neural_network.training.trainer import (
    EpochResult,
    History,
    Progress,
    StoppingRule,
    Validation,
    train,
)
from gramian.neural_network.training.training import ArrayTraining


class Scripted:
    """A network of given losses; its weight is the number of epochs made."""

    def __init__(self, losses):
        self.losses, self.weight = iter(losses), 0

    def epoch(self, rate):
        loss = next(self.losses)
        self.weight += 1
        return EpochResult(loss, loss, 10, math.isfinite(loss), {"error": rate})

    def save(self):
        return self.weight

    def restore(self, saved):
        self.weight = saved


def run(network, *, rule=None, schedule="constant", **watch):
    history = History()
    rule = rule or StoppingRule(9, 0.0, 2, warns=False)
    return train("Net", network, Rate(schedule, 1.0, max_iter=9), rule, history, **watch), history


def test_training_stops_after_more_epochs_without_improvement_than_the_patience():
    network = Scripted([3.0, 2.0, 2.5, 2.5, 2.5, 1.0])
    found, history = run(network)
    assert (found.epochs, found.best_epoch, found.best_loss, found.loss) == (5, 2, 2.0, 2.5)
    assert network.weight == 5  # without validation rows the last weights are kept
    assert history.curves["loss"] == [3.0, 2.0, 2.5, 2.5, 2.5]
    assert set(history.curves) == {"loss", "error", "learning_rate"}


def test_a_decrease_below_tol_is_no_improvement_but_may_be_the_best():
    progress = Progress(tol=0.5)
    assert progress.add(3.0, 1)
    assert progress.add(2.8, 2)
    assert progress.stalled == 1
    assert not progress.add(2.9, 3)
    assert (progress.best, progress.best_epoch, progress.stalled) == (2.8, 2, 2)


@pytest.mark.parametrize("by_score", [False, True])
def test_validation_decides_when_to_stop_and_which_weights_to_keep(by_score):
    values = iter([3.0, 1.0, 2.0, 4.0, 5.0])
    network = Scripted([5.0, 4.0, 3.0, 2.0, 1.0])

    def validate():
        value = next(values)
        return Validation(0.0, -value) if by_score else Validation(value)

    found, history = run(network, validate=validate)
    assert (found.epochs, found.best_epoch, found.best_monitored) == (5, 2, 1.0)
    assert network.weight == 2
    assert ("validation_score" in history.curves) == by_score


@pytest.mark.parametrize(("by_next_batch", "kept"), [(False, 3), (True, 2)])
def test_divergence_restores_the_best_weights(by_next_batch, kept):
    rule = StoppingRule(9, 0.0, 5, judge_by_next_batch=by_next_batch)
    network = Scripted([1.0, 0.8, 0.5, 0.9, math.nan])
    with pytest.warns(ConvergenceWarning, match=f"not finite in epoch 5; .* epoch {kept}"):
        found, _ = run(network, rule=rule)
    assert network.weight == kept
    assert found.loss == 0.5


def test_a_loss_that_grows_without_bound_is_an_error_if_no_epoch_was_good():
    rule = StoppingRule(9, 0.0, 5, judge_by_next_batch=True)
    with pytest.raises(ValueError, match=r"Net: training diverges: the loss grows .* no epoch"):
        run(Scripted([1.0, 2.0, 1e6]), rule=rule)


def test_the_last_epoch_warns_if_training_still_improves():
    rule = StoppingRule(3, 0.0, 5)
    with pytest.warns(ConvergenceWarning, match="still improves after max_iter=3"):
        run(Scripted([3.0, 2.0, 1.0]), rule=rule)


def test_a_callback_ends_training():
    assert run(Scripted([3.0, 2.0]), after_epoch=lambda: True)[0].epochs == 1


def test_an_adaptive_rate_falls_instead_of_stopping():
    _, history = run(Scripted([1.0] + [2.0] * 8), schedule="adaptive")
    assert history.curves["learning_rate"] == pytest.approx([1.0] * 4 + [0.2] * 3 + [0.04] * 2)


def test_validation_rows_without_a_finite_loss_are_an_error():
    with pytest.raises(ValueError, match="validation rows is not finite in any epoch"):
        run(Scripted([1.0] * 9), validate=lambda: Validation(math.nan))


def test_every_back_end_has_the_methods_of_a_trainable():
    for kind in (PerceptronTraining, ArrayTraining):
        assert all(callable(getattr(kind, name)) for name in ("epoch", "save", "restore"))
    assert callable(TorchDescent.epoch)  # a descent of PerceptronTraining, on a GPU
