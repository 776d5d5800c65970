"""Models other than trees as operators of an ONNX graph over a matrix of float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.export.onnx.graph import Graph, Results, onnx_labels
from gramian.export.onnx.networks import (
    codes,
    network_classes,
    network_regression,
    stack_classes,
)
from gramian.export.onnx.perceptrons import mlp_classes, mlp_regression

Converter = Callable[[Graph, Any, str], Results]

_POWERS = {"manhattan": 1.0, "euclidean": 2.0, "chebyshev": np.inf}


# --- linear models -------------------------------------------------------------------------------


def _linear_scores(graph: Graph, model: Any, rows: str) -> str:
    W = np.atleast_2d(model.coef_)
    b = np.broadcast_to(np.ravel(model.intercept_), (len(W),))
    products = graph.op("MatMul", rows, graph.constant(np.ascontiguousarray(W.T)))
    return graph.op("Add", products, graph.constant(b))


def _linear_regression(graph: Graph, model: Any, rows: str) -> Results:
    return Results(variable=_linear_scores(graph, model, rows))


def _log_linear_regression(graph: Graph, model: Any, rows: str) -> Results:
    return Results(variable=graph.op("Exp", _linear_scores(graph, model, rows)))


def _linear_classes(graph: Graph, model: Any, rows: str) -> Results:
    if isinstance(model.classes_, list):
        raise DataError(
            f"to_onnx: {type(model).__name__} has several outputs; export a classifier of one "
            "output at a time."
        )
    return _predicted_classes(graph, _linear_scores(graph, model, rows), model.classes_)


def _predicted_classes(graph: Graph, scores: str, classes: npt.NDArray[Any]) -> Results:
    """Choose the class with the largest score; of two, the second if its score is above 0."""
    labels = onnx_labels(classes)
    if len(classes) == 2:
        column = graph.op("Squeeze", scores, graph.constant([1], np.int64))
        codes = graph.cast(graph.op("Greater", column, graph.constant(0.0)), "int64")
    else:
        codes = graph.op("ArgMax", scores, axis=1, keepdims=0)
    return Results(label=graph.labels(codes, labels), scores=scores, classes=labels)


def _log_odds(graph: Graph, model: Any, rows: str) -> Results:
    """Return the logistic function of the score for two classes, the softmax for more."""
    found = _linear_classes(graph, model, rows)
    scores = str(found.scores)
    if len(model.classes_) == 2:
        both = graph.concatenate([graph.op("Neg", scores), scores])
        proba = graph.op("Sigmoid", both)
    elif getattr(model, "multi_class", "multinomial") == "ovr":
        proba = _to_sum_one(graph, graph.op("Sigmoid", scores))
    else:
        proba = graph.op("Softmax", scores, axis=1)
    return Results(label=found.label, probabilities=proba, classes=found.classes)


def _sgd_classes(graph: Graph, model: Any, rows: str) -> Results:
    found = _linear_classes(graph, model, rows)
    if model.loss != "log_loss":
        return found
    each = graph.op("Sigmoid", str(found.scores))
    if len(model.classes_) == 2:
        proba = graph.concatenate([graph.op("Sub", graph.constant(1.0), each), each])
    else:
        proba = _to_sum_one(graph, each)
    return Results(label=found.label, probabilities=proba, classes=found.classes)


def _to_sum_one(graph: Graph, each: str) -> str:
    axes = graph.constant([1], np.int64)
    return graph.op("Div", each, graph.op("ReduceSum", each, axes, keepdims=1))


# --- Gaussian classes -----------------------------------------------------------------------------


def _gaussian_classes(
    graph: Graph, rows: str, model: Any, offsets: npt.NDArray[Any], means: Any, roots: Any
) -> Results:
    """Choose the class with the largest c_k - |W_k (x - m_k)|^2 / 2; a vector W_k is a diagonal."""
    columns, axes = [], graph.constant([1], np.int64)
    for offset, mean, root in zip(offsets, means, roots, strict=True):
        outside = graph.op("Sub", rows, graph.constant(mean[None, :]))
        if root.ndim == 1:
            scaled = graph.op("Mul", outside, graph.constant(root[None, :]))
        else:
            scaled = graph.op("MatMul", outside, graph.constant(np.ascontiguousarray(root.T)))
        squares = graph.op("ReduceSum", graph.op("Mul", scaled, scaled), axes, keepdims=1)
        halves = graph.op("Mul", squares, graph.constant(-0.5))
        columns.append(graph.op("Add", halves, graph.constant(offset)))
    scores, labels = graph.concatenate(columns), onnx_labels(model.classes_)
    codes = graph.op("ArgMax", scores, axis=1, keepdims=0)
    proba = graph.op("Softmax", scores, axis=1)
    return Results(label=graph.labels(codes, labels), probabilities=proba, classes=labels)


def _gaussian_nb(graph: Graph, model: Any, rows: str) -> Results:
    variances = np.maximum(model.var_, np.finfo(np.float64).tiny)
    with np.errstate(divide="ignore"):
        offsets = np.log(model.class_prior_) - 0.5 * np.log(2 * np.pi * variances).sum(axis=1)
    return _gaussian_classes(graph, rows, model, offsets, model.theta_, 1 / np.sqrt(variances))


def _quadratic_discriminants(graph: Graph, model: Any, rows: str) -> Results:
    roots, _ = model._roots()
    each = np.broadcast_to(roots, (len(model.means_), *roots.shape[1:]))
    return _gaussian_classes(graph, rows, model, model._offsets(), model.means_, each)


# --- neighbours and centres ----------------------------------------------------------------------


def _nearest(graph: Graph, model: Any, rows: str) -> tuple[str, str]:
    """Return distances and indices of the nearest training rows, query by query."""
    known = model.effective_metric_params_.keys() <= {"p"}
    power = _POWERS.get(model.effective_metric_, model.effective_metric_params_.get("p"))
    dense = isinstance(model._fit_X, np.ndarray)
    if not (isinstance(model.effective_metric_, str) and known and dense and power is not None):
        raise DataError(
            f"to_onnx: {type(model).__name__}: the metric {model.effective_metric_!r} cannot be "
            "exported; fit with a Minkowski metric to dense rows."
        )
    info, types = graph.onnx.helper.make_tensor_value_info, graph.onnx.TensorProto
    train, axes = graph.constant(model._fit_X), graph.constant([1], np.int64)
    k = graph.constant([model.n_neighbors], np.int64)
    body = Graph()
    body._used_names = graph._used_names  # tensors of the outer graph are visible in the body
    row = graph.unused("row")
    differences = body.op("Abs", body.op("Sub", train, row))
    if power == np.inf:
        lengths = body.op("ReduceMax", differences, axes, keepdims=0)
    elif power == 1:
        lengths = body.op("ReduceSum", differences, axes, keepdims=0)
    else:
        powers = (
            body.op("Mul", differences, differences)
            if power == 2
            else body.op("Pow", differences, graph.constant(power))
        )
        lengths = body.op("ReduceSum", powers, axes, keepdims=0)
    found = body.ops("TopK", lengths, k, n_outputs=2, axis=0, largest=0, sorted=1)
    inner = graph.onnx.helper.make_graph(
        body.nodes,
        "nearest",
        [info(row, types.DOUBLE, [model.n_features_in_])],
        [
            info(found[0], types.DOUBLE, [model.n_neighbors]),
            info(found[1], types.INT64, [model.n_neighbors]),
        ],
    )
    distances, indices = graph.ops("Scan", rows, n_outputs=2, body=inner, num_scan_inputs=1)
    if power == 2:
        distances = graph.op("Sqrt", distances)
    elif power not in (1, np.inf):
        distances = graph.op("Pow", distances, graph.constant(1 / power))
    return distances, indices


def _neighbor_mean(
    graph: Graph, model: Any, rows: str, values: npt.NDArray[Any]
) -> tuple[str, str]:
    """Return the weighted means of the neighbours' values, shape (n, columns)."""
    if model.weights not in (None, "uniform", "distance"):
        raise DataError(
            f"to_onnx: {type(model).__name__}: callable weights cannot be exported; use 'uniform' "
            "or 'distance'."
        )
    distances, indices = _nearest(graph, model, rows)
    each = graph.op("Gather", graph.constant(values), indices, axis=0)  # (n, k, columns)
    zero, one = graph.constant(0.0), graph.constant(1.0)
    if model.weights == "distance":
        same = graph.cast(graph.op("Equal", distances, zero), "float64")
        some = graph.op("ReduceMax", same, graph.constant([1], np.int64), keepdims=1)
        inverse = graph.op("Div", one, distances)
        weights = graph.op("Where", graph.op("Greater", some, zero), same, inverse)
    else:
        weights = graph.op("Add", graph.op("Mul", distances, zero), one)
    weights = graph.op("Unsqueeze", weights, graph.constant([2], np.int64))
    axis = graph.constant([1], np.int64)
    total = graph.op("ReduceSum", graph.op("Mul", each, weights), axis, keepdims=0)
    return total, graph.op("Div", total, graph.op("ReduceSum", weights, axis, keepdims=0))


