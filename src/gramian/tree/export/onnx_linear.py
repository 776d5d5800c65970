"""Oblique trees and model trees in ONNX: matrix products before or after the tree.

Adds operators before or after the graph of the tree.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import need


def with_projections(model: Any, estimator: Any, dtype: str) -> Any:
    """Return the model of an oblique tree, given that of its tree over projections in doubles.

    Rows are projected in float64, as `predict` does; conics add squares and products of the
    columns.
    """
    graph, d = _Surroundings(model), estimator.n_features_in_
    doubles = graph.op("Cast", "X", to=graph.onnx.TensorProto.DOUBLE)
    rows = graph.filled(estimator, doubles, "float64")
    if estimator.shape == "quadratic":
        first, second = np.triu_indices(d)  # the order of PolynomialFeatures
        factors = (
            graph.op("Gather", rows, graph.constant(name, columns.astype(np.int64)), axis=1)
            for name, columns in (("first", first), ("second", second))
        )
        rows = graph.op("Concat", rows, graph.op("Mul", *factors), axis=1)
    W = graph.constant("directions", np.ascontiguousarray(estimator.directions_.T))
    graph.op("MatMul", rows, W, name="projections")
    return graph.before(d, dtype, "projections")


def with_linear_leaves(model: Any, estimator: Any, dtype: str) -> Any:
    """Return the model of a model tree, given that of a tree whose leaves hold coefficients."""
    graph, d = _Surroundings(model), estimator.n_features_in_
    filled = graph.filled(estimator, "X", dtype)
    graph.before(d, dtype, filled)
    spans = (("slopes", np.arange(d)), ("constant", np.array([d])))
    slopes, constant = (
        graph.op("Gather", "coefficients", graph.constant(name, columns), axis=1)
        for name, columns in spans
    )
    rows = graph.op("Cast", filled, to=graph.onnx.TensorProto.FLOAT)
    terms = graph.op("Mul", rows, slopes)
    along = graph.op("ReduceSum", terms, graph.constant("columns", np.array([1])), keepdims=1)
    graph.op("Add", along, constant, name="variable")
    return graph.behind("coefficients")


class _Surroundings:
    """Operators to add before or after those of a model."""

    def __init__(self, model: Any) -> None:
        self.onnx = need("onnx", extra="onnx")
        self.model = model
        self.nodes: list[Any] = []
        self.count = 0

    def op(self, kind: str, *inputs: str, name: str = "", **settings: Any) -> str:
        self.count += 1
        name = name or f"around_{kind.lower()}_{self.count}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **settings))
        return name

    def constant(self, name: str, array: npt.NDArray[Any]) -> str:
        self.model.graph.initializer.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def filled(self, estimator: Any, rows: str, dtype: str) -> str:
        """Replace missing values by the training means."""
        means = self.constant("means", estimator._means.astype(dtype))
        return self.op("Where", self.op("IsNaN", rows), means, rows)

    def before(self, n_features: int, dtype: str, result: str) -> Any:
        """Add the operators at the start: the model reads `result` in place of X."""
        graph = self.model.graph
        for node in graph.node:
            node.input[:] = [result if name == "X" else name for name in node.input]
        nodes = [*self.nodes, *graph.node]
        self.nodes = []
        del graph.node[:], graph.input[:]
        graph.node.extend(nodes)
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        rows = self.onnx.helper.make_tensor_value_info("X", kind, [None, n_features])
        graph.input.append(rows)
        self.onnx.checker.check_model(self.model)
        return self.model

    def behind(self, given: str) -> Any:
        """Add the operators at the end: the model's ``variable`` is their input `given`."""
        graph = self.model.graph
        for node in graph.node:
            node.output[:] = [given if name == "variable" else name for name in node.output]
        graph.node.extend(self.nodes)
        self.onnx.checker.check_model(self.model)
        return self.model
