"""A linear classifier by linear programming."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.callbacks import CallbackSupportMixin
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.inputs.weights import ClassWeight
from gramian.base.kinds import Classifier
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linear_model.common.class_targets import class_outputs
from gramian.linear_model.common.labelled_fit import LabelledFit, LabelledRows
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.perceptron.separability import column_scales


@params
class LinearProgramClassifier(LabelledFit, LinearScores, CallbackSupportMixin, Classifier):
    """Linear classification by a linear program: the smallest sum of slacks.

    ::

        minimise  sum_i omega_i xi_i + lambda |w|_1
        subject to  y_i (w . x_i + b) >= 1 - xi_i,   xi_i >= 0

    The minimum without a penalty is 0 exactly if the classes are separable (Mangasarian 1965;
    `separability` gives a certificate in both cases), and then any separating hyperplane is a
    solution. A small lambda selects a sparse one, with the least |w|_1. Below about 1e-4 lambda has
    no reliable effect, because the tolerance of the solver, HiGHS, is larger. With more than two
    classes, each is fitted against the rest.

    Parameters
    ----------
    penalty
        Strength lambda of the l1 penalty.
    fit_intercept
        Whether to fit a bias b.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.

    Attributes
    ----------
    slack_ : array (1,) or (K,)
        The weighted sums of slack.

    Examples
    --------
    >>> from gramian import LinearProgramClassifier
    >>> model = LinearProgramClassifier().fit([[0.0], [1.0], [3.0]], [0, 0, 1])
    >>> bool(model.slack_[0] < 1e-9), model.predict([[0.5], [3.5]]).tolist()
    (True, [0, 1])
    """

    _: KW_ONLY
    penalty: NonNegative = 1e-3
    fit_intercept: bool = True
    class_weight: ClassWeight = None

    def _fit_labelled(self, rows: LabelledRows, data: dict[str, Any]) -> Self:
        codes, weights = rows.targets, rows.row_weights()
        found = [
            self._solve_program(rows.X, np.where(codes == k, 1.0, -1.0), weights)
            for k in class_outputs(rows.classes)
        ]
        self.classes_ = rows.classes
        self.coef_ = np.array([w for w, _, _ in found]).astype(rows.X.dtype)
        self.intercept_ = np.array([b for _, b, _ in found]).astype(rows.X.dtype)
        self.slack_ = np.array([slack for _, _, slack in found])
        return self

    def decision_function(self, X: Table) -> Matrix:
        """Return the score w . x + b of each class, shape (n, K); of the second if K = 2.

        Scores are rounded to the 6 decimals that HiGHS guarantees. At its minima many rows have a
        score of exactly 1 or -1 for several classes, and rounding errors must not break these ties.
        """
        return np.round(super().decision_function(X), 6)

    def _solve_program(
        self, table: Data, y: Floats, weights: Floats
    ) -> tuple[Floats, float, float]:
        """Solve over (w+, w-, b, xi), w = w+ - w-, both >= 0, with columns scaled to size 1."""
        table = sp.csr_array(table, dtype=float)
        units = column_scales(table)
        rows = sp.diags_array(y) @ table @ sp.diags_array(1 / units)
        n, d = rows.shape
        ones = sp.csr_array((y * self.fit_intercept)[:, None])
        found = interruptible(
            PROGRAM * n * d,
            linprog,
            np.r_[np.tile(float(self.penalty) / units, 2), 0.0, weights],
            A_ub=-sp.hstack([rows, -rows, ones, sp.eye_array(n)], format="csr"),
            b_ub=-np.ones(n),
            bounds=[(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n,
        )
        if found.x is None:
            raise DataError(
                f"LinearProgramClassifier: HiGHS found no minimum: {found.message} Scale the "
                "columns of X."
            )
        w = (found.x[:d] - found.x[d : 2 * d]) / units
        b = float(found.x[2 * d]) * self.fit_intercept
        return w, b, float(weights @ found.x[2 * d + 1 :])
