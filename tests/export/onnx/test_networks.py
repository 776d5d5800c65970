"""Networks as ONNX models: the runtime predicts as the model does."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import to_onnx
from gramian.neural_network import (
    Autoencoder,
    BatchNorm,
    Conv,
    ConvClassifier,
    ConvRegressor,
    Dense,
    Dropout,
    FilterBank,
    LocallyConnected,
    Pool,
    StackedDenoisingAutoencoder,
    StackedDenoisingClassifier,
)

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def run(model, X):
    session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": X.astype(np.float32)}), strict=True))


NETWORKS = {
    "image": ((7, 6, 2), [Conv(3, 3, padding="same"), BatchNorm(), Pool(2), Dense(5, "tanh")]),
    "odd padding": ((7, 6, 1), [Conv(3, 4, stride=2, padding="same", activation="sigmoid")]),
    "bank": ((6, 6, 2), [FilterBank("corners", "relu"), Dropout(0.5), Dense(4), BatchNorm()]),
    "local": ((6, 5, 2), [LocallyConnected(2, 3, stride=2, padding="same"), Pool(2, "average")]),
    "signal": ((9, 2), [Conv(3, 3), BatchNorm(), LocallyConnected(2, 3), Pool(2)]),
    "signal bank": ((9, 1), [FilterBank("derivatives"), Conv(2, 2, padding="same")]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_classes_of_a_convolutional_network(name, rng):
    shape, layers = NETWORKS[name]
    X = rng.normal(size=(30, int(np.prod(shape)))).astype(np.float32)
    y = np.array(["ash", "birch", "cedar"])[rng.integers(3, size=30)]
    model = ConvClassifier(layers, input_shape=shape, max_iter=3, random_state=0).fit(X, y)
    found = run(model, X)
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-5)
    np.testing.assert_array_equal(found["label"], model.predict(X))


def test_targets_after_a_scaler(rng):
    X = rng.normal(5.0, 3.0, size=(40, 8))
    Y = np.column_stack([X[:, 0], X[:, 1] ** 2])
    model = make_pipeline(StandardScaler(), ConvRegressor([Conv(3, 3)], max_iter=3)).fit(X, Y)
    np.testing.assert_allclose(run(model, X)["variable"], model.predict(X), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("model", [Autoencoder(3), StackedDenoisingAutoencoder((4, 2))])
def test_codes_of_an_autoencoder(model, rng):
    X = rng.random((30, 6)).astype(np.float32)
    model.set_params(max_iter=2).fit(X)
    np.testing.assert_allclose(run(model, X)["variable"], model.transform(X), atol=1e-5)


def test_classes_of_a_stack(rng):
    X, y = rng.random((30, 6)).astype(np.float32), rng.integers(2, size=30)
    model = StackedDenoisingClassifier((5, 4), pretrain_iter=2, max_iter=3).fit(X, y)
    found = run(model, X)
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-5)
    np.testing.assert_array_equal(found["label"], model.predict(X))
