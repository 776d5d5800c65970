"""Outputs and gradients of the layers of a trained network."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from gramian import MLPClassifier, MLPRegressor
from gramian.textbook.networks import layer_diagnostics
from gramian.textbook.networks.backprop import (
    Node,
    cross_entropy,
    l2_penalty,
    relu,
    sigmoid,
    squared_error,
    tanh,
)

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore:.*not converged")]

rng = np.random.default_rng(0)
X, y = rng.normal(size=(50, 4)), rng.integers(3, size=50)
UNITS = {"logistic": sigmoid, "tanh": tanh, "relu": relu, "identity": lambda x: x}


def graph_of(model):
    """The network as nodes: weights, the outputs of its layers before softmax."""
    weights = [Node(W) for W in model.coefs_]
    layers, h = [], Node(X)
    for k, W in enumerate(weights):
        h = h @ W + model.intercepts_[k]
        h = h if k == len(model.activations_) else UNITS[model.activations_[k]](h)
        layers.append(h)
    return weights, layers


@pytest.mark.parametrize(
    "activation", [["logistic", "tanh"], ["relu", "identity"], ["tanh", "relu"]]
)
@pytest.mark.parametrize("kind", ["classes", "several outputs"])
def test_outputs_and_gradients_agree_with_the_graph(activation, kind):
    """NE-14, against `gramian.textbook.networks.backprop`; the penalty is alpha |W|^2 / 2n."""
    classes = kind == "classes"
    make, targets = (MLPClassifier, y) if classes else (MLPRegressor, X[:, :2])
    model = make(
        hidden_layer_sizes=(6, 5), activation=activation, alpha=0.4, max_iter=3, random_state=0
    ).fit(X, targets)
    weights, layers = graph_of(model)
    outputs = model.layer_outputs(X)
    for found, node in zip(outputs[:-1], layers[:-1], strict=True):
        np.testing.assert_allclose(found, node.value, atol=1e-12)
    predicted = model.predict_proba(X) if classes else model.predict(X)
    np.testing.assert_array_equal(outputs[-1], predicted)
    E = cross_entropy(layers[-1], np.eye(3)[y]) if classes else squared_error(layers[-1], targets)
    (E + l2_penalty(weights, 0.4 / 2 / 50)).backward()
    gradients = model.layer_gradients(X, targets)
    for found, W in zip(gradients, weights, strict=True):
        np.testing.assert_allclose(found, W.gradient, atol=1e-12)
    diagnosed = layer_diagnostics(outputs[:-1], model.activations_, gradients[:-1])
    assert [layer.gradient_norm for layer in diagnosed] == [
        np.linalg.norm(g) for g in gradients[:-1]
    ]


def test_batch_normalisation_is_in_the_outputs():
    model = MLPRegressor(hidden_layer_sizes=(6,), batch_norm=True, max_iter=5, random_state=0)
    hidden, last = model.fit(X, X[:, 0]).layer_outputs(X)
    np.testing.assert_allclose(hidden @ model.coefs_[1] + model.intercepts_[1], last, atol=1e-12)
    assert [g.shape for g in model.layer_gradients(X, X[:, 0])] == [(4, 6), (6, 1)]


def test_single_precision_sparse_rows_weights_and_masks():
    mask = np.ones((4, 3))
    mask[1] = 0
    model = MLPRegressor(hidden_layer_sizes=(3,), masks=[mask, None], max_iter=5, random_state=0)
    rows, k = X.astype(np.float32), rng.integers(3, size=50)
    model.fit(rows, X[:, 0])
    dense, sparse = model.layer_outputs(rows), model.layer_outputs(sp.csr_array(rows))
    for a, b in zip(dense, sparse, strict=True):
        assert a.dtype == b.dtype == np.float32
        np.testing.assert_allclose(a, b, atol=1e-5)
    weighted = model.layer_gradients(rows, X[:, 0], sample_weight=k)
    repeated = model.layer_gradients(np.repeat(rows, k, axis=0), np.repeat(X[:, 0], k))
    np.testing.assert_allclose(weighted[0], repeated[0], atol=1e-5)
    assert not weighted[0][1].any()


def test_what_cannot_be_looked_at_is_refused():
    for call in ("layer_outputs", "layer_gradients"):
        with pytest.raises(NotFittedError):
            getattr(MLPClassifier(), call)(*((X,) if call == "layer_outputs" else (X, y)))
    model = MLPClassifier((3,), max_iter=2).fit(X, y)
    with pytest.raises(ValueError, match="labels that are not in classes_"):
        model.layer_gradients(X, y + 7)
