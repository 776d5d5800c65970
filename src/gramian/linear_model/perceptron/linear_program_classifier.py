"""A linear classifier by linear programming."""

from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.callbacks import CallbackSupportMixin, with_callbacks
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.gate import check_fit
from gramian.base.kinds import Classifier
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.targets import check_labels
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.base.weights import ClassWeight, check_weights, weigh_classes
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.common.linear_scores import LinearScores
from gramian.linear_model.perceptron.separability import units_of


@params
class LinearProgramClassifier(LinearScores, CallbackSupportMixin, Classifier):
    """The hyperplane of the least sum of slack.

    ::

        minimise  sum_i omega_i xi_i + lambda |w|_1
        subject to  y_i (w . x_i + b) >= 1 - xi_i,   xi_i >= 0

    The minimum without a penalty is 0 exactly if the classes are separable (Mangasarian 1965;
    `separability` gives a certificate in both cases), and then any separating hyperplane is a
    solution. A small lambda picks one of the least |w|_1, which is sparse; below 1e-4 or so it is
    below the tolerance of HiGHS, which solves the program, and any of many minima may be found.
    More than two classes: each against the rest.

    Parameters
    ----------
    penalty
        lambda.
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

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        name = "LinearProgramClassifier"
        given = check_weights(self, sample_weight, table.shape[0])
        weights = weigh_classes(name, self.class_weight, codes, classes, given)
        weights = np.ones(len(codes)) if weights is None else weights
        check_classes(name, classes, np.bincount(codes, weights, len(classes)).astype(float))
        outputs = [1] if len(classes) == 2 else range(len(classes))
        found = [self._program(table, np.where(codes == k, 1.0, -1.0), weights) for k in outputs]
        self.classes_ = classes
        self.coef_ = np.array([w for w, _, _ in found]).astype(table.dtype)
        self.intercept_ = np.array([b for _, b, _ in found]).astype(table.dtype)
        self.slack_ = np.array([slack for _, _, slack in found])
        return self

    def decision_function(self, X: Table) -> Matrix:
        """Return the score w . x + b of each class, shape (n, K); of the second if K = 2.

        Scores are rounded to the 6 decimals that HiGHS guarantees: at its minima many rows lie on
        an edge, f = 1 or -1, of several classes at once, and rounding must not choose among them.
        """
        return np.round(super().decision_function(X), 6)

    def _program(self, table: Data, y: Floats, weights: Floats) -> tuple[Floats, float, float]:
        """Solve over (w+, w-, b, xi), w = w+ - w-, both >= 0, with columns of one unit."""
        table = sp.csr_array(table, dtype=float)
        units = units_of(table)
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
