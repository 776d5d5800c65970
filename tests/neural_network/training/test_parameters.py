"""From an estimator's parameters to settings of the loop."""

import numpy as np
import pytest

from gramian import Autoencoder, ConvClassifier, StackedDenoisingClassifier
from gramian.neural_network.training.parameters import settings_of


def test_auto_is_two_hundred_rows_or_all():
    assert settings_of(ConvClassifier(), 1000).batch_size == 200
    assert settings_of(ConvClassifier(), 30).batch_size == 30


def test_parameters_and_what_is_set_besides():
    model = ConvClassifier(alpha=0.1, solver="sgd", max_iter=3, batch_size=10)
    settings = settings_of(model, 50, max_iter=7)
    assert (settings.alpha, settings.solver, settings.max_iter) == (0.1, "sgd", 7)


def test_a_batch_larger_than_the_rows_is_clipped():
    with pytest.warns(UserWarning, match=r"batch_size=10 exceeds the 4 rows, .* Lower"):
        assert settings_of(ConvClassifier(batch_size=10), 4).batch_size == 4


@pytest.mark.parametrize(
    "model",
    [ConvClassifier(), Autoencoder(2), StackedDenoisingClassifier((2,), pretrain_iter=1)],
    ids=lambda model: type(model).__name__,
)
def test_the_warning_names_the_line_of_the_user(model):
    model.set_params(batch_size=10, max_iter=1)
    with pytest.warns(UserWarning, match="batch_size=10 exceeds the 4 rows") as found:
        model.fit(np.eye(4), [0, 1, 0, 1])
    assert {warning.filename for warning in found} == {__file__}
