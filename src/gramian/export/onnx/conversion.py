"""Conversion of fitted models to ONNX, step by step for a pipeline."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from gramian.base.catalogue import entry_of
from gramian.base.errors import DataError
from gramian.base.files.writing import written_whole
from gramian.data.preparer import TablePreparer
from gramian.decision.bayes_decision import BayesDecision
from gramian.export.onnx.graph import Graph, Results, onnx_labels
from gramian.export.onnx.models import CONVERTERS
from gramian.export.onnx.tables import add_columns, column_inputs
from gramian.export.onnx.trees import is_exported_tree, tree_model


def to_onnx(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    dtype: Literal["float32", "float64"] = "float32",
) -> Any:
    """Return a fitted model as an ONNX model that predicts as `predict` does.

    A model of `gramian fit` is exported with its table preparation: every column is an input of
    shape (n, 1), under its name; `onnx_inputs` creates the inputs from a frame. Numeric columns are
    float64, NaN if missing; categorical ones are text, empty if missing; dates are days since
    1970-01-01. Any other model has one input ``X`` of shape (n, features) and type `dtype`.

    The outputs are ``label`` and, if the model has them, ``probabilities``, or ``scores``, for
    classes; ``variable`` for regression and for the codes of an autoencoder; ``label`` for
    clusters. Networks compute in float32. Labels and probabilities agree with `predict` and
    `predict_proba` to 1e-5, except for ties up to rounding between two classes, two decisions or
    the distances of two neighbours (ensembles of trees are computed in float32).

    Trees without a pipeline take categories as codes, the positions in the sorted levels.
    Thresholds are rounded down to the type of X, which changes no comparison with a number of that
    type.

    Parameters
    ----------
    model
        A fitted model: a tree, a forest, boosted trees, a linear model, nearest neighbours,
        k-means, a convolutional network or an autoencoder; a pipeline of a `TablePreparer` or a
        scaler and such a model; a `BayesDecision` of these.
    path
        File to write, if given; after an error an existing file is unchanged.
    dtype
        The float type of the input ``X``.

    Returns
    -------
    model : onnx.ModelProto
        The ONNX model. Unsupported steps raise an error that names the step.

    Examples
    --------
    >>> from gramian import C45Classifier, to_onnx
    >>> tree = C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> [output.name for output in to_onnx(tree).graph.output]  # doctest: +SKIP
    ['label', 'probabilities']
    """
    graph = Graph()
    found = graph.finish(_converted(graph, model, dtype))
    if path is not None:
        with written_whole(Path(path), follow=True) as file:
            file.write(found.SerializeToString())
    return found


def onnx_inputs(
    model: Any, table: Any, *, dtype: Literal["float32", "float64"] = "float32"
) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs of a model's ONNX graph for a table.

    Parameters
    ----------
    model
        The model that was passed to `to_onnx`.
    table
        A frame, or an array for a model without a `TablePreparer`.
    dtype
        As for `to_onnx`.

    Returns
    -------
    dict
        Arrays by the name of the input, for ``InferenceSession.run(None, ...)``.

    Examples
    --------
    >>> import polars as pl
    >>> from gramian import TablePreparer
    >>> from gramian.export import onnx_inputs
    >>> frame = pl.DataFrame({"tree": ["ash", None, "oak"], "height": [8.0, 9.0, None]})
    >>> preparer = TablePreparer().fit(frame)
    >>> onnx_inputs(preparer, frame)["tree"].ravel().tolist()
    ['ash', '', 'oak']
    """
    inner = model.estimator if isinstance(model, BayesDecision) else model
    first = inner.steps[0][1] if isinstance(inner, Pipeline) else inner
    if not isinstance(first, TablePreparer):
        return {"X": np.asarray(table, dtype=dtype)}
    if not hasattr(first, "feature_names_in_"):
        return {"X": np.asarray(table, dtype=np.float64)}
    return column_inputs(first, table)


