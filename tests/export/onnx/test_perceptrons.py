"""Multi-layer perceptrons answer in ONNX Runtime as in Python."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import MLPClassifier, MLPRegressor, to_onnx
from gramian.base.errors import DataError
from tests.export.onnx.tables import answers

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the answers")
pytestmark = pytest.mark.filterwarnings("ignore:.*not converged")

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 4))
SETTINGS = {"hidden_layer_sizes": (7, 5), "max_iter": 10, "random_state": 0}


def in_onnx(model):
    return answers(to_onnx(model, dtype="float64"), {"X": X})


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("classes", [1, 2, 4])
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_classes_and_probabilities_are_the_same(classes, activation, batch_norm):
    y = np.array(list("abcd"))[rng.integers(0, classes, 80)]
    model = MLPClassifier(activation=activation, batch_norm=batch_norm, **SETTINGS).fit(X, y)
    found = in_onnx(model)
    assert_array_equal(found["label"], model.predict(X))
    assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_numbers_are_the_same(loss):
    Y = rng.poisson(2.0, size=(80, 2))
    model = MLPRegressor(loss, **SETTINGS).fit(X, Y)
    assert_allclose(in_onnx(model)["variable"], model.predict(X), rtol=1e-6, atol=1e-6)


def test_several_labels_are_refused():
    model = MLPClassifier(**SETTINGS).fit(X, rng.integers(0, 2, size=(80, 3)))
    with pytest.raises(DataError, match="several labels"):
        to_onnx(model)
