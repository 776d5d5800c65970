"""The module that PyTorch gets computes the same scores."""

import numpy as np
import pytest

from gramian.neural_network import (
    BatchNorm,
    Conv,
    ConvClassifier,
    Dense,
    Dropout,
    FilterBank,
    LocallyConnected,
    Pool,
)

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

NETWORKS = {
    "image": ((7, 6, 2), [Conv(3, 3, padding="same"), BatchNorm(), Pool(2), Dense(5, "tanh")]),
    "odd padding": ((7, 6, 1), [Conv(3, 4, stride=2, padding="same", activation="sigmoid")]),
    "bank": ((6, 6, 2), [FilterBank("corners", "relu"), Dropout(0.5), Dense(4), BatchNorm()]),
    "local": ((6, 6, 1), [LocallyConnected(2, 3), Pool(2, "average")]),
    "signal": ((9, 2), [Conv(3, 3), BatchNorm(), LocallyConnected(2, 3), Pool(2)]),
    "signal bank": ((9, 1), [FilterBank("derivatives"), Conv(2, 2, padding="same")]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_the_module_gives_the_scores(name, rng):
    shape, layers = NETWORKS[name]
    X, y = rng.normal(size=(20, int(np.prod(shape)))), rng.integers(3, size=20)
    model = ConvClassifier(layers, input_shape=shape, max_iter=3, random_state=0).fit(X, y)
    images = torch.tensor(np.moveaxis(X.reshape(20, *shape), -1, 1))
    with torch.no_grad():
        scores = model.to_torch()(images)
    np.testing.assert_allclose(scores.numpy(), model.decision_function(X), atol=1e-10)


def test_names_match_the_fitted_weights(rng):
    X, y = rng.normal(size=(20, 12)), rng.integers(2, size=20)
    model = ConvClassifier([Conv(3, 3), BatchNorm()], max_iter=1).fit(X, y)
    state = model.to_torch().state_dict()
    assert set(model.weights_) <= set(state)


def test_the_module_is_a_copy(rng):
    X, y = rng.normal(size=(20, 12)), rng.integers(2, size=20)
    model = ConvClassifier([Dense(3)], max_iter=1, random_state=0).fit(X, y)
    before = model.predict_proba(X)
    with torch.no_grad():
        for parameter in model.to_torch().parameters():
            parameter.zero_()
    np.testing.assert_array_equal(model.predict_proba(X), before)
