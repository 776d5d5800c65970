"""Fit multi-label classifiers inside others, and return their margins."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from gramian.base.errors import ParameterError
from gramian.base.inputs.targets import LabelSets
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.common.column_models import weight_argument
from gramian.multilabel.common.label_classifier import LabelClassifier


def fit_member(
    estimator: Model, table: Data, Y: LabelSets, weights: Weights | None = None
) -> Model:
    """Return a fitted copy of a multi-label classifier."""
    model = clone(estimator)
    more = weight_argument(model, weights)
    if isinstance(model, LabelClassifier):
        return model._fit_label_matrix(table, Y, weights)
    try:
        return model.fit(table, Y.astype(np.int64), **more)
    except ValueError as error:
        tags = get_tags(model)
        if tags.target_tags.multi_output or getattr(tags.classifier_tags, "multi_label", False):
            raise
        name = type(model).__name__
        raise ParameterError(
            f"{name} does not support multi-label targets ({error}); wrap it, for example "
            f"BinaryRelevance({name}())."
        ) from error


def margins_of(model: Model, table: Data) -> Floats:
    """Return the margins, score minus threshold, of each label, shape (rows, labels)."""
    if isinstance(model, LabelClassifier):
        return model._scores(table) - model._row_thresholds(table)
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(table), dtype=float).reshape(table.shape[0], -1)
    if hasattr(model, "predict_proba"):
        p = model.predict_proba(table)
        if isinstance(p, list):  # a table of both classes for each label
            has = [np.asarray(classes) == 1 for classes in model.classes_]
            p = np.column_stack([each[:, h].sum(axis=1) for each, h in zip(p, has, strict=True)])
        return np.asarray(p, dtype=float) - 0.5
    return np.asarray(model.predict(table), dtype=float) - 0.5
