"""The gallery of multi-layer perceptrons: what its texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


@pytest.mark.slow
def test_the_cost_of_other_rows_rises_again_where_that_of_training_rows_falls():
    found = run("plot_mlp_training")
    plain = found["models"]["plain"].history_
    best = int(np.argmin(plain["validation_loss"]))
    assert best < 200
    assert plain["validation_loss"][-1] > 1.1 * plain["validation_loss"][best]
    assert plain["loss"][-1] < plain["loss"][best]
    dropped = found["models"]["dropout 0.5"].history_
    assert dropped["validation_loss"][-1] < plain["validation_loss"][-1]


def test_stopping_by_other_rows_ends_early_and_is_no_worse():
    found = run("plot_mlp_training")
    best, last, held = found["best"], found["last"], found["held"]
    assert best.n_iter_ < last.n_iter_ == 300
    score = [model.score(held["X_val"], held["y_val"]) for model in (best, last)]
    assert score[0] >= score[1] - 0.005
