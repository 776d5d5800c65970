"""Base class of kernel machines: parameters, kernel values, scores of new rows."""

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.callbacks import print_progress
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Function,
    Interval,
    NonNegativeInt,
    Positive,
    params,
)
from gramian.base.inputs.gate import check_finite, check_fit, check_size, check_stored
from gramian.base.kinds import DeclaredTags, Estimator, Tags
from gramian.base.rows.native_table import native_table
from gramian.base.runtime.blas import bands, run_in_parallel
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.kernels.distance_kernels import RBF
from gramian.kernels.inner_products import Linear, Polynomial, Sigmoid
from gramian.kernels.kernel import ALL_COLUMNS
from gramian.kernels.matrix import check_symmetric
from gramian.kernels.resolution import gamma_of, resolve_kernel
from gramian.kernels.user_kernels import Precomputed
from gramian.svm.dual_machines import Settings, Solved
from gramian.svm.pair_scores import pair_scores, pair_votes, winning_classes

NuFraction = Annotated[float, Interval(Real, 0, 1, open_low=True)]
FinitePositive = Annotated[float, Interval(Real, 0, float("inf"), open_low=True, open_high=True)]
KernelName: TypeAlias = Literal["linear", "poly", "rbf", "sigmoid", "precomputed"]

# Rounding errors of kernel values may sum up to this fraction of the tolerance.
_ROUNDING_FRACTION = 0.25
_MAX_DEGREE = 2**31 - 1  # an int of the core


class FittedMachine:
    """Fitted attributes of kernel machines; these annotations are not parameters."""

    support_: npt.NDArray[np.int32]
    support_vectors_: Data
    dual_coef_: Floats
    intercept_: Floats
    gamma_: float
    n_features_in_: int
    classes_: npt.NDArray[Any]
    n_support_: npt.NDArray[np.int32]


