"""Multi-label learners inside others: ours, or any with scikit-learn's interface."""

from typing import Any

import numpy as np
from sklearn.base import clone

from gramian.base.targets import LabelSets
from gramian.base.types import Data, Floats
from gramian.multioutput.label_classifier import LabelClassifier


def fit_member(estimator: Any, table: Data, Y: LabelSets) -> Any:
    """Return a fitted copy of a multi-label learner."""
    model = clone(estimator)
    if isinstance(model, LabelClassifier):
        return model._fit_sets(table, Y)
    return model.fit(table, Y.astype(np.int64))


def margins_of(model: Any, table: Data) -> Floats:
    """Return by how much each label exceeds its threshold, shape (rows, labels)."""
    if isinstance(model, LabelClassifier):
        return model._scores(table) - model.thresholds_
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(table), dtype=float).reshape(table.shape[0], -1)
    if hasattr(model, "predict_proba"):
        p = model.predict_proba(table)
        if isinstance(p, list):  # a table of both classes for each label
            has = [np.asarray(classes) == 1 for classes in model.classes_]
            p = np.column_stack([each[:, h].sum(axis=1) for each, h in zip(p, has, strict=True)])
        return np.asarray(p, dtype=float) - 0.5
    return np.asarray(model.predict(table), dtype=float) - 0.5
