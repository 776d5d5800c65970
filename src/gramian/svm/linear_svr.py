"""The linear support vector machine for regression."""

import warnings
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import (
    CallbackSupportMixin,
    Task,
    print_progress,
    with_callbacks,
)
from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor
from gramian.base.randomness import seed_of
from gramian.base.types import Matrix, Table
from gramian.solvers.coordinate.dual_sweeps import DualSweeps
from gramian.svm.linear_svm import LinearSVM


@params(first=("epsilon", "tol", "C", "loss", "fit_intercept", "intercept_scaling", "dual"))
class LinearSVR(LinearSVM, CallbackSupportMixin, Regressor):
    """Linear support vector regression.

    Fits a linear function with a tube around it; errors inside the tube cost nothing::

        minimise  1/2 |w|^2 + C sum_i omega_i L(|y_i - w . x_i - b|),

    where L(r) = max(0, r - epsilon) or its square (Vapnik 1998). The bias is the weight of a
    constant column with value `intercept_scaling` and is penalised like the other weights. The
    solver is coordinate descent on the dual, with shrinking (Ho and Lin 2012); a sweep costs as
    much as reading X twice. Results are bitwise identical for any number of threads.

    Parameters
    ----------
    epsilon
        Half the width of the tube.
    C
        Cost of errors outside the tube, the inverse of the regularisation strength.
    loss
        "epsilon_insensitive", or "squared_epsilon_insensitive".
    dual
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    coef_ : array (d,)
        The weights w.
    intercept_ : array (1,)
        The intercept b.
    dual_coef_ : array (n,)
        beta with w = sum_i beta_i x_i: 0 inside the tube, C or -C outside, between on its edge.
    n_iter_ : int
        Number of sweeps.

    Examples
    --------
    >>> from gramian import LinearSVR
    >>> line = LinearSVR(C=100.0, tol=1e-8, intercept_scaling=10)
    >>> line = line.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> float(line.predict([[3.0]]).round(3)[0])
    3.0
    """

    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    epsilon: NonNegative = 0.0
    loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive"
    dual: bool | Literal["auto"] = "auto"

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Numeric targets.
        sample_weight
            Weights >= 0 of the rows' errors; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=float)
        weights = check_weights(self, sample_weight, table.shape[0])
        task = Task.of(self, steps=1, X=X, y=y)
        c = self.C * (np.ones(len(targets)) if weights is None else weights)
        squared = self.loss == "squared_epsilon_insensitive"
        most = np.where(c > 0, np.inf, 0.0) if squared else c
        ridge = 0.5 / np.where(c > 0, c, 1.0) if squared else 0.0
        ones = float(self.intercept_scaling) if self.fit_intercept else 0.0
        solver = DualSweeps(
            table,
            "box",
            targets,
            -most,
            most,
            ridge,
            ones=ones,
            epsilon=float(self.epsilon),
            seed=seed_of(self.random_state),
        )
        converged, violation = solver.converge(self.tol, self.max_iter)
        print_progress(self, f"{solver.sweeps} sweeps, largest violation = {violation:.3g}")
        self.coef_: Matrix = solver.w[:-1].astype(table.dtype)
        self.intercept_: Matrix = np.array([solver.bias], dtype=table.dtype)
        self.dual_coef_ = solver.beta.copy()
        self.n_iter_ = solver.sweeps
        if not converged:
            warnings.warn(
                f"LinearSVR: did not converge after max_iter={self.max_iter} sweeps: an optimality "
                f"condition is violated by {violation:.2g}, above tol={self.tol:g}. Scale the "
                "columns, or raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return self

    def predict(self, X: Table) -> Matrix:
        """Return w . x + b for each row."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        return np.asarray(table @ self.coef_ + self.intercept_[0])