def _neighbor_classes(graph: Graph, model: Any, rows: str) -> Results:
    if isinstance(model.classes_, list):
        raise DataError(
            "to_onnx: KNeighborsClassifier has several outputs; export a classifier of one output "
            "at a time."
        )
    labels = onnx_labels(model.classes_)
    votes, proba = _neighbor_mean(graph, model, rows, np.eye(len(labels))[np.ravel(model._y)])
    best = graph.op("ArgMax", votes, axis=1, keepdims=0)
    return Results(label=graph.labels(best, labels), probabilities=proba, classes=labels)


def _neighbor_regression(graph: Graph, model: Any, rows: str) -> Results:
    values = np.asarray(model._y, dtype=np.float64).reshape(len(model._fit_X), -1)
    return Results(variable=_neighbor_mean(graph, model, rows, values)[1])


def _clusters(graph: Graph, model: Any, rows: str) -> Results:
    """Choose the nearest centre: the c with the smallest |c|^2 - 2 x c."""
    C = np.asarray(model.cluster_centers_, dtype=np.float64)
    products = graph.op("MatMul", rows, graph.constant(np.ascontiguousarray(-2 * C.T)))
    lengths = graph.op("Add", products, graph.constant((C**2).sum(axis=1)))
    return Results(label=graph.op("ArgMin", lengths, axis=1, keepdims=0))


