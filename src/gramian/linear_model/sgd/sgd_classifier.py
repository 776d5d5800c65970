"""Linear classifiers by stochastic gradient descent."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Fraction,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.gate import check_fit, check_size
from gramian.base.targets import Classes, check_labels
from gramian.base.types import Data, Floats, Matrix
from gramian.base.weights import ClassWeight, check_weights, weigh_classes
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.sgd.stochastic_fit import StochasticClassification
from gramian.linear_model.sgd.stochastic_steps import MarginLoss, Rate, RegressionLoss, Steps


@params
class SGDClassifier(StochasticClassification, LinearScores):
    """Linear classification by stochastic gradient descent.

    ::

        minimise  1/n sum_i L(y_i, w . x_i + b) + alpha [(1 - rho) |w|^2 / 2 + rho |w|_1]

    one row at a time: `hinge` is the support vector machine, `log_loss` logistic regression,
    `perceptron` Rosenblatt's rule. A step costs one row, so the method serves where there are
    more rows than can be read often; `partial_fit` takes them as they come. Columns must be of one
    scale. More than two classes: each against the rest. The answer is the same bits for any
    number of threads. Bottou 2012.

    Parameters
    ----------
    loss
        The loss L, of the margin, or of the error against -1 and 1. `exponential`, e^(-y z), is
        that of AdaBoost; its slope knows no bound, so that it wants short steps.
    penalty
        "l2", "l1", "elasticnet", or None.
    alpha
        The strength of the penalty; with "optimal" it also sets the steps.
    l1_ratio
        rho, the share of l1 in "elasticnet".
    fit_intercept
        Whether there is a bias b, not penalised.
    max_iter
        The most epochs.
    tol
        Stop when the mean loss of `n_iter_no_change` epochs in a row was not lower by this than
        the best before; None: never.
    shuffle
        Whether each epoch has its own random order.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    epsilon
        Half the width of the tube of the epsilon-insensitive losses; where "huber" turns straight.
    n_jobs
        Steps depend on each other, so one thread makes them; kept so that scikit-learn's calls
        work.
    random_state
        Seed of the orders.
    learning_rate
        The steps: "optimal" 1 / (alpha (t0 + t)); "constant" eta0; "invscaling" eta0 / t^power_t;
        "adaptive" eta0, divided by 5 whenever the loss rests; "pa1" and "pa2" as long as mends
        the row, at most eta0 (passive-aggressive: Crammer et al. 2006).
    eta0
        The first step.
    power_t
        The exponent of "invscaling".
    early_stopping
        Whether rows are held out, and their accuracy takes the place of the loss in `tol`.
    validation_fraction
        The share of rows held out.
    n_iter_no_change
        Epochs without improvement that are borne.
    class_weight
        Weights of the classes, {label: weight}; "balanced": n / (K times the class's rows).
    warm_start
        Start from the last fit's coefficients.
    average
        Whether the coefficients are averaged over the steps; an integer: from that step on.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    coef_ : array (1, d) or (K, d)
        w; one row if there are two classes.
    intercept_ : array (1,) or (K,)
        b.
    n_iter_ : int
        The largest number of epochs.
    t_ : float
        1 plus the steps made.
    descents_ : list of dict
        What `partial_fit` needs to go on, one for each row of `coef_`.

    Examples
    --------
    >>> from gramian import SGDClassifier
    >>> X, y = [[-2.0], [-1.0], [1.0], [2.0]], ["no", "no", "yes", "yes"]
    >>> SGDClassifier(random_state=0).fit(X, y).predict([[1.5]]).tolist()
    ['yes']
    """

    loss: MarginLoss | RegressionLoss = "hinge"
    _: KW_ONLY
    penalty: Literal["l2", "l1", "elasticnet"] | None = "l2"
    alpha: NonNegative = 0.0001
    l1_ratio: Fraction | None = 0.15
    fit_intercept: bool = True
    max_iter: Count = 1000
    tol: NonNegative | None = 1e-3
    shuffle: bool = True
    verbose: bool | NonNegativeInt = 0
    epsilon: NonNegative = 0.1
    n_jobs: Jobs = None
    random_state: Seed = None
    learning_rate: Rate = "optimal"
    eta0: NonNegative = 0.01
    power_t: NonNegative = 0.5
    early_stopping: bool = False
    validation_fraction: Fraction = 0.1
    n_iter_no_change: Count = 5
    class_weight: ClassWeight = None
    warm_start: bool = False
    average: bool | NonNegativeInt = False

    @with_callbacks
    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        coef_init: npt.ArrayLike | None = None,
        intercept_init: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        coef_init, intercept_init
            Where to start; zeros by default.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self
        """
        table, codes, classes, weights = self._check_rows(X, y, sample_weight)
        mass = np.bincount(codes, weights, len(classes)).astype(float)
        check_classes(type(self).__name__, classes, mass)
        outputs = [1] if len(classes) == 2 else list(range(len(classes)))
        start = self._start(coef_init, intercept_init, len(outputs), table.shape[1])
        descents = [self._steps(table.shape[1]) for _ in outputs]
        seed = self._seed()
        task = Task.of(self, steps=len(outputs), X=X, y=y)
        epochs = []
        for k, (positive, steps) in enumerate(zip(outputs, descents, strict=True)):
            steps.set(start[0][k], float(start[1][k]))
            signs = np.where(codes == positive, 1.0, -1.0)

            def accuracy(steps: Steps, rows: npt.NDArray[np.intp], signs: Floats = signs) -> float:
                w, b = steps.result()
                z = np.asarray(table[rows] @ w, dtype=float) + b
                return float(np.mean((z > 0) == (signs[rows] > 0)))

            epochs.append(
                self._run(steps, table, signs, weights, seed=seed + k, labels=codes, score=accuracy)
            )
            task.iteration(dict, name="class")
        self._set_fit(descents, classes, max(epochs), table.dtype)
        task.done(dict)
        return self

    def partial_fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Make one epoch over some rows, from where the last call ended.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        classes
            All labels; needed in the first call.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self

        Examples
        --------
        >>> model = SGDClassifier(random_state=0)
        >>> for x, label in (([-1.0], 0), ([1.0], 1)):
        ...     _ = model.partial_fit([x], [label], classes=[0, 1])
        >>> model.predict([[2.0]]).tolist()
        [1]
        """
        first = not hasattr(self, "classes_")
        table, codes, known, weights = self._check_part(X, y, classes, sample_weight)
        outputs = [1] if len(known) == 2 else list(range(len(known)))
        descents = [self._steps(table.shape[1]) for _ in outputs]
        if not first:
            for steps, state in zip(descents, self.descents_, strict=True):
                steps.resume(state)
        seed = self._seed()
        for k, (positive, steps) in enumerate(zip(outputs, descents, strict=True)):
            signs = np.where(codes == positive, 1.0, -1.0)
            self._epoch(steps, table, signs, weights, seed + k)
        self._set_fit(descents, known, 1, table.dtype)
        return self

    def _check_rows(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Data, npt.NDArray[np.intp], Classes, Floats | None]:
        table = check_fit(self, X)
        check_size(self, "X", table, 1e100)
        codes, classes = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        name = type(self).__name__
        weights = weigh_classes(name, self.class_weight, codes, classes, weights)
        return table, codes, classes, weights

    def _start(self, coef: Any, intercept: Any, outputs: int, d: int) -> tuple[Floats, Floats]:
        """Return weights (outputs, d) and biases (outputs,) to start from."""
        if self.warm_start and coef is None and hasattr(self, "coef_"):
            coef, intercept = self.coef_, self.intercept_
        W = np.zeros((outputs, d)) if coef is None else np.asarray(coef, float).reshape(-1, d)
        b = np.zeros(outputs) if intercept is None else np.asarray(intercept, float).reshape(-1)
        if W.shape != (outputs, d) or b.shape != (outputs,):
            raise DataError(
                f"{type(self).__name__}: the start must have coef of shape {(outputs, d)} and "
                f"intercept of shape {(outputs,)}; got {W.shape} and {b.shape}."
            )
        return W, b

    def _set_fit(self, descents: list[Steps], classes: Classes, epochs: int, dtype: Any) -> None:
        found = [steps.result() for steps in descents]
        self.descents_ = [steps.state() for steps in descents]
        self.classes_ = classes
        self.coef_ = np.array([w for w, _ in found]).astype(dtype)
        self.intercept_ = np.array([b for _, b in found]).astype(dtype)
        self.n_iter_ = epochs
        self.t_ = descents[0].t

    def _has_probabilities(self) -> bool:
        if self.loss in ("log_loss", "modified_huber"):
            return True
        raise AttributeError(f"probability estimates are not available for loss={self.loss!r}")

    @available_if(_has_probabilities)
    def predict_proba(self, X: npt.ArrayLike) -> Matrix:
        """Return the probability of each class; only for "log_loss" and "modified_huber".

        Each class against the rest, divided by the sum. For the modified Huber loss it is
        (1 + z) / 2 within [0, 1] (Zhang 2004).
        """
        check_is_fitted(self)
        z = self.decision_function(X)
        each = expit(z) if self.loss == "log_loss" else (np.clip(z, -1, 1) + 1) / 2
        if each.ndim == 1:
            return np.column_stack([1 - each, each])
        total = each.sum(axis=1, keepdims=True)
        even = np.full_like(each, 1 / each.shape[1])
        return np.asarray(np.divide(each, total, out=even, where=total > 0))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: npt.ArrayLike) -> Matrix:
        """Return the logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
