"""Export of trees and sums of trees as operators of an ONNX graph.

Categories are codes, a missing value is NaN. ONNX's operator of trees returns float32, so classes
whose probabilities differ by less than 1e-6 may be swapped.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.export.onnx.graph import Graph, Results, onnx_labels
from gramian.export.onnx.tree_nodes import EnsembleNodes
from gramian.export.onnx.tree_proportions import Proportions
from gramian.tree.structure.tree import Tree
from gramian.tree.structure.tree_sum import Link, TreeSum


def is_exported_tree(estimator: Any) -> bool:
    """Return whether `tree_model` can export this estimator: a tree, or a sum of trees."""
    return hasattr(estimator, "_tree_sum") or isinstance(getattr(estimator, "tree_", None), Tree)


def tree_model(graph: Graph, estimator: Any, rows: str, dtype: str) -> Results:
    """Add a fitted tree or sum of trees; its input is the tensor `rows` of type `dtype`."""
    check_is_fitted(estimator)
    summed = hasattr(estimator, "_tree_sum")
    if is_classifier(estimator) and getattr(estimator, "n_outputs_", 1) > 1:
        raise DataError(
            f"to_onnx: {type(estimator).__name__} has {estimator.n_outputs_} outputs; export a "
            "classifier of one output at a time."
        )
    classes = estimator.classes_ if is_classifier(estimator) else None
    link: Link = "identity" if classes is None else "probabilities"
    if summed:
        return add_sum(graph, estimator._tree_sum(), rows, dtype, classes)
    if hasattr(estimator, "directions_"):
        projections = _projections(graph, estimator, rows)
        return add_sum(
            graph, TreeSum([estimator.tree_], link=link), projections, "float64", classes
        )
    if hasattr(estimator, "coef_"):
        return _linear_leaves(graph, estimator, rows, dtype)
    return add_sum(graph, TreeSum([estimator.tree_], link=link), rows, dtype, classes)


def _projections(graph: Graph, estimator: Any, rows: str) -> str:
    """Project the rows on the directions of an oblique tree, in float64 as `predict` does."""
    rows = _impute(graph, estimator, graph.cast(rows, "float64"), "float64")
    if estimator.shape == "quadratic":
        first, second = np.triu_indices(estimator.n_features_in_)  # the order of PolynomialFeatures
        factors = [
            graph.op("Gather", rows, graph.constant(columns, np.int64), axis=1)
            for columns in (first, second)
        ]
        rows = graph.op("Concat", rows, graph.op("Mul", *factors), axis=1)
    return graph.op("MatMul", rows, graph.constant(np.ascontiguousarray(estimator.directions_.T)))


def _linear_leaves(graph: Graph, estimator: Any, rows: str, dtype: str) -> Results:
    """Add a model tree, whose leaves contain the coefficients of linear models."""
    imputed = _impute(graph, estimator, rows, dtype)
    coefficients = np.column_stack([estimator.coef_, estimator.intercept_])
    tree = replace(estimator.tree_, value=coefficients[:, :, np.newaxis])
    leaf_coefficients = str(add_sum(graph, TreeSum([tree]), imputed, dtype, None).variable)
    d = estimator.n_features_in_
    slopes, constant = (
        graph.op("Gather", leaf_coefficients, graph.constant(columns, np.int64), axis=1)
        for columns in (np.arange(d), [d])
    )
    terms = graph.op("Mul", graph.cast(imputed, "float32"), slopes)
    product = graph.op("ReduceSum", terms, graph.constant([1], np.int64), keepdims=1)
    return Results(variable=graph.op("Add", product, constant))


def _impute(graph: Graph, estimator: Any, rows: str, dtype: str) -> str:
    """Replace missing values with the training means."""
    if any(levels is not None for levels in estimator._levels):
        raise DataError(
            f"to_onnx: the categories of a {type(estimator).__name__} cannot be exported; encode "
            "them before the tree, see sklearn.preprocessing.OneHotEncoder."
        )
    means = graph.constant(estimator._means, dtype)
    return graph.op("Where", graph.op("IsNaN", rows), means, rows)


def add_sum(
    graph: Graph, found: TreeSum, rows: str, dtype: str, classes: npt.NDArray[Any] | None
) -> Results:
    """Add link(offset + scale * sum of the leaves' values)."""
    trees = found.trees
    n_targets = _n_targets(trees, found.targets)
    shared = any((tree.missing[tree.n_children > 0] < 0).any() for tree in trees)
    if shared and len(trees) > 1:
        raise DataError(
            "ensemble_to_onnx: trees that split missing values among branches cannot be "
            "exported; export the trees one by one, or fit trees that send missing values to one "
            "branch."
        )
    if shared:
        kind = dtype
        scores = Proportions(graph, trees[0], rows, dtype).output(_leaf_values(trees[0]))
    else:
        kind = "float32"  # TreeEnsembleRegressor returns float32 for any type of rows
        scores = _ensemble(graph, trees, found.targets or [0] * len(trees), n_targets, rows, dtype)
    if found.scale != 1:  # after the sum, so that tied classes stay tied
        scores = graph.op("Mul", scores, graph.constant([found.scale], kind))
    if found.offset is not None:
        scores = graph.op("Add", scores, graph.constant(np.ravel(found.offset), kind))
    if found.link == "logistic":
        positive = graph.op("Sigmoid", scores)
        rest = graph.op("Sub", graph.constant([1.0], kind), positive)
        scores = graph.concatenate([rest, positive])
    elif found.link == "softmax":
        scores = graph.op("Softmax", scores, axis=1)
    elif found.link == "exp":
        scores = graph.op("Exp", scores)
    if classes is None:
        return Results(variable=scores)
    labels = onnx_labels(classes)
    best = graph.op("ArgMax", scores, axis=1, keepdims=0)
    return Results(label=graph.labels(best, labels), probabilities=scores, classes=labels)


def _ensemble(
    graph: Graph,
    trees: Sequence[Tree],
    targets: Sequence[int],
    n_targets: int,
    rows: str,
    dtype: str,
) -> str:
    nodes = EnsembleNodes(np.dtype(dtype))
    for number, (tree, target) in enumerate(zip(trees, targets, strict=True)):
        nodes.add(number, tree, _leaf_values(tree), target)
    attributes = {
        name: graph.onnx.numpy_helper.from_array(value, name)
        if isinstance(value, np.ndarray)
        else value
        for name, value in nodes.attributes().items()
    }
    return graph.op(
        "TreeEnsembleRegressor",
        rows,
        domain="ai.onnx.ml",
        n_targets=n_targets,
        aggregate_function="SUM",
        **attributes,
    )


def ensemble_to_onnx(
    trees: Sequence[Tree],
    *,
    scale: float = 1.0,
    offset: npt.ArrayLike | None = None,
    targets: Sequence[int] | None = None,
    link: Link = "identity",
    classes: npt.NDArray[Any] | None = None,
    dtype: Literal["float32", "float64"] = "float32",
    path: str | os.PathLike[str] | None = None,
) -> Any:
    """Return a sum of trees as an ONNX model: link(offset + scale * sum of the leaves' values).

    Parameters
    ----------
    trees
        Trees over the same columns.
    scale
        Factor of all leaf values; 1 / number of trees for a forest.
    offset : array of shape (n_targets,), optional
        Added to the sums.
    targets
        The target that each tree adds to, if every tree has one value per leaf (boosting of several
        classes); by default all targets.
    link
        "identity"; "probabilities" if the leaves contain probabilities; "logistic" for one score
        that gives the probability of the second class; "softmax"; "exp".
    classes : array, optional
        The class labels; with them the outputs are ``label`` and ``probabilities``.
    dtype
        The float type of the input.
    path
        File to write, if given.

    Returns
    -------
    model : onnx.ModelProto

    Examples
    --------
    >>> from gramian.export import ensemble_to_onnx
    >>> from gramian.tree import C45Classifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> forest = [C45Classifier().fit(X, y).tree_, C45Classifier(pruning=None).fit(X, y).tree_]
    >>> model = ensemble_to_onnx(forest, scale=0.5)  # doctest: +SKIP
    """
    found = TreeSum(trees, scale, offset, targets, link)
    _n_targets(trees, targets)
    graph = Graph()
    rows = graph.input("X", dtype, trees[0].n_features)
    model = graph.finish(add_sum(graph, found, rows, dtype, classes))
    if path is not None:
        need("onnx", extra="onnx").save(model, os.fspath(path))
    return model


def _n_targets(trees: Sequence[Tree], targets: Sequence[int] | None) -> int:
    if not trees:
        raise DataError("ensemble_to_onnx: trees must contain at least one tree; got none.")
    if targets is None:
        return trees[0].n_outputs * trees[0].max_n_classes
    if len(targets) != len(trees):
        raise DataError(
            f"ensemble_to_onnx: targets must name one target for each of {len(trees)} trees; got "
            f"{len(targets)}."
        )
    return max(targets) + 1


def _leaf_values(tree: Tree) -> Floats:
    return tree.value.reshape(tree.node_count, -1)
