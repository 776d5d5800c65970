"""Rosenblatt's perceptron, with textbook options."""

import warnings
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import KW_ONLY, NonNegative, Positive, Seed, params
from gramian.base.inputs.gate import LARGEST
from gramian.base.inputs.targets import Codes
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Floats, Table, is_sparse
from gramian.linear_model.common.class_targets import class_outputs
from gramian.linear_model.sgd.stochastic_classifier import StochasticClassifier, accuracy_on
from gramian.linear_model.sgd.stochastic_steps import Steps


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
        "eta0",
        "n_jobs",
        "random_state",
        "early_stopping",
        "validation_fraction",
        "n_iter_no_change",
        "class_weight",
    )
)
class Perceptron(StochasticClassifier):
    """Perceptron.

    ::

        if y_i (w . x_i + b) <= 0:   w <- w + eta y_i x_i,   b <- b + eta y_i

    This is stochastic gradient descent on the risk R(w) = sum over the rows on the wrong side of
    -y_i w . x_i (Rosenblatt 1958). Rows on the boundary count as mistakes: at w = 0 all rows are.
    If some hyperplane through the origin of (x, 1) has all rows at a distance of at least gamma
    on their correct sides, and no row is longer than R, there are at most (R / gamma)^2 mistakes
    from w = 0 (Novikoff 1962; see `mistake_bound`), and an epoch without one ends the fit.
    Otherwise it never converges: average the weights, or stop early. With more than two classes,
    each is fitted against the rest.

    Parameters
    ----------
    penalty
        "l2", "l1", "elasticnet", or None, the textbook perceptron.
    tol
        Stop when the mean of -y f over the mistakes has not improved by `tol` on its best value
        for `n_iter_no_change` epochs in a row; None stops only after an epoch without a mistake, as
        with method="batch".
    eta0
        The step size eta. From w = 0 it only scales w.
    method
        "online": row by row. "batch": w <- w + eta times the sum over all mistakes of an epoch:
        gradient descent on R, without penalty, averaging or held-out rows.
    average
        Whether to average the weights over all visits (Freund and Schapire 1999), which is more
        stable if no hyperplane separates the classes.
    init
        The initial w: "zeros", "ones", "row" (y_j x_j of the first row), "random" (standard
        normal).
    margin
        A row with y_i f(x_i) <= margin counts as a mistake.
    strict
        Whether a row on the boundary is correct: a mistake is y f < margin instead of <=.

    Attributes
    ----------
    mistakes_ : array (1,) or (K,)
        Number of updates.
    converged_ : bool
        Whether the last epoch made no mistake.
    t_ : float
        1 plus the number of rows visited.

    Examples
    --------
    >>> from gramian import Perceptron
    >>> model = Perceptron(shuffle=False).fit([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0]], [1, 1, -1])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_.tolist()
    ([[2.0, 1.0]], [1.0], [1])
    """

    _: KW_ONLY
    penalty: Literal["l2", "l1", "elasticnet"] | None = None
    eta0: Positive = 1.0
    random_state: Seed = 0
    method: Literal["online", "batch"] = "online"
    average: bool = False
    init: Literal["zeros", "ones", "row", "random"] = "zeros"
    margin: NonNegative = 0.0
    strict: bool = False

    @with_callbacks
    def fit(
        self,
        X: Table,
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
            Initial w and b, instead of `init`.
        sample_weight
            Weights >= 0, which multiply the steps of the rows.

        Returns
        -------
        self
        """
        table, codes, classes, weights = self._check_rows(X, y, sample_weight, LARGEST)
        outputs = class_outputs(classes)
        seed = seed_of(self.random_state)
        self._check_method()
        task = Task.of(self, steps=len(outputs), X=X, y=y, verbose=self.verbose)
        start = None
        if coef_init is not None or (self.warm_start and hasattr(self, "coef_")):
            start = self._start(coef_init, intercept_init, len(outputs), table.shape[1])
        descents, epochs, mistakes, ends = [], [], [], []
        for k, positive in enumerate(outputs):
            signs = np.where(codes == positive, 1.0, -1.0)
            steps = self._steps(table.shape[1])
            if start is not None:
                steps.set(start[0][k], float(start[1][k]))
            else:
                self._set_initial(steps, table, signs, seed + k)
            made, wrong, ended = self._epochs(steps, table, signs, weights, codes, seed + k)
            descents.append(steps)
            epochs.append(made)
            mistakes.append(wrong)
            ends.append(ended)
            task.iteration(dict, name="class")
        self._set_model(descents, classes, table.dtype)
        self.n_iter_, self.mistakes_ = max(epochs), np.array(mistakes)
        self.t_ = float(1 + self.n_iter_ * table.shape[0])
        self.converged_ = all(ends)
        runs_out = self.tol is None or self.method == "batch"
        if not self.converged_ and runs_out and not self.average:
            warnings.warn(
                f"Perceptron: did not converge: there are still mistakes in epoch {self.max_iter}; "
                "the rows may not be separable (see separability). Raise max_iter, or set "
                "method='online' and average=True, which is more stable for such data.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return self

    def _partial_epoch(
        self, descents: list[Steps], signs: list[Floats], X: Data, weights: Floats | None
    ) -> None:
        """Test each row once, in the given order, and update on mistakes."""
        self._check_method()
        mistakes = np.zeros(len(descents), dtype=int)
        order = np.arange(X.shape[0], dtype=np.int32)
        for k, (steps, y) in enumerate(zip(descents, signs, strict=True)):
            steps.epoch(X, y, weights, order)
            mistakes[k] = steps.updates
        self.mistakes_ = getattr(self, "mistakes_", 0) + mistakes
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        self.t_ = getattr(self, "t_", 1.0) + X.shape[0]
        self.converged_ = False

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
        alpha, l1_ratio = self._penalty()
        return Steps(
            n_features,
            loss="perceptron",
            epsilon=wrong_below,
            alpha=alpha,
            l1_ratio=l1_ratio,
            rate="constant",
            eta0=float(self.eta0),
            power=1.0,
            fit_intercept=self.fit_intercept,
            average_from=1.0 if self.average else np.inf,
        )

    def _set_initial(self, steps: Steps, table: Data, signs: Floats, seed: int) -> None:
        d, bias = table.shape[1], float(self.fit_intercept)
        match self.init:
            case "ones":
                steps.set(np.ones(d), bias)
            case "row":
                row = table[[0]].toarray()[0] if is_sparse(table) else table[0]
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
        codes: Codes,
        seed: int,
    ) -> tuple[int, int, bool]:
        """Return the numbers of epochs and mistakes, and whether the last epoch made no mistake."""
        mistakes: list[int] = []
        if self.method == "batch":
            while len(mistakes) < self.max_iter and (not mistakes or mistakes[-1] > 0):
                mistakes.append(self._batch_step(steps, table, signs, weights))
            return len(mistakes), sum(mistakes), mistakes[-1] == 0

        def after(steps: Steps) -> bool:
            mistakes.append(steps.updates)
            return steps.updates == 0

        score = accuracy_on(table, signs)
        made = self._run(
            steps, table, signs, weights, seed=seed, labels=codes, score=score, after=after
        )
        return made, sum(mistakes), mistakes[-1] == 0

    def _batch_step(self, steps: Steps, table: Data, signs: Floats, weights: Floats | None) -> int:
        """Take one gradient step on the risk; return the number of mistakes before it."""
        margins = signs * (np.asarray(table @ steps.w, dtype=float) + steps.b)
        wrong = margins < self.margin if self.strict else margins <= self.margin
        factor = self.eta0 * wrong * signs * (1.0 if weights is None else weights)
        b = steps.b + (factor.sum() if self.fit_intercept else 0.0)
        steps.set(steps.w + table.T @ factor, float(b))
        return int(np.count_nonzero(factor))
