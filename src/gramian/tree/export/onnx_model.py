"""Trees and sums of trees as ONNX models that predict as `predict` does."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

import gramian
from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.tree.export.onnx_linear import with_linear_leaves, with_projections
from gramian.tree.export.onnx_nodes import EnsembleNodes
from gramian.tree.export.onnx_proportions import ProportionGraph
from gramian.tree.structure.tree import Tree

Link: TypeAlias = Literal["identity", "probabilities", "logistic", "softmax", "exp"]


class TreeSum(NamedTuple):
    """An estimator as a sum of trees; the fields are the parameters of `ensemble_to_onnx`.

    Such an ensemble has a method ``_tree_sum`` that returns one.
    """

    trees: Sequence[Tree]
    scale: float = 1.0
    offset: npt.ArrayLike | None = None
    targets: Sequence[int] | None = None
    link: Link = "identity"


def is_exported_tree(estimator: Any) -> bool:
    """Whether `tree_to_onnx` is for this estimator: a tree, or a sum of trees."""
    return hasattr(estimator, "_tree_sum") or isinstance(getattr(estimator, "tree_", None), Tree)


def tree_to_onnx(
    estimator: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    dtype: Literal["float32", "float64"] = "float32",
) -> Any:
    """Return a fitted tree or sum of trees as an ONNX model, see `gramian.to_onnx`.

    The input ``X`` has the columns of fit; a category is given as its code, a missing value as NaN.
    An oblique tree computes projections in float64, as `predict` does. Outputs are float32, as
    ONNX's operator requires; only for trees that split missing values among branches, written in
    plain operators, are they `dtype`. Because of rounding in float32, classes whose probabilities
    differ by less than 1e-6 may be swapped.
    """
    check_is_fitted(estimator)
    summed = hasattr(estimator, "_tree_sum")
    if is_classifier(estimator) and getattr(estimator, "n_outputs_", 1) > 1:
        raise DataError(
            f"to_onnx: {type(estimator).__name__} has {estimator.n_outputs_} outputs; export a "
            "classifier of one output at a time."
        )
    if not summed and (hasattr(estimator, "directions_") or hasattr(estimator, "coef_")):
        return _with_products(estimator, dtype, path)
    classes = estimator.classes_ if is_classifier(estimator) else None
    if summed:
        parts: TreeSum = estimator._tree_sum()
    else:
        parts = TreeSum([estimator.tree_], link="identity" if classes is None else "probabilities")
    return ensemble_to_onnx(**parts._asdict(), classes=classes, dtype=dtype, path=path)


def _with_products(
    estimator: Any, dtype: Literal["float32", "float64"], path: str | os.PathLike[str] | None
) -> Any:
    """Export an oblique tree with its projections, or a model tree with its linear models."""
    tree: Tree = estimator.tree_
    if any(levels is not None for levels in estimator._levels):
        raise DataError(
            f"to_onnx: the categories of a {type(estimator).__name__} are not written; encode them "
            "before the tree, see sklearn.preprocessing.OneHotEncoder."
        )
    if hasattr(estimator, "directions_"):
        classes = getattr(estimator, "classes_", None)
        link: Link = "identity" if classes is None else "probabilities"
        inner = ensemble_to_onnx([tree], classes=classes, link=link, dtype="float64")
        model = with_projections(inner, estimator, dtype)
    else:
        coefficients = np.column_stack([estimator.coef_, estimator.intercept_])
        tree = replace(tree, value=coefficients[:, :, np.newaxis])
        model = with_linear_leaves(ensemble_to_onnx([tree], dtype=dtype), estimator, dtype)
    if path is not None:
        need("onnx", extra="onnx").save(model, os.fspath(path))
    return model


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
        The target that each tree adds to, where every tree has one value per leaf (boosting of
        several classes); by default to all.
    link
        "identity"; "probabilities" where leaves hold them; "logistic" for one score that gives
        the probability of the second class; "softmax"; "exp".
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
    >>> from gramian.tree import C45Classifier, ensemble_to_onnx
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> forest = [C45Classifier().fit(X, y).tree_, C45Classifier(pruning=None).fit(X, y).tree_]
    >>> model = ensemble_to_onnx(forest, scale=0.5)  # doctest: +SKIP
    """
    onnx = need("onnx", extra="onnx")
    n_targets = _n_targets(trees, targets)
    shared = any((tree.missing[tree.n_children > 0] < 0).any() for tree in trees)
    if shared and len(trees) > 1:
        raise DataError(
            "ensemble_to_onnx: trees that split missing values among branches are exported one at "
            "a time; fit trees whose missing values take one side."
        )
    graph = _Graph(onnx, np.dtype(dtype))
    if shared:
        scores = graph.fractions(trees[0])
    else:
        scores = graph.ensemble(trees, targets or [0] * len(trees), n_targets)
    if scale != 1:  # after the sum, so that classes with equal votes stay equal
        scores = graph.times(scores, scale)
    if offset is not None:
        scores = graph.add(scores, offset)
    model = graph.finish(scores, link, classes, trees[0].n_features)
    if path is not None:
        onnx.save(model, os.fspath(path))
    return model


