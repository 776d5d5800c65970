"""Linear regression by stochastic gradient descent."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator, Regressor
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunk, Chunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Floats, Matrix, Table
from gramian.linear_model.common.sparse_coefficients import SparseCoefficients, products
from gramian.linear_model.sgd.stochastic_chunks import run_chunks
from gramian.linear_model.sgd.stochastic_fit import SGDBase
from gramian.linear_model.sgd.stochastic_steps import Rate, RegressionLoss, Steps


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
        "random_state",
        "learning_rate",
        "eta0",
        "power_t",
    )
)
class SGDRegressor(SparseCoefficients, SGDBase, Regressor):
    """Linear regression by stochastic gradient descent.

    ::

        minimise  1/n sum_i L(y_i, w . x_i + b) + alpha [(1 - rho) |w|^2 / 2 + rho |w|_1]

    one row at a time, as in `SGDClassifier`. Columns must have similar scales.

    Parameters
    ----------
    loss
        "squared_error", "huber", "epsilon_insensitive" or its square, "absolute_error", or
        "poisson", e^z - y z for counts y >= 0, whose mean is e^z.
    early_stopping
        Whether to hold out rows and compare their R^2, instead of the loss, with `tol`.

    Attributes
    ----------
    coef_ : array (d,)
        The weights w.
    intercept_ : array (1,)
        The intercept b.
    descent_ : dict
        The state from which `partial_fit` continues.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import SGDRegressor
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> model = SGDRegressor(alpha=0, eta0=0.1, tol=1e-6, random_state=0).fit(X, 2 * X[:, 0] + 1)
    >>> bool(abs(model.predict([[0.5]])[0] - 2) < 0.01)
    True
    """

    loss: RegressionLoss | Literal["poisson"] = "squared_error"
    _: KW_ONLY
    learning_rate: Rate = "invscaling"
    power_t: NonNegative = 0.25

    def _fit(
        self, X: Table, y: npt.ArrayLike, coef_init: Any, intercept_init: Any, sample_weight: Any
    ) -> Self:
        table = check_fit(self, X)
        check_size(self, "X", table, 1e100)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=float)
        self._check_counts(targets)
        weights = check_weights(self, sample_weight, table.shape[0])
        check_size(self, "sample_weight", weights, 1e100)
        task = Task.of(self, steps=1, X=X, y=y)
        steps = self._steps_for(table.shape[1], self.loss)
        if self.warm_start and coef_init is None and hasattr(self, "coef_"):
            coef_init, intercept_init = self.coef_, self.intercept_
        if coef_init is not None:
            w = np.asarray(coef_init, dtype=float).reshape(-1)
            if len(w) != table.shape[1]:
                raise DataError(
                    f"SGDRegressor: coef_init must have length {table.shape[1]}; got {len(w)}."
                )
            steps.set(w, 0.0 if intercept_init is None else float(np.ravel(intercept_init)[0]))

        def r_squared(steps: Steps, rows: npt.NDArray[np.intp]) -> float:
            w, b = steps.result()
            error = targets[rows] - self._mean(np.asarray(table[rows] @ w, dtype=float) + b)
            spread = float(np.sum((targets[rows] - targets[rows].mean()) ** 2))
            return 1 - float(error @ error) / max(spread, 1e-300)

        seed = seed_of(self.random_state)
        epochs = self._run(steps, table, targets, weights, seed=seed, labels=None, score=r_squared)
        self._set_fit(steps, epochs, table.dtype)
        task.done(dict)
        return self

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Fit to rows in chunks, in blocks of 65,536 rows.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. An epoch is a pass.

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> from gramian import SGDRegressor
        >>> X = np.linspace(-1, 1, 50)[:, None]
        >>> chunks = [(X[::2], 2 * X[::2, 0] + 1), (X[1::2], 2 * X[1::2, 0] + 1)]
        >>> model = SGDRegressor(alpha=0, eta0=0.1, tol=1e-6, random_state=0).fit_chunks(chunks)
        >>> bool(abs(model.predict([[0.5]])[0] - 2) < 0.01)
        True
        """
        gate = replace(Chunks.of(self, chunks), check_y=check_targets)
        steps = self._steps_for(gate.n_features, self.loss)
        if self.warm_start and hasattr(self, "coef_"):
            steps.set(self.coef_, float(np.ravel(self.intercept_)[0]))
        task = Task.of(self, steps=self.max_iter, verbose=self.verbose)
        (steps,), epochs = run_chunks(
            self,
            gate,
            [steps],
            partial(_targets, gate.estimator),
            seed=seed_of(self.random_state),
            largest=1e100,
            after=lambda _: task.iteration(dict),
        )
        self._set_fit(steps, epochs, gate.dtype)
        task.done(dict)
        return self

    def partial_fit(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Run one epoch over a batch of rows, starting from the state of the last call.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self
        """
        if self.early_stopping:
            raise DataError(
                "SGDRegressor: early_stopping should be False with partial_fit, whose calls see "
                "parts of the rows; hold out rows yourself."
            )
        first = not hasattr(self, "coef_")
        table = check_fit(self, X) if first else check_new(self, X)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=float)
        self._check_counts(targets)
        weights = check_weights(self, sample_weight, table.shape[0])
        steps = self._steps_for(table.shape[1], self.loss)
        if not first:
            steps.resume(self.descent_)
        self._epoch(steps, table, targets, weights, seed_of(self.random_state))
        self._set_fit(steps, 1, table.dtype)
        return self

    def _set_fit(self, steps: Steps, epochs: int, dtype: npt.DTypeLike) -> None:
        w, b = self._finite_result(steps)
        self.descent_ = steps.state()
        self.coef_: Matrix = w.astype(dtype)
        self.intercept_: Matrix = np.array([b], dtype=dtype)
        self.n_iter_, self.t_ = epochs, steps.t

    def predict(self, X: Table) -> Matrix:
        """Return w . x + b for each row, or for loss="poisson" its exponential."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        z = products(table, self.coef_).reshape(table.shape[0])
        return self._mean(z + self.intercept_[0])

    def _mean(self, z: Matrix) -> Matrix:
        return np.exp(z) if self.loss == "poisson" else z

    def _check_counts(self, targets: Floats) -> None:
        if self.loss == "poisson" and (targets < 0).any():
            raise DataError(
                f"SGDRegressor: y must be >= 0 with loss='poisson'; got {targets.min():g} at row "
                f"{int(targets.argmin())}. Choose another loss."
            )


def _targets(model: Estimator, block: Chunk) -> tuple[list[Floats], Floats | None]:
    """Return the targets of a block, and its weights."""
    y = np.asarray(check_targets(model, block.y, block.X.shape[0]), dtype=float)
    model._check_counts(y)
    check_size(model, "sample_weight", block.weights, 1e100)
    return [y], block.weights
