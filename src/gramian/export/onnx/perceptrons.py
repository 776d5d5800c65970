"""Multi-layer perceptrons as operators of an ONNX graph."""

from typing import Any

import numpy as np

from gramian.base.errors import DataError
from gramian.export.onnx.graph import Graph, Results, onnx_labels

_ACTIVATIONS = {"logistic": "Sigmoid", "tanh": "Tanh", "relu": "Relu", "exp": "Exp"}


def mlp_regression(graph: Graph, model: Any, rows: str) -> Results:
    """Add a regressor."""
    return Results(variable=_outputs(graph, model, rows))


def mlp_classes(graph: Graph, model: Any, rows: str) -> Results:
    """Add a classifier of one label per row."""
    if model._label_sets:
        raise DataError(
            "to_onnx: MLPClassifier was fitted to rows with several labels; export a classifier "
            "of one label at a time."
        )
    labels = onnx_labels(model.classes_)
    P = _outputs(graph, model, rows)
    if len(labels) == 1:
        P = graph.op("Add", graph.op("Mul", P, graph.constant(0.0)), graph.constant(1.0))
    elif len(labels) == 2:
        P = graph.concatenate([graph.op("Sub", graph.constant(1.0), P), P])
    codes = graph.op("ArgMax", P, axis=1, keepdims=0)
    return Results(label=graph.labels(codes, labels), probabilities=P, classes=labels)


def _outputs(graph: Graph, model: Any, h: str) -> str:
    coefs, intercepts = model.folded_layers()
    names = [*model.activations_, model.out_activation_]
    for W, b, name in zip(coefs, intercepts, names, strict=True):
        product = graph.op("MatMul", h, graph.constant(np.asarray(W, dtype=np.float64)))
        h = graph.op("Add", product, graph.constant(b))
        if name == "softmax":
            h = graph.op("Softmax", h, axis=1)
        elif name in _ACTIVATIONS:
            h = graph.op(_ACTIVATIONS[name], h)
    return h
