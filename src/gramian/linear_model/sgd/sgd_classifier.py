"""Linear classification by stochastic gradient descent."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.fields import params
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import class_weights
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunk
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linear_model.common.class_targets import check_classes, class_outputs
from gramian.linear_model.sgd.stochastic_chunks import run_chunks
from gramian.linear_model.sgd.stochastic_classifier import StochasticClassifier, accuracy_on
from gramian.linear_model.sgd.stochastic_fit import SGDBase
from gramian.linear_model.sgd.stochastic_steps import MarginLoss, RegressionLoss, Steps

_MAX_VALUE = 1e100  # larger values of X overflow in the steps


@params(
    first=(
        "penalty",
        "alpha",
        "l1_ratio",
        "fit_intercept",
        "max_iter",
        "tol",
        "shuffle",
        "verbose",
        "epsilon",
        "n_jobs",
        "random_state",
        "learning_rate",
        "eta0",
        "power_t",
        "early_stopping",
        "validation_fraction",
        "n_iter_no_change",
        "class_weight",
    )
)
class SGDClassifier(SGDBase, StochasticClassifier):
    """Linear classification by stochastic gradient descent.

    ::

        minimise  1/n sum_i L(y_i, w . x_i + b) + alpha [(1 - rho) |w|^2 / 2 + rho |w|_1]

    one row at a time. `hinge` is the support vector machine, `log_loss` logistic regression,
    `perceptron` Rosenblatt's rule. A step costs one row, so the method suits data with too many
    rows to be read often; `partial_fit` accepts them in batches. Columns must have similar scales.
    With more than two classes, each is fitted against the rest. Results are bitwise identical for
    any number of threads (Bottou 2012).

    Parameters
    ----------
    loss
        Loss L, of the margin or of the error against -1 and 1. `exponential`, e^(-y z), is the loss
        of AdaBoost; its slope is unbounded, so it needs small steps.

    Examples
    --------
    >>> from gramian import SGDClassifier
    >>> X, y = [[-2.0], [-1.0], [1.0], [2.0]], ["no", "no", "yes", "yes"]
    >>> SGDClassifier(random_state=0).fit(X, y).predict([[1.5]]).tolist()
    ['yes']
    """

    loss: MarginLoss | RegressionLoss = "hinge"

    def _fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        coef_init: Any,
        intercept_init: Any,
        sample_weight: npt.ArrayLike | None,
    ) -> Self:
        table, codes, classes, weights = self._check_rows(X, y, sample_weight, _MAX_VALUE)
        outputs = class_outputs(classes)
        start = self._start(coef_init, intercept_init, len(outputs), table.shape[1])
        descents = [self._steps(table.shape[1]) for _ in outputs]
        seed = seed_of(self.random_state)
        task = Task.of(self, steps=len(outputs), X=X, y=y, verbose=self.verbose)
        epochs = []
        for k, (positive, steps) in enumerate(zip(outputs, descents, strict=True)):
            steps.set(start[0][k], float(start[1][k]))
            signs = np.where(codes == positive, 1.0, -1.0)
            score = accuracy_on(table, signs)
            epochs.append(
                self._run(steps, table, signs, weights, seed=seed + k, labels=codes, score=score)
            )
            task.iteration(dict, name="class")
        self._set_model(descents, classes, table.dtype)
        self.n_iter_, self.t_ = max(epochs), descents[0].t
        task.done(dict)
        return self

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Fit to rows in chunks, in blocks of 65,536 rows.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass counts the classes; an epoch
            is a pass. Rows sorted by class should be shuffled first.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import SGDClassifier
        >>> chunks = [([[-2.0], [2.0]], [0, 1]), ([[-1.0], [1.0]], [0, 1])]
        >>> SGDClassifier(random_state=0).fit_chunks(chunks).predict([[1.5]]).tolist()
        [1]
        """
        rows = LabelChunks.of(self, chunks)
        name = type(self).__name__
        weight_by_class = class_weights(name, self.class_weight, rows.classes, rows.counts)
        check_classes(name, rows.classes, weight_by_class * rows.counts)
        outputs = class_outputs(rows.classes)
        d = rows.chunks.n_features
        start = self._start(None, None, len(outputs), d)
        descents = [self._steps(d) for _ in outputs]
        for k, steps in enumerate(descents):
            steps.set(start[0][k], float(start[1][k]))
        task = Task.of(self, steps=self.max_iter, verbose=self.verbose)
        plain = None if self.class_weight is None else weight_by_class
        descents, self.n_iter_ = run_chunks(
            self,
            rows.chunks,
            descents,
            partial(_signs, rows.chunks.estimator, rows.classes, plain, list(outputs)),
            seed=seed_of(self.random_state),
            largest=_MAX_VALUE,
            after=lambda _: task.iteration(dict),
        )
        self._set_model(descents, rows.classes, rows.dtype)
        self.t_ = descents[0].t
        task.done(dict)
        return self

    def _steps(self, n_features: int) -> Steps:
        return self._steps_for(n_features, self.loss)

    def _partial_epoch(
        self, descents: list[Steps], signs: list[Floats], X: Data, weights: Floats | None
    ) -> None:
        seed = seed_of(self.random_state)
        for k, (steps, y) in enumerate(zip(descents, signs, strict=True)):
            self._epoch(steps, X, y, weights, seed + k)
        self.n_iter_, self.t_ = 1, descents[0].t

    def _has_probabilities(self) -> bool:
        if self.loss in ("log_loss", "modified_huber"):
            return True
        raise AttributeError(f"probability estimates are not available for loss={self.loss!r}")

    @available_if(_has_probabilities)
    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each class; only for "log_loss" and "modified_huber".

        The probabilities of each class against the rest are divided by their sum. For the
        modified Huber loss they are (1 + z) / 2, clipped to [0, 1] (Zhang 2004).
        """
        check_is_fitted(self)
        z = self.decision_function(X)
        each = expit(z) if self.loss == "log_loss" else (np.clip(z, -1, 1) + 1) / 2
        if each.ndim == 1:
            return np.column_stack([1 - each, each])
        total: Floats = each.sum(axis=1, keepdims=True)
        even = np.full_like(each, 1 / each.shape[1])
        return np.asarray(np.divide(each, total, out=even, where=total > 0))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Table) -> Matrix:
        """Return the logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


def _signs(
    model: Estimator, classes: Classes, weight_by_class: Floats | None, outputs: Any, block: Chunk
) -> tuple[list[Floats], Floats | None]:
    """Return the signs of a block for each output, and its weights."""
    codes, labels = check_labels(model, block.y, block.X.shape[0])
    codes = np.searchsorted(classes, labels)[codes]
    weights = block.weights
    if weight_by_class is not None:
        weights = weight_by_class[codes] if weights is None else weight_by_class[codes] * weights
    return [np.where(codes == k, 1.0, -1.0) for k in outputs], weights
