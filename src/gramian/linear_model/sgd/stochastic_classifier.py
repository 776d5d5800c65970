"""Base class of stochastic classifiers: one class against the rest, and partial fits."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Jobs, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.label_batches import batch_classes, batch_codes
from gramian.base.inputs.targets import Classes, Codes
from gramian.base.inputs.weights import ClassWeight, check_weights, weigh_classes
from gramian.base.kinds import Classifier
from gramian.base.types import Data, Floats, Table
from gramian.linear_model.common.class_targets import class_outputs
from gramian.linear_model.common.labelled_fit import check_labelled_rows
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.sgd.stochastic_fit import StochasticFit
from gramian.linear_model.sgd.stochastic_steps import Steps


@params
class StochasticClassifier(StochasticFit, LinearScores, Classifier):
    """Base class of `SGDClassifier` and `Perceptron`.

    Parameters
    ----------
    n_jobs
        Ignored; present for scikit-learn compatibility.
    early_stopping
        Whether to hold out rows and compare their accuracy, instead of the loss, with `tol`.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.

    Attributes
    ----------
    descents_ : list of dict
        The state from which `partial_fit` continues, one for each row of `coef_`.
    """

    _: KW_ONLY
    n_jobs: Jobs = None
    class_weight: ClassWeight = None

    def _steps(self, n_features: int) -> Steps:
        """Return the descent of one output, starting at zero."""
        raise NotImplementedError

    def _partial_epoch(
        self, descents: list[Steps], signs: list[Floats], X: Data, weights: Floats | None
    ) -> None:
        """Run the epoch of a call of `partial_fit` and set the attributes of this estimator."""
        raise NotImplementedError

    def partial_fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Run one epoch over a batch of rows, starting from the state of the last call.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        classes
            All labels; required in the first call.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import SGDClassifier
        >>> model = SGDClassifier(random_state=0)
        >>> for x, label in (([-1.0], 0), ([1.0], 1)):
        ...     _ = model.partial_fit([x], [label], classes=[0, 1])
        >>> model.predict([[2.0]]).tolist()
        [1]
        """
        first = not hasattr(self, "classes_")
        table, codes, known, weights = self._check_part(X, y, classes, sample_weight)
        outputs = class_outputs(known)
        descents = [self._steps(table.shape[1]) for _ in outputs]
        if not first:
            for steps, state in zip(descents, self.descents_, strict=True):
                steps.resume(state)
        signs = [np.where(codes == positive, 1.0, -1.0) for positive in outputs]
        self._partial_epoch(descents, signs, table, weights)
        self._set_model(descents, known, table.dtype)
        return self

    def _check_rows(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None, largest: float
    ) -> tuple[Data, Codes, Classes, Floats | None]:
        """Return the checked rows, their classes, the labels, and the weights."""
        rows = check_labelled_rows(self, X, y, sample_weight)
        check_size(self, "X", rows.X, largest)
        return rows.X, rows.targets, rows.classes, rows.weights

    def _check_part(
        self,
        X: Table,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None,
        sample_weight: npt.ArrayLike | None,
    ) -> tuple[Data, Codes, Classes, Floats | None]:
        """Return the rows of a call of `partial_fit`, their classes, all labels, and weights."""
        name, first = type(self).__name__, not hasattr(self, "classes_")
        if self.early_stopping:
            raise DataError(
                f"{name}: early_stopping should be False with partial_fit, whose calls see parts "
                "of the rows; hold out rows yourself."
            )
        known = batch_classes(self, classes)
        if self.class_weight == "balanced":
            raise DataError(
                f"{name}: class_weight='balanced' is not supported for partial_fit, which does not "
                "know the class proportions; pass a dict of weights."
            )
        table = check_fit(self, X) if first else check_new(self, X)
        codes, _ = batch_codes(self, y, table.shape[0], known)
        weights = check_weights(self, sample_weight, table.shape[0])
        weights = weigh_classes(name, self.class_weight, codes, known, weights)
        return table, codes, known, weights

    def _start(self, coef: Any, intercept: Any, outputs: int, d: int) -> tuple[Floats, Floats]:
        """Return the initial weights (outputs, d) and biases (outputs,)."""
        if self.warm_start and coef is None and hasattr(self, "coef_"):
            coef, intercept = self.coef_, self.intercept_
        W = np.zeros((outputs, d)) if coef is None else np.asarray(coef, float).reshape(-1, d)
        b = np.zeros(outputs) if intercept is None else np.asarray(intercept, float).reshape(-1)
        if W.shape != (outputs, d) or b.shape != (outputs,):
            raise DataError(
                f"{type(self).__name__}: coef_init must have the shape {(outputs, d)} and "
                f"intercept_init the shape {(outputs,)}; got {W.shape} and {b.shape}."
            )
        return W, b

    def _set_model(self, descents: list[Steps], classes: Classes, dtype: npt.DTypeLike) -> None:
        found = [self._finite_result(steps) for steps in descents]
        self.descents_ = [steps.state() for steps in descents]
        self.classes_ = classes
        self.coef_ = np.array([w for w, _ in found]).astype(dtype)
        self.intercept_ = np.array([b for _, b in found]).astype(dtype)


def accuracy_on(table: Data, signs: Floats) -> Callable[[Steps, Codes], float]:
    """Return the function that scores the weights on held-out rows, for early stopping."""

    def accuracy(steps: Steps, rows: Codes) -> float:
        w, b = steps.result()
        z = np.asarray(table[rows] @ w, dtype=float) + b
        return float(np.mean((z > 0) == (signs[rows] > 0)))

    return accuracy