CONVERTERS: dict[str, Converter] = {
    **dict.fromkeys(
        (
            "ChebyshevRegression", "ElasticNet", "ElasticNetCV", "HuberRegressor", "Lars", "Lasso",
            "LassoCV", "LassoLars", "LeastAbsoluteDeviations", "LinearRegression", "LinearSVR",
            "QuantileRegressor", "Ridge", "RidgeCV", "SGDRegressor",
        ),
        _linear_regression,
    ),
    **dict.fromkeys(
        ("LinearSVC", "Perceptron", "RidgeClassifier", "RidgeClassifierCV"), _linear_classes
    ),
    **dict.fromkeys(
        ("Autoencoder", "DenoisingAutoencoder", "StackedDenoisingAutoencoder"), codes
    ),
    "ConvClassifier": network_classes,
    "ConvRegressor": network_regression,
    "GaussianNB": _gaussian_nb,
    "KMeans": _clusters,
    "KNeighborsClassifier": _neighbor_classes,
    "KNeighborsRegressor": _neighbor_regression,
    "LinearDiscriminantAnalysis": _log_odds,
    "LogisticRegression": _log_odds,
    "LogisticRegressionCV": _log_odds,
    "MLPClassifier": mlp_classes,
    "MLPRegressor": mlp_regression,
    "MiniBatchKMeans": _clusters,
    "PoissonRegressor": _log_linear_regression,
    "QuadraticDiscriminantAnalysis": _quadratic_discriminants,
    "SGDClassifier": _sgd_classes,
    "StackedDenoisingClassifier": stack_classes,
}  # fmt: skip
