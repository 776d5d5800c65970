"""Support vector classification with nu, a bound on the fraction of errors, in place of C."""

import warnings
from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.weights import unit_weights
from gramian.base.types import Table
from gramian.svm.class_pairs import margin_factors
from gramian.svm.dual_machines import Solved
from gramian.svm.kernel_machine import NuFraction
from gramian.svm.pairwise_machines import LabelledRows, PairwiseMachines


@params(
    first=(
        "nu",
        "kernel",
        "degree",
        "gamma",
        "coef0",
        "shrinking",
        "tol",
        "cache_size",
        "class_weight",
        "verbose",
        "max_iter",
        "decision_function_shape",
        "break_ties",
        "random_state",
    )
)
class NuSVC(PairwiseMachines):
    """Support vector classification with nu, a fraction of the rows, in place of C.

    For each pair of classes, with labels y = -1, 1 (Scholkopf et al. 2000)::

        minimise  1/2 |w|^2 - nu rho + 1/n sum_i omega_i max(0, rho - y_i (w . phi(x_i) + b)),

    rho >= 0. nu is an upper bound on the fraction of rows inside the margin, and a lower bound on
    that of support vectors. The dual has alpha_i in [0, omega_i], which sum to nu W / 2 over each
    class, W the weight of both classes. Coefficients and constants are divided by rho at the end,
    so that the margins lie at -1 and 1. The solver is that of `SVC`.

    Parameters
    ----------
    nu
        Fraction in (0, 1]; for each pair of classes at most twice the smaller class's fraction of
        the weight.

    Examples
    --------
    >>> from gramian import NuSVC
    >>> X, y = [[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1]
    >>> NuSVC(nu=0.5, kernel="linear").fit(X, y).predict([[-0.5], [0.5]])
    array([0, 1])
    """

    _: KW_ONLY
    nu: NuFraction = 0.5

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d), or the square matrix of kernel values.
        y
            Labels.
        sample_weight
            Weights >= 0; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        labelled = self._check_labelled(X, y, sample_weight)
        # The solution does not depend on the scale of the weights.
        labelled = labelled._replace(weights=np.asarray(unit_weights(labelled.weights)))
        self._check_nu(labelled)
        n = labelled.table.shape[0]
        found = labelled.pairs.solve(
            self._points(labelled.table, float(labelled.weights.max())),
            labelled.weights,
            self._settings(n),
            nu=float(self.nu),
        )
        self._report(found.solved, n)
        self._check_margins(labelled, found.solved)
        scale = margin_factors(found.solved.r)
        self._set_machines(labelled, found, found.solved.rho * scale)
        self.objective_ = found.solved.values * scale**2
        return self

    def _check_margins(self, labelled: LabelledRows, solved: Solved) -> None:
        """Warn if a margin rho, which divides the scores, is not above the error of the solver.

        The optimal rho is 0 if nu is so small that no w separates the reduced convex hulls of the
        two classes, see Crisp and Burges, A geometric interpretation of nu-SVM classifiers, 2000.
        It shrinks with the columns, and may be negative if the kernel is not positive definite.
        """
        errors = np.maximum(solved.violations, self.tol)
        narrow = np.flatnonzero(solved.r <= errors)
        if len(narrow):
            k = narrow[0]
            a, b = self.classes_[labelled.pairs.pairs[k]].tolist()
            others = len(narrow) - 1
            pairs = "1 other pair" if others == 1 else f"{others} other pairs"
            more = f" (the same holds for {pairs})" if others else ""
            warnings.warn(
                f"NuSVC: the margin of classes {a!r} and {b!r} is {solved.r[k]:.2g} before the "
                f"scores are divided by it, not above the solver's error of {errors[k]:.2g}{more}, "
                f"so the scores may be wrong by their own size. Possible causes: nu={self.nu:g} is "
                "too small for these classes (raise nu), the columns are too small in scale (scale "
                "them, or lower tol), or the kernel is not positive definite, as 'sigmoid' may be "
                "(use another kernel, or other parameters of it).",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )

    def _check_nu(self, labelled: LabelledRows) -> None:
        """Raise if the constraints of a pair cannot be satisfied."""
        totals = np.array([float(labelled.weights[rows].sum()) for rows in labelled.pairs.rows])
        left, right = totals[labelled.pairs.pairs.T]
        most = 2 * np.minimum(left, right) / (left + right)
        wrong = np.flatnonzero(self.nu > most * (1 + 1e-12))
        if len(wrong):
            a, b = self.classes_[labelled.pairs.pairs[wrong[0]]].tolist()
            raise ParameterError(
                f"NuSVC: specified nu is infeasible: it must be at most {most[wrong[0]]:.6g}, "
                f"twice the smaller fraction of the weight of classes {a!r} and {b!r}; got "
                f"{self.nu:g}. Lower nu, or balance the classes with class_weight."
            )