@params
class KernelMachine(FittedMachine, DeclaredTags, Estimator):
    """A support vector machine with a kernel.

    Parameters
    ----------
    kernel
        "rbf": exp(-gamma |x - z|^2); "linear": x . z; "poly": (gamma x . z + coef0)^degree;
        "sigmoid": tanh(gamma x . z + coef0), which is not positive definite for all parameters;
        "precomputed": X is the matrix of kernel values, a row per new row, a column per training
        row. Or a kernel of `gramian.kernels`, or a function of two tables that returns the matrix.
        For a function, and for kernels other than `RBF`, `Linear`, `Polynomial` and `Sigmoid`, the
        whole training matrix is held in memory, 8 n^2 bytes, regardless of `cache_size`.
    degree
        Degree of "poly".
    gamma
        "scale": 1 / (d v), v the variance of all values of X, weighted by the sample weights
        (scikit-learn ignores them); "auto": 1 / d.
    coef0
        Constant of "poly" and "sigmoid".
    tol
        Stop when no pair of rows violates the optimality conditions by this much or more.
    shrinking
        Whether to leave out rows that stay at a bound until the others have converged; the
        conditions are then tested on all rows.
    cache_size
        Memory for kernel values in MB. Values that do not fit are computed again.
    verbose
        Whether to print a line for each machine, one per pair of classes.
    max_iter
        Maximum number of pair updates; -1 means 100 n, at least 10 million.

    Attributes
    ----------
    support_ : array (n_sv,)
        Row indices of the support vectors.
    support_vectors_ : array or CSR (n_sv, d)
        The support vectors; empty for a precomputed kernel.
    gamma_ : float
        Value of gamma.
    fit_status_ : int
        0 if converged, 1 if not.
    shape_fit_ : tuple
        Shape of the training rows.
    kernel_entries_ : int
        Number of kernel values computed.
    """

    takes_sparse: ClassVar[bool] = True
    parametric: ClassVar[bool | None] = False
    _sums_to_zero: ClassVar[bool] = True  # whether the coefficients of a machine sum to zero
    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: self._precomputed,
        "input_tags.sparse": lambda self: not self._precomputed,
    }

    _: KW_ONLY
    kernel: KernelName | Function = "rbf"
    degree: Annotated[int, Interval(Integral, 0, _MAX_DEGREE)] = 3
    gamma: Literal["scale", "auto"] | FinitePositive = "scale"
    coef0: Annotated[float, Interval(Real)] = 0.0
    tol: Positive = 1e-3
    shrinking: bool = True
    cache_size: Positive = 200
    verbose: bool | NonNegativeInt = False
    max_iter: Annotated[int, Interval(Integral, -1)] = -1

    @property
    def _precomputed(self) -> bool:
        """Whether X contains kernel values."""
        return self.kernel == "precomputed" or isinstance(self.kernel, Precomputed)

    @property
    def _native_kernel(self) -> tuple[str, float, float, int] | None:
        """Name, gamma, coef0 and degree of a kernel that the core computes; None for others."""
        kernel: Any = self.kernel
        if isinstance(kernel, RBF):
            return "rbf", float(kernel.gamma), 0.0, 0
        if isinstance(kernel, Linear):
            return "linear", 1.0, 0.0, 0
        if isinstance(kernel, Sigmoid):
            return "sigmoid", float(kernel.gamma), float(kernel.coef0), 0
        if isinstance(kernel, Polynomial) and kernel.degree == int(min(kernel.degree, _MAX_DEGREE)):
            return "poly", float(kernel.gamma), float(kernel.coef0), int(kernel.degree)
        if self._precomputed or not isinstance(kernel, str):
            return None
        return kernel, self.gamma_, float(self.coef0), int(self.degree)

    @property
    def _vectors_per_class(self) -> npt.NDArray[np.int32]:
        """Number of support vectors of each class, or of the only machine."""
        return np.array([len(self.support_)], dtype=np.int32)

    def _output_type(self) -> Any:
        """Return the dtype of scores, that of the training rows."""
        return self.support_vectors_.dtype

    @property
    def coef_(self) -> Matrix:
        """The weights of the columns, for the linear kernel."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        return np.asarray(self.dual_coef_ @ self._centred_vectors)

    @property
    def _centred_vectors(self) -> Data:
        """The support vectors minus their mean m, for the linear kernel; sparse vectors unchanged.

        Where the coefficients c of a machine sum to zero, sum c (v - m) . x = sum c v . x for all
        rows x, with smaller terms, so that fewer digits are lost for rows far from 0.
        """
        vectors = self.support_vectors_
        if sp.issparse(vectors) or not self._sums_to_zero or not len(vectors):
            return vectors
        return vectors - vectors.mean(axis=0, dtype=np.float64)

    def _check_rows(self, X: Table) -> Data:
        """Check the parameters and the training rows, or the precomputed kernel matrix."""
        table = check_fit(self, X)
        name = type(self).__name__
        if self._precomputed:
            if sp.issparse(table):
                raise DataError(
                    f"{name}: a precomputed kernel must be dense; got a sparse matrix. Pass "
                    "K.toarray()."
                )
            if table.shape[0] != table.shape[1]:
                raise DataError(
                    f"{name}: kernel='precomputed' needs X to be a square matrix of kernel values "
                    f"between the rows; got shape {table.shape}. Pass k(X, X) here and "
                    "k(X_new, X) in predict."
                )
            check_symmetric(name, table)
        check_size(self, "X", table)
        return table

    def _set_gamma(self, table: Data, weights: Weights | None) -> None:
        """Set `gamma_`; a row of weight k counts k times."""
        if self._precomputed and isinstance(self.gamma, str):
            self.gamma_ = 1.0 / table.shape[1]
        else:
            self.gamma_ = gamma_of(type(self).__name__, self.gamma, table, weights)

    def _points(self, table: Data, bound: float) -> _native.SvmPoints:
        """Return the training rows with their kernel; no coefficient is larger than `bound`."""
        if self._precomputed:
            return _native.SvmPoints(table)
        if self._native_kernel is None:
            K = self._call_kernel(table, table)
            check_symmetric(type(self).__name__, K)
            return _native.SvmPoints(K)
        return self._native_points(table, bound)

    def _native_points(self, table: Data, bound: float) -> _native.SvmPoints:
        """Return rows whose scores are accurate to part of `tol` for coefficients up to `bound`."""
        form = self._native_kernel
        assert form is not None, "a kernel that the core computes"
        norm = max(bound, np.finfo(float).tiny) * table.shape[0] ** 0.5
        error = float(_ROUNDING_FRACTION * self.tol / norm)
        return _native.SvmPoints(native_table(table), form, error, self._sums_to_zero)

    def _double_kernel(self, vectors: Data) -> Callable[[Data], Floats]:
        """Return a function from rows to their kernel values with the vectors, in double.

        Large inner products of both signs cancel in a score, so single precision is not enough.
        """
        if self._precomputed:
            return lambda rows: np.asarray(rows[:, self.support_], dtype=np.float64)
        if callable(self.kernel):
            return lambda rows: np.asarray(self._call_kernel(rows, vectors))
        kernel = resolve_kernel(
            type(self).__name__,
            str(self.kernel),
            vectors,
            gamma=self.gamma_,
            degree=self.degree,
            coef0=float(self.coef0),
        )
        tile = kernel.against(vectors.astype(np.float64))
        return lambda rows: np.asarray(tile(rows.astype(np.float64), ALL_COLUMNS))

    def _call_kernel(self, left: Data, right: Data) -> Matrix:
        """Return the matrix of a user's kernel."""
        kernel: Any = self.kernel
        name = type(self).__name__
        values = kernel(left, right)
        values = values.toarray() if sp.issparse(values) else values
        try:
            K = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(
                f"{name}: kernel(X, Z) must return a numeric matrix; got {type(values).__name__}."
            ) from error
        if K.shape != (left.shape[0], right.shape[0]):
            raise DataError(
                f"{name}: kernel(X, Z) must return a matrix of shape "
                f"{(left.shape[0], right.shape[0])}, one row per row of X; got {K.shape}."
            )
        if not _native.all_finite(K.ravel()):
            raise DataError(
                f"{name}: the kernel returned NaN or infinity; make it finite for all pairs of "
                "rows."
            )
        return K

    def _step_limit(self, n: int) -> int:
        return max(10_000_000, 100 * n) if self.max_iter == -1 else int(self.max_iter)

    def _settings(self, n: int) -> Settings:
        return Settings(self.tol, self._step_limit(n), self.shrinking, self.cache_size)

    def _report(self, solved: Solved, n: int) -> None:
        """Set the attributes of every fit; warn if it has not converged."""
        name = type(self).__name__
        violation = float(np.max(solved.violations))
        if not np.isfinite(violation):
            raise DataError(
                f"{name}: the kernel values are too large for double precision. Scale the "
                "columns, see sklearn.preprocessing.StandardScaler, or lower degree or gamma."
            )
        for k, (steps, left) in enumerate(zip(solved.steps, solved.violations, strict=True)):
            print_progress(self, f"machine {k + 1}, {steps} steps, violation = {left:.3g}")
        self.kernel_entries_ = int(solved.entries)
        self.fit_status_ = int(violation >= self.tol)
        if self.fit_status_:
            limit = self._step_limit(n)
            spent = int(solved.steps.max()) >= limit
            reason = f"max_iter={limit} steps" if spent else "the limit of rounding was reached"
            remedy = "raise max_iter or tol" if spent else "lower C or raise tol"
            early = (
                f"Solver terminated early (max_iter={limit}).  Consider pre-processing "
                "your data with StandardScaler or MinMaxScaler. "
            )
            warnings.warn(
                f"{early if spent else ''}{name}: did not converge after {reason}: an optimality "
                f"condition is violated by {violation:.2g}, above tol={self.tol:g}. Scale the "
                f"columns, or {remedy}.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )

    def _set_support(self, table: Data, rows: npt.NDArray[Any]) -> None:
        self.support_ = rows.astype(np.int32)
        empty = self._precomputed
        self.support_vectors_ = np.empty((0, 0), dtype=table.dtype) if empty else table[rows]
        self.shape_fit_ = tuple(int(size) for size in table.shape)

    def _raw_scores(
        self, table: Data, coef: Floats, intercept: Floats, *, votes: bool = False
    ) -> npt.NDArray[Any]:
        """Return the score of each machine, (m, machines), or the class with most votes."""
        starts = np.concatenate([[0], np.cumsum(self._vectors_per_class)]).astype(np.int32)
        vectors, m = self.support_vectors_, table.shape[0]
        if not len(self.support_):
            scores = np.tile(intercept, (m, 1))
            return winning_classes(scores, len(self._vectors_per_class)) if votes else scores
        out: Any = (
            np.empty(m, dtype=np.int32) if votes else np.empty((m, len(intercept)), dtype=float)
        )
        form = self._native_kernel
        if form is not None:
            check_size(self, "X", table)
        if form is not None and form[0] == "linear":
            vectors = self._centred_vectors
        elif form is not None and sp.issparse(table) != sp.issparse(vectors):
            table, vectors = sp.csr_array(table), sp.csr_array(vectors)
        if form is None or form[0] != "rbf":
            give = pair_votes if votes else pair_scores
            values = self._double_kernel(vectors)

            def place(rows: slice) -> None:
                out[rows] = give(values(table[rows]), starts, coef, intercept)

            # each with a few megabytes of kernel values
            slices = bands(m, size=max(1, 2**20 // len(self.support_)))
            if form is None:  # a function of the user's may not be safe on several threads
                with one_blas_thread():
                    for rows in slices:
                        place(rows)
            else:
                run_in_parallel(2.0 * m * vectors.shape[0] * table.shape[1], place, slices)
            return np.asarray(out)
        points = self._native_points(vectors, float(max(coef.max(), -coef.min())))
        outputs = (None, out) if votes else (out, None)
        points.scores(starts, coef, intercept, native_table(table), *outputs)
        return np.asarray(out)

    def _check_loaded(self) -> None:
        if not hasattr(self, "support_vectors_"):
            return
        name = type(self).__name__
        count = len(self.support_)
        if not isinstance(self.support_, np.ndarray) or self.support_.dtype.kind not in "iu":
            raise DataError(f"{name}: support_ must contain integer indices of training rows.")
        if not isinstance(self.gamma_, Real) or not 0 < self.gamma_ < np.inf:
            raise DataError(f"{name}: gamma_ must be a finite number > 0; got {self.gamma_!r}.")
        if {self.dual_coef_.dtype, self.intercept_.dtype} != {np.dtype(np.float64)}:
            raise DataError(f"{name}: dual_coef_ and intercept_ must be float64.")
        check_finite(name, "dual_coef_", self.dual_coef_)
        check_finite(name, "intercept_", self.intercept_)
        if not self._precomputed and count:
            check_stored(self, "support_vectors_", self.support_vectors_, self.n_features_in_)
        elif count and not (self.support_.min() >= 0 and self.support_.max() < self.n_features_in_):
            raise DataError(f"{name}: support_ must contain indices of training rows.")
        held = count if self._precomputed else self.support_vectors_.shape[0]
        if self.dual_coef_.ndim != 2 or self.dual_coef_.shape[1] != count or held != count:
            raise DataError(f"{name}: dual_coef_ must have a column for each support vector.")