def _converted(graph: Graph, model: Any, dtype: str) -> Results:
    if isinstance(model, BayesDecision):
        return _least_risk(graph, model, _converted(graph, model._probability_model(), dtype))
    steps = model.steps if isinstance(model, Pipeline) else [("model", model)]
    rows = ""
    for name, step in steps[:-1]:
        rows = _transformed(graph, name, step, rows, dtype)
    name, last = steps[-1]
    check_is_fitted(last)
    if is_exported_tree(last):
        if not rows:  # keep their own type: no conversion is needed
            return tree_model(graph, last, graph.input("X", dtype, last.n_features_in_), dtype)
        return tree_model(graph, last, rows, "float64")
    if not rows:
        rows = graph.cast(graph.input("X", dtype, last.n_features_in_), "float64")
    return _predicted(graph, name, last, rows)


def _predicted(graph: Graph, name: str, model: Any, rows: str) -> Results:
    convert = CONVERTERS.get(type(model).__name__)
    if convert is None or entry_of(type(model)) is None:
        raise DataError(
            f"to_onnx: step {name!r}: {type(model).__name__} cannot be exported; export a tree, a "
            "forest, boosted trees, a linear model, nearest neighbours, k-means or a network."
        )
    return convert(graph, model, rows)


def _transformed(graph: Graph, name: str, step: Any, rows: str, dtype: str) -> str:
    if isinstance(step, TablePreparer) and not rows:
        return add_columns(graph, step)
    if step is None or step == "passthrough":
        return rows
    affine = _affine(step)
    if affine is None:
        raise DataError(
            f"to_onnx: step {name!r}: {type(step).__name__} cannot be exported; start with a "
            "TablePreparer, or use StandardScaler, RobustScaler, MaxAbsScaler or MinMaxScaler "
            "without clip."
        )
    if not rows:
        rows = graph.cast(graph.input("X", dtype, step.n_features_in_), "float64")
    shift, factor, added = affine
    rows = graph.op("Sub", rows, graph.constant(shift))
    return graph.op("Add", graph.op("Mul", rows, graph.constant(factor)), graph.constant(added))


def _affine(step: Any) -> tuple[Any, Any, Any] | None:
    """Return shift, factor and constant of scikit-learn's scalers: (x - shift) factor + c."""
    kind = type(step).__name__ if type(step).__module__.startswith("sklearn.") else ""
    if kind == "StandardScaler":
        mean = step.mean_ if step.with_mean and step.mean_ is not None else 0.0
        return mean, 1.0 if step.scale_ is None else 1 / step.scale_, 0.0
    if kind == "RobustScaler":
        center = 0.0 if step.center_ is None else step.center_
        return center, 1.0 if step.scale_ is None else 1 / step.scale_, 0.0
    if kind == "MaxAbsScaler" and not step.clip:
        return 0.0, 1 / step.scale_, 0.0
    if kind == "MinMaxScaler" and not step.clip:
        return 0.0, step.scale_, step.min_
    return None


def _least_risk(graph: Graph, decision: BayesDecision, found: Results) -> Results:
    """Choose the action with the smallest expected cost, as `BayesDecision` does."""
    if found.probabilities is None or found.classes is None:
        raise DataError("to_onnx: BayesDecision: the exported classifier has no probabilities.")
    p = graph.cast(found.probabilities, "float64")
    if decision.costs is None:
        risk = graph.op("Sub", graph.constant(1.0), p)
    else:
        costs = np.ascontiguousarray(np.asarray(decision.costs, dtype=np.float64).T)
        risk = graph.op("MatMul", p, graph.constant(costs))
    names = onnx_labels(np.asarray(decision._names(decision._probability_model().classes_)))
    chosen = graph.op("ArgMin", risk, axis=1, keepdims=0)
    if decision.reject is not None:
        label = decision.reject_label
        if not isinstance(label, {"i": int, "f": float}.get(names.dtype.kind, str)):
            raise DataError(
                f"to_onnx: BayesDecision: reject_label {label!r} must have the same type as the "
                "actions; choose another label."
            )
        names = np.concatenate([names, np.array([label], dtype=names.dtype)])
        least = graph.op("ReduceMin", risk, graph.constant([1], np.int64), keepdims=0)
        rejected = graph.op("Greater", least, graph.constant(float(decision.reject)))
        chosen = graph.op("Where", rejected, graph.constant(len(names) - 1, np.int64), chosen)
    return replace(found, label=graph.labels(chosen, names), actions=names)
