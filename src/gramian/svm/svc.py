"""Support vector classification with kernels."""

from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Positive, params
from gramian.base.types import Floats, Table
from gramian.svm.class_pairs import SolvedPairs, kernel_buffer, shared_points
from gramian.svm.dual_machines import Start, scaled_start
from gramian.svm.linear_svc import NotSeparableError
from gramian.svm.pairwise_machines import LabelledRows, PairwiseMachines

# Smallest width of a hard-margin slab, as a fraction of the radius of the rows in the space of the
# kernel: narrower slabs would need multipliers too large to solve for.
_MIN_WIDTH = 1e-3


@params(
    first=(
        "C",
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
class SVC(PairwiseMachines):
    """Support vector classification with a kernel.

    With labels y = -1, 1 and features phi of the kernel k(x, z) = phi(x) . phi(z)::

        minimise  1/2 |w|^2 + C sum_i omega_i max(0, 1 - y_i (w . phi(x_i) + b)),

    by the dual (Vapnik 1998; Cristianini and Shawe-Taylor 2000)::

        minimise  1/2 sum_ij alpha_i alpha_j y_i y_j k(x_i, x_j) - sum_i alpha_i
        subject to  0 <= alpha_i <= C omega_i,   sum_i alpha_i y_i = 0.

    The score of x is sum_i alpha_i y_i k(x_i, x) + b over the support vectors, the rows with
    alpha_i > 0. An infinite C gives the hard margin. With more than two classes there is one
    machine per pair, and the class with most votes wins.

    The solver is sequential minimal optimisation. It selects pairs of variables by second-order
    gain (Fan, Chen and Lin 2005) inside working sets of a few hundred variables whose kernel values
    fit the processor's cache, with shrinking and LIBSVM's stopping rule (Chang and Lin 2011) on the
    gradient of all rows. Kernel values have single precision, as in LIBSVM, while their rounding
    errors are negligible against `tol`, and double precision otherwise; rows are centred for the
    kernels "rbf" and "linear". A fit takes O(n d) per row that becomes a support vector; memory is
    `cache_size` and O(n d), and O(n^2) for a kernel that is a function. Results are bitwise
    identical for any number of threads.

    For the linear kernel and many rows `LinearSVC` is much faster. For probabilities use
    scikit-learn's ``CalibratedClassifierCV(SVC(), ensemble=False)``.

    Parameters
    ----------
    C
        Cost of slack, the inverse of the regularisation strength. Infinity gives the hard margin;
        an error is raised if the classes are not separable in the space of the kernel, or only by
        less than a thousandth of the radius of the rows.

    Examples
    --------
    >>> from gramian import SVC
    >>> model = SVC(kernel="linear", C=float("inf")).fit([[1.0, 1.0], [-1.0, -1.0]], [1, -1])
    >>> model.dual_coef_.tolist(), model.coef_.tolist(), model.intercept_.tolist()
    ([[-0.25, 0.25]], [[0.5, 0.5]], [0.0])
    """

    _: KW_ONLY
    C: Positive = 1.0

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d), or the square matrix of kernel values.
        y
            Labels.
        sample_weight
            Weights >= 0 that multiply C; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        labelled = self._check_labelled(X, y, sample_weight)
        points = self._points(labelled.table, self._max_multiplier(labelled))
        self._solve(labelled, points)
        return self

    def fit_path(
        self,
        X: Table,
        y: npt.ArrayLike,
        Cs: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
    ) -> list[Self]:
        """Fit a machine for each value of C, each started from the solution for the next smaller C.

        The start is the best multiple of that solution. Kernel values are computed once if
        the whole matrix fits into `cache_size`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        Cs
            Finite values of C, in any order.

        Returns
        -------
        models : list
            A fitted copy of this estimator for each C, in the order given.
        """
        values = check_grid("SVC", "Cs", Cs)
        model = clone(self)
        labelled = model._check_labelled(X, y, sample_weight)
        n = labelled.table.shape[0]
        K = kernel_buffer(n, self.cache_size)
        rows = labelled.pairs.rows_of(labelled.pairs.pairs)
        bound = float(values.max() * labelled.weights.max())
        points = shared_points(model._points(labelled.table, bound), n, K)
        models: dict[int, Self] = {}
        start: Start | None = None
        solved: SolvedPairs | None = None
        before = 1.0
        for k in np.argsort(values, kind="stable").tolist():
            C = float(values[k])
            copy = clone(self).set_params(C=C)
            for name in ("classes_", "class_weight_", "gamma_", "n_features_in_"):
                setattr(copy, name, getattr(model, name))
            if hasattr(model, "feature_names_in_"):
                copy.feature_names_in_ = model.feature_names_in_
            if solved is not None and solved.alpha is not None:
                start = scaled_start(
                    solved.solved, solved.alpha, rows.sign, rows.starts, C / before
                )
            solved = copy._solve(labelled, points, start, keep=True)
            before = C
            if K is not None:  # the machines computed none
                copy.kernel_entries_ = 0 if models else K.size
            models[k] = copy
        return [models[k] for k in range(len(values))]

    def fit_columns(
        self, X: Table, Y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> list[Self]:
        """Fit a machine to each column of labels.

        Kernel values are computed once, in single precision, if the whole matrix fits into
        `cache_size`.

        Parameters
        ----------
        X
            As for `fit`.
        Y
            Labels, (n, machines), one column per machine.
        sample_weight
            As for `fit`; with weights, the machines do not share kernel values.

        Returns
        -------
        models : list
            A fitted copy of this estimator for each column.

        Examples
        --------
        >>> X, Y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
        >>> [model.predict([[1.0]]).tolist() for model in SVC(C=100).fit_columns(X, Y)]
        [[0], [1]]
        """
        columns = np.asarray(Y)
        if columns.ndim != 2:
            raise DataError(f"SVC: Y must have one column per machine; got shape {columns.shape}.")
        if sample_weight is not None:
            return [clone(self).fit(X, column, sample_weight) for column in columns.T]
        models: list[Self] = []
        points: _native.SvmPoints | None = None
        for column in columns.T:
            model = clone(self)
            labelled = model._check_labelled(X, column, None)
            if points is None:
                n = labelled.table.shape[0]
                rows = model._points(labelled.table, model._max_multiplier(labelled))
                points = shared_points(rows, n, kernel_buffer(n, self.cache_size))
            model._solve(labelled, points)
            models.append(model)
        return models

    def _max_multiplier(self, labelled: LabelledRows) -> float:
        """Return the upper bound of the multipliers."""
        return float(self.C) * float(labelled.weights.max())

    def _solve(
        self,
        labelled: LabelledRows,
        points: _native.SvmPoints,
        start: Start | None = None,
        *,
        keep: bool = False,
    ) -> SolvedPairs:
        """Fit from a start; return the solution, with the variables of all pairs if `keep`."""
        n = labelled.table.shape[0]
        hard = bool(np.isinf(self.C))
        upper = self.C * labelled.weights if not hard else labelled.weights
        if hard:
            # At the optimum the multipliers sum to 4 / width^2.
            radius = max(float(points.largest_diagonal()), 1e-300)
            upper = np.full(n, 4 / (_MIN_WIDTH**2 * radius))
        settings = self._settings(n)
        found = labelled.pairs.solve(points, upper, settings, start=start, keep=keep)
        if hard:
            self._check_separable_pairs(found, float(upper[0]))
        self._report(found.solved, n)
        self._set_machines(labelled, found, found.solved.rho)
        return found

    def _check_separable_pairs(self, found: SolvedPairs, most: float) -> None:
        large = np.argwhere(np.abs(found.coef) >= most)
        if len(large):
            other, vector = large[0].tolist()
            own = int(np.searchsorted(np.cumsum(found.sizes), vector, side="right"))
            first, second = sorted((own, other + (other >= own)))
            a, b = self.classes_[[first, second]].tolist()
            raise NotSeparableError(
                f"SVC: the hard margin (C=inf) needs separable classes; {a!r} and {b!r} are "
                f"not separable, or only by less than {_MIN_WIDTH:g} of the radius of the rows "
                "in the space of the kernel. Set a finite C, or choose another kernel."
            )


def check_grid(owner: str, name: str, value: npt.ArrayLike) -> Floats:
    """Return the values of a parameter grid, finite numbers > 0."""
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.ndim != 1 or not len(values) or not (np.isfinite(values) & (values > 0)).all():
        raise ParameterError(f"{owner}: {name} must be finite numbers > 0; got {value!r}.")
    return values
