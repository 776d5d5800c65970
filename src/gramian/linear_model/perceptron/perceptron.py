"""Rosenblatt's perceptron, with every option of the textbooks."""

import warnings
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Fraction,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.gate import check_fit, check_size
from gramian.base.randomness import seed_of, stream
from gramian.base.targets import Classes, check_labels
from gramian.base.types import Data, Floats
from gramian.base.weights import ClassWeight, check_weights, weigh_classes
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.sgd.stochastic_fit import StochasticClassification
from gramian.linear_model.sgd.stochastic_steps import Steps


@params
class Perceptron(StochasticClassification, LinearScores):
    """The perceptron: on a mistake, add the row.

    ::

        if y_i (w . x_i + b) <= 0:   w <- w + eta y_i x_i,   b <- b + eta y_i

    This is stochastic gradient descent on the risk R(w) = sum over the rows on the wrong side of
    -y_i w . x_i (Rosenblatt 1958). Rows on the boundary count as mistakes: at w = 0 all rows are.
    If some hyperplane through the origin of (x, 1) has all rows at a distance of at least gamma
    on their sides, and no row is longer than R, there are at most (R / gamma)^2 mistakes from
    w = 0 (Novikoff 1962; see `mistake_bound`), and an epoch without one ends the fit. Otherwise
    it never rests: average, or stop. More than two classes: each against the rest.

    Parameters
    ----------
    penalty
        "l2", "l1", "elasticnet", or None: the perceptron of the books has none.
    alpha
        The strength of the penalty.
    l1_ratio
        The share of l1 in "elasticnet".
    fit_intercept
        Whether there is a bias b.
    max_iter
        The most epochs.
    tol
        Stop when the mean of -y f over the mistakes was not lower by this than the best before
        in `n_iter_no_change` epochs; None: only after an epoch without a mistake, as in
        method="batch".
    shuffle
        Whether each epoch has its own random order; if not, the order of the rows.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    eta0
        The step eta. From zero it only scales w.
    n_jobs
        Steps depend on each other, so one thread makes them; kept so that scikit-learn's calls
        work.
    random_state
        Seed of the orders and of init="random".
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
    method
        "online": row by row. "batch": w <- w + eta times the sum over all mistakes of an epoch:
        gradient descent on R, which has no penalty, no average and no rows held out.
    average
        Whether the weights are averaged over all visits (Freund and Schapire 1999): steadier on
        rows that no hyperplane separates.
    init
        The first w: "zeros", "ones", "row" (y_j x_j of the first row), "random" (normal numbers).
    margin
        A row with y_i f(x_i) <= margin counts as a mistake.
    strict
        Whether a row on the boundary is right: y f < margin in place of <= is the condition.

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
    mistakes_ : array (1,) or (K,)
        Updates made.
    converged_ : bool
        Whether the last epoch made no mistake.
    descents_ : list of dict
        What `partial_fit` needs to go on, one for each row of `coef_`.

    Examples
    --------
    >>> from gramian import Perceptron
    >>> model = Perceptron(shuffle=False).fit([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0]], [1, 1, -1])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_.tolist()
    ([[2.0, 1.0]], [1.0], [1])
    """

    _: KW_ONLY
    penalty: Literal["l2", "l1", "elasticnet"] | None = None
    alpha: NonNegative = 0.0001
    l1_ratio: Fraction | None = 0.15
    fit_intercept: bool = True
    max_iter: Count = 1000
    tol: NonNegative | None = 1e-3
    shuffle: bool = True
    verbose: bool | NonNegativeInt = 0
    eta0: Positive = 1.0
    n_jobs: Jobs = None
    random_state: Seed = 0
    early_stopping: bool = False
    validation_fraction: Fraction = 0.1
    n_iter_no_change: Count = 5
    class_weight: ClassWeight = None
    warm_start: bool = False
    method: Literal["online", "batch"] = "online"
    average: bool = False
    init: Literal["zeros", "ones", "row", "random"] = "zeros"
    margin: NonNegative = 0.0
    strict: bool = False

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0: factors of the rows' steps.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        codes, classes = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        weights = weigh_classes("Perceptron", self.class_weight, codes, classes, weights)
        mass = np.bincount(codes, weights, len(classes)).astype(float)
        check_classes("Perceptron", classes, mass)
        outputs = [1] if len(classes) == 2 else list(range(len(classes)))
        seed = seed_of(self.random_state)
        self._check_method()
        task = Task.of(self, steps=len(outputs), X=X, y=y)
        old = self.coef_ if self.warm_start and hasattr(self, "coef_") else None
        descents, epochs, mistakes, rests = [], [], [], []
        for k, positive in enumerate(outputs):
            signs = np.where(codes == positive, 1.0, -1.0)
            steps = self._steps(table.shape[1])
            if old is not None and old.shape == (len(outputs), table.shape[1]):
                steps.set(old[k], float(self.intercept_[k]))
            else:
                self._set_first(steps, table, signs, seed + k)
            made, wrong, rest = self._epochs(steps, table, signs, weights, codes, seed + k)
            descents.append(steps)
            epochs.append(made)
            mistakes.append(wrong)
            rests.append(rest)
            task.iteration(dict, name="class")
        self._set_fit(descents, classes, table.dtype)
        self.n_iter_, self.mistakes_ = max(epochs), np.array(mistakes)
        self.converged_ = all(rests)
        runs_out = self.tol is None or self.method == "batch"
        if not self.converged_ and runs_out and not self.average:
            warnings.warn(
                f"Perceptron: not converged: mistakes were still made in epoch {self.max_iter}; "
                "the rows may not be separable (see separability). Raise max_iter, or set "
                "method='online' and average=True, which is steadier then.",
                ConvergenceWarning,
                stacklevel=2,
            )
        task.done(dict)
        return self

    def partial_fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Test each row once, in the order given, and update on mistakes: the online perceptron.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        classes
            All labels; needed in the first call.
        sample_weight
            Weights >= 0: factors of the rows' steps.

        Returns
        -------
        self
        """
        first = not hasattr(self, "classes_")
        self._check_method()
        table, codes, known, weights = self._check_part(X, y, classes, sample_weight)
        outputs = [1] if len(known) == 2 else list(range(len(known)))
        descents = [self._steps(table.shape[1]) for _ in outputs]
        if first:
            self.mistakes_, self.n_iter_ = np.zeros(len(outputs), dtype=int), 0
        else:
            for steps, state in zip(descents, self.descents_, strict=True):
                steps.resume(state)
        order = np.arange(table.shape[0], dtype=np.int32)
        for k, (positive, steps) in enumerate(zip(outputs, descents, strict=True)):
            steps.epoch(table, np.where(codes == positive, 1.0, -1.0), weights, order)
            self.mistakes_[k] += steps.updates
        self._set_fit(descents, known, table.dtype)
        self.n_iter_ += 1
        self.converged_ = False
        return self

    def _set_fit(self, descents: list[Steps], classes: Classes, dtype: Any) -> None:
        found = [steps.result() for steps in descents]
        self.descents_ = [steps.state() for steps in descents]
        self.classes_ = classes
        self.coef_ = np.array([w for w, _ in found]).astype(dtype)
        self.intercept_ = np.array([b for _, b in found]).astype(dtype)

    def _check_method(self) -> None:
        if self.method == "online":
            return
        for name in ("penalty", "average", "early_stopping"):
            if getattr(self, name):
                raise ParameterError(
                    f"Perceptron: {name}={getattr(self, name)!r} needs method='online'; "
                    "method='batch' is plain gradient descent on the risk."
                )

    def _steps(self, n_features: int) -> Steps:
        wrong_below = float(self.margin)
        if self.strict:
            wrong_below = float(np.nextafter(wrong_below, -np.inf))
        share = {"l2": 0.0, "l1": 1.0, "elasticnet": float(self.l1_ratio or 0.0), None: 0.0}
        return Steps(
            n_features,
            loss="perceptron",
            epsilon=wrong_below,
            alpha=0.0 if self.penalty is None else float(self.alpha),
            l1_ratio=share[self.penalty],
            rate="constant",
            eta0=float(self.eta0),
            power=1.0,
            fit_intercept=self.fit_intercept,
            average_from=1.0 if self.average else np.inf,
        )

    def _set_first(self, steps: Steps, table: Data, signs: Floats, seed: int) -> None:
        d, bias = table.shape[1], float(self.fit_intercept)
        match self.init:
            case "ones":
                steps.set(np.ones(d), bias)
            case "row":
                row = table[[0]].toarray()[0] if hasattr(table, "toarray") else table[0]
                steps.set(signs[0] * row, signs[0] * bias)
            case "random":
                normal = stream(seed).standard_normal(d + 1)
                steps.set(normal[:d], bias * float(normal[d]))

    def _epochs(
        self,
        steps: Steps,
        table: Data,
        signs: Floats,
        weights: Floats | None,
        codes: npt.NDArray[np.intp],
        seed: int,
    ) -> tuple[int, int, bool]:
        """Return epochs, mistakes, and whether the last epoch made none."""
        mistakes: list[int] = []
        if self.method == "batch":
            while len(mistakes) < self.max_iter and (not mistakes or mistakes[-1] > 0):
                mistakes.append(self._descend(steps, table, signs, weights))
            return len(mistakes), sum(mistakes), mistakes[-1] == 0

        def accuracy(steps: Steps, rows: npt.NDArray[np.intp]) -> float:
            w, b = steps.result()
            z = np.asarray(table[rows] @ w, dtype=float) + b
            return float(np.mean((z > 0) == (signs[rows] > 0)))

        def after(steps: Steps) -> bool:
            mistakes.append(steps.updates)
            return steps.updates == 0

        made = self._run(
            steps, table, signs, weights, seed=seed, labels=codes, score=accuracy, after=after
        )
        return made, sum(mistakes), mistakes[-1] == 0

    def _descend(self, steps: Steps, table: Data, signs: Floats, weights: Floats | None) -> int:
        """Take one step down the gradient of the risk; return the mistakes before it."""
        margins = signs * (np.asarray(table @ steps.w, dtype=float) + steps.b)
        wrong = margins < self.margin if self.strict else margins <= self.margin
        factor = self.eta0 * wrong * signs * (1.0 if weights is None else weights)
        b = steps.b + (factor.sum() if self.fit_intercept else 0.0)
        steps.set(steps.w + table.T @ factor, float(b))
        return int(np.count_nonzero(factor))