def _n_targets(trees: Sequence[Tree], targets: Sequence[int] | None) -> int:
    if not trees:
        raise DataError("ensemble_to_onnx: at least one tree is needed; got none.")
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


class _Graph:
    """The operators after the trees, and the model around them."""

    def __init__(self, onnx: Any, dtype: np.dtype[Any]) -> None:
        self.onnx, self.dtype = onnx, dtype
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.output_type = np.dtype(np.float32)  # that of TreeEnsembleRegressor, for any input type

    def ensemble(self, trees: Sequence[Tree], targets: Sequence[int], n_targets: int) -> str:
        nodes = EnsembleNodes(self.dtype)
        for number, (tree, target) in enumerate(zip(trees, targets, strict=True)):
            nodes.add(number, tree, _leaf_values(tree), target)
        attributes = {
            name: self.onnx.numpy_helper.from_array(value, name)
            if isinstance(value, np.ndarray)
            else value
            for name, value in nodes.attributes().items()
        }
        return self._op(
            "TreeEnsembleRegressor",
            "X",
            domain="ai.onnx.ml",
            n_targets=n_targets,
            aggregate_function="SUM",
            **attributes,
        )

    def fractions(self, tree: Tree) -> str:
        graph = ProportionGraph(tree, _leaf_values(tree), self.dtype, self.onnx)
        self.nodes, self.constants, self.output_type = graph.nodes, graph.constants, self.dtype
        return graph.output

    def add(self, scores: str, offset: npt.ArrayLike) -> str:
        return self._op("Add", scores, self._constant("offset", np.ravel(offset)))

    def times(self, scores: str, scale: float) -> str:
        return self._op("Mul", scores, self._constant("scale", np.array([scale])))

    def finish(
        self, scores: str, link: Link, classes: npt.NDArray[Any] | None, n_features: int
    ) -> Any:
        helper = self.onnx.helper
        if link == "logistic":
            positive = self._op("Sigmoid", scores)
            rest = self._op("Sub", self._constant("unit_", np.ones(1)), positive)
            scores = self._op("Concat", rest, positive, axis=1)
        elif link in ("softmax", "exp"):
            scores = (
                self._op("Softmax", scores, axis=1)
                if link == "softmax"
                else (self._op("Exp", scores))
            )
        kind = helper.np_dtype_to_tensor_dtype(self.output_type)
        if classes is None:
            self._named("variable", scores)
            outputs = [helper.make_tensor_value_info("variable", kind, [None, None])]
        else:
            best = self._op("ArgMax", scores, axis=1, keepdims=0)
            labels = onnx_labels(classes)
            label_kind = helper.np_dtype_to_tensor_dtype(labels.dtype)
            self.constants.append(self.onnx.numpy_helper.from_array(labels, "classes"))
            self._named("label", self._op("Gather", "classes", best, axis=0))
            self._named("probabilities", scores)
            outputs = [
                helper.make_tensor_value_info("label", label_kind, [None]),
                helper.make_tensor_value_info("probabilities", kind, [None, len(classes)]),
            ]
        given = helper.np_dtype_to_tensor_dtype(self.dtype)
        rows = helper.make_tensor_value_info("X", given, [None, n_features])
        graph = helper.make_graph(self.nodes, "trees", [rows], outputs, self.constants)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
        model = helper.make_model(
            graph,
            opset_imports=opsets,
            ir_version=9,
            producer_name="gramian",
            producer_version=gramian.__version__,
        )
        self.onnx.checker.check_model(model)
        return model

    def _op(self, kind: str, *inputs: str, **settings: Any) -> str:
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **settings))
        return name

    def _named(self, name: str, of: str) -> None:
        self.nodes.append(self.onnx.helper.make_node("Identity", [of], [name]))

    def _constant(self, name: str, values: npt.NDArray[Any]) -> str:
        array = np.asarray(values, dtype=self.output_type)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name


def onnx_labels(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return labels in a type that ONNX supports: integers, floats or strings."""
    if classes.dtype.kind in "iub":
        return classes.astype(np.int64)
    return classes.astype(np.float64) if classes.dtype.kind == "f" else classes.astype(object)
