"""Linear support vector classification on rows in chunks: Newton's method on the primal.

Every step is one pass over the chunks. It requires the squared hinge loss, which is differentiable;
the hinge loss needs the dual, which has one unknown per row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian.base.callbacks import Task
from gramian.base.errors import DataError
from gramian.base.inputs.targets import Codes
from gramian.base.inputs.weights import class_weights
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.glm.chunked_problem import ChunkedProblem
from gramian.linear_model.glm.solver_choice import solve, warn_unless_converged
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.margin import SquaredHinge

if TYPE_CHECKING:
    from gramian.svm.linear_svc import LinearSVC


def fit_chunks(model: "LinearSVC", chunks: Iterable[Any] | Parts) -> None:
    """Fit the model to chunks, each class against the rest."""
    rows = LabelChunks.of(model, chunks)
    if model.loss != "squared_hinge" or not np.isfinite(model.C) or model.dual is True:
        raise DataError(
            "LinearSVC: fit_chunks solves the primal, for loss='squared_hinge', a finite C and "
            f"dual='auto'; got loss={model.loss!r}, C={model.C!r}, dual={model.dual!r}. Use "
            "SGDClassifier for the hinge loss, or fit in memory."
        )
    weight_by_class = class_weights("LinearSVC", model.class_weight, rows.classes, rows.counts)
    mass = weight_by_class * rows.counts
    check_classes("LinearSVC", rows.classes, mass)
    total, fits = float(mass.sum()), bool(model.fit_intercept)
    m = model.n_features_in_ + fits
    positive = [1] if len(rows.classes) == 2 else range(len(rows.classes))
    task = Task.of(model, steps=len(positive), verbose=model.verbose)
    found = []
    for k in positive:
        chunk_problem = _ChunkProblem(k, weight_by_class / total, fits)
        penalty = model._penalty(total, model.n_features_in_)
        problem = ChunkedProblem(rows, chunk_problem, penalty, (m,), intercept=fits)
        result, _ = solve(
            problem, "auto", None, owner="LinearSVC", tol=model.tol, max_iter=model.max_iter
        )
        found.append(result)
        task.iteration(dict, name="class")
    W = np.array([r.x if fits else np.append(r.x, 0.0) for r in found])
    model.classes_ = rows.classes
    model.coef_ = np.ascontiguousarray(W[:, :-1].astype(rows.dtype))
    model.intercept_ = W[:, -1].astype(rows.dtype)
    model.n_iter_ = max(r.iterations for r in found)
    model.objective_ = np.array([model.C * total * r.value for r in found])
    task.done(partial(dict))
    warn_unless_converged("LinearSVC", found)


@dataclass(frozen=True)
class _ChunkProblem:
    """Builds the problem of one chunk, class k against the rest."""

    k: int
    weight_by_class: Floats
    intercept: bool

    def __call__(self, X: Data, codes: Codes, weights: Floats) -> LinearProblem:
        y = np.where(codes == self.k, 1.0, -1.0)
        omega = WeightedSum(self.weight_by_class[codes] * weights)
        return LinearProblem(X, y, SquaredHinge(), None, omega, intercept=self.intercept)
