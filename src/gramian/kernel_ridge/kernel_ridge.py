"""Kernel ridge regression."""

from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, Positive, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.blas import product
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Floats, Matrix, RowNumbers, Table, Weights, is_sparse
from gramian.kernel_ridge.costs import MAX_FEATURES, n_explicit_features, primal_or_dual
from gramian.kernel_ridge.dual_solutions import solve_dual
from gramian.kernel_ridge.nystroem_solution import fit_centers
from gramian.kernels import Kernel, Polynomial, polynomial_feature_map
from gramian.kernels.kernel_method import KernelMethod
from gramian.kernels.matrix import checked_kernel_matrix
from gramian.kernels.resolution import KernelField

MAX_TARGET = 1e150


@params(first=("kernel", "gamma", "degree", "coef0", "kernel_params"))
class KernelRidge(KernelMethod, CallbackSupportMixin, Regressor):
    """Kernel ridge regression.

    f(x) = sum_i a_i k(x_i, x) minimises sum_i w_i (y_i - f(x_i))^2 + alpha a' K a, which is solved
    by ::

        (K + alpha W^-1) a = y.

    For the linear kernel it is ridge regression without intercept, w = X'a, and `fit` solves the d
    equations of the columns or the n equations of the rows, whichever is cheaper (see
    `primal_or_dual`); likewise for a polynomial kernel with few monomials. There is no intercept:
    centre y, or add a constant to the kernel, as in ``RBF() + 1.0``. The dual form needs O(n^3)
    operations and memory for n^2 numbers; for many rows use solver="nystroem". `KernelRidgeCV`
    chooses alpha by leave-one-out.

    Parameters
    ----------
    alpha
        Strength of the penalty, one number or one per target.
    kernel
        A name, a `gramian.kernels.Kernel`, which ignores the next four parameters, or a function
        of two rows.
    solver
        "dual": n equations, by Cholesky. "primal": one equation per feature of a linear or
        polynomial kernel. "auto": the cheaper of the two. "nystroem": f is a sum over `n_centers`
        rows drawn at random, fitted to all rows by preconditioned conjugate gradients (Falkon;
        Rudi, Carratino and Rosasco 2017), for hundreds of thousands of rows.
    n_centers
        Number of centres of solver="nystroem"; None means 10 sqrt(n), at least 500. Centres that
        are nearly linear combinations of others in feature space are dropped.
    tol
        Relative residual at which conjugate gradients stop.
    max_iter
        Maximum number of iterations of conjugate gradients.
    random_state
        Seed or generator for the choice of centres.

    Attributes
    ----------
    dual_coef_ : array (n,) or (n, targets)
        The weights a of the rows, or of the centres for solver="nystroem".
    X_fit_ : array or CSR
        The training rows, or the centres for solver="nystroem"; the kernel matrix if it is
        precomputed.
    coef_ : array or None
        Weights of the features, if the primal form was solved.
    solver_ : str
        "dual", "primal" or "nystroem".
    n_iter_ : int
        Iterations of conjugate gradients; 1 for the other solvers.

    Examples
    --------
    >>> from gramian.kernel_ridge import KernelRidge
    >>> model = KernelRidge(alpha=0.1, kernel="rbf", gamma=1.0)
    >>> model.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0]).predict([[1.0]]).round(3)
    array([0.883])
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    alpha: NonNegative | Array = 1.0
    _: KW_ONLY
    kernel: KernelField = "linear"
    solver: Literal["auto", "dual", "primal", "nystroem"] = "auto"
    n_centers: Count | None = None
    tol: Positive = 1e-5
    max_iter: Count = 200
    random_state: Seed = None

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to rows and targets.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d); the square kernel matrix for a precomputed kernel.
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table, targets, weights = check_problem(self, X, y, sample_weight)
        n = table.shape[0]
        Y = targets.reshape(n, -1).astype(np.float64, copy=False)
        alphas = check_alphas(type(self).__name__, self.alpha, Y.shape[1])
        kernel = self._check_kernel(table, weights)
        solver = self._solver(kernel, table, alphas)
        task = Task.of(self, steps=1, X=X, y=y)
        counted = np.arange(n) if weights is None else np.flatnonzero(weights > 0)
        rows, coef, n_iter = table, None, 1
        if solver == "nystroem":
            rows, dual, n_iter = self._fit_centers(kernel, table, Y, weights, counted, alphas, task)
        elif solver == "primal":
            with np.errstate(over="ignore", invalid="ignore"):
                coef = _solve_primal(kernel, table, Y, weights, alphas)
            residual = Y - _predict_features(kernel, table, coef)
            dual = residual / alphas if weights is None else residual * weights[:, None] / alphas
        else:
            dual = np.zeros_like(Y)
            dual[counted] = _solve_kernel_system(
                type(self).__name__, kernel, table, Y, weights, counted, alphas
            )
        shape = targets.shape[1:]
        self.kernel_, self.X_fit_, self.solver_, self.n_iter_ = kernel, rows, solver, n_iter
        self.dual_coef_ = dual.reshape(-1, *shape).astype(table.dtype)
        self.coef_ = None if coef is None else coef.reshape(-1, *shape).astype(table.dtype)
        task.done(dict)
        return self

    def predict(self, X: Table) -> Matrix:
        """Return f of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d); for a precomputed kernel, the kernel values (m, n) between
            new and training rows.

        Returns
        -------
        y : array of shape (m,) or (m, targets)
        """
        coef = getattr(self, "coef_", None)
        if coef is None:
            return self._predict_values(X)
        rows = check_new(self, X, dtype=self.X_fit_.dtype)
        check_size(self, "X", rows)
        return _predict_features(self.kernel_, rows, coef)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        wanted = n_explicit_features(self.kernel_, self.n_features_in_)
        if self.coef_ is not None and self.coef_.shape != (wanted, *self.dual_coef_.shape[1:]):
            raise DataError(
                f"KernelRidge: coef_ must contain {wanted} values per target; got shape "
                f"{self.coef_.shape}."
            )

    def _solver(self, kernel: Kernel, X: Data, alphas: Floats) -> str:
        if self.solver in ("dual", "nystroem"):
            if self.solver == "nystroem" and not kernel.takes_rows:
                raise ParameterError(
                    "KernelRidge: solver='nystroem' does not support kernel='precomputed', because "
                    "it computes parts of the kernel matrix; use solver='dual'."
                )
            return str(self.solver)
        n, d = X.shape
        expanded = n_explicit_features(kernel, d)
        possible = expanded is not None and expanded <= MAX_FEATURES and (alphas > 0).all()
        if self.solver == "auto":
            return primal_or_dual(n, d, expanded).cheaper if possible else "dual"
        if not possible:
            raise ParameterError(
                "KernelRidge: solver='primal' needs alpha > 0 and a linear or polynomial kernel "
                f"of at most {MAX_FEATURES} features; got {kernel} with "
                f"{'infinitely many' if expanded is None else expanded}. Use solver='dual'."
            )
        return "primal"

    def _fit_centers(
        self,
        kernel: Kernel,
        X: Data,
        Y: Floats,
        weights: Weights | None,
        counted: RowNumbers,
        alphas: Floats,
        task: Task,
    ) -> tuple[Data, Floats, int]:
        if not (alphas == alphas[0]).all() or alphas[0] <= 0:
            raise ParameterError(
                "KernelRidge: solver='nystroem' needs one alpha > 0 for all targets; got "
                f"{self.alpha!r}."
            )
        wanted = self.n_centers or int(max(500, 10 * np.sqrt(X.shape[0])))
        if wanted < len(counted):
            drawn = stream(seed_of(self.random_state)).choice(len(counted), wanted, replace=False)
            counted = counted[np.sort(drawn)]
        centers = X[counted]
        with one_blas_thread():
            fit = fit_centers(
                type(self).__name__,
                kernel,
                X,
                Y,
                weights,
                centers,
                alpha=float(alphas[0]),
                tol=float(self.tol),
                max_iter=self.max_iter,
                task=task,
            )
        return fit.centers, fit.coef, fit.n_iter


def _predict_features(kernel: Kernel, X: Data, coef: Floats) -> Matrix:
    """Return the predictions from explicit features; raise if they are not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        values = _matrix_product(features(kernel, X), coef)
    if not np.isfinite(values).all():
        raise DataError(
            "KernelRidge: the features of the kernel are so large that their products overflow; "
            "scale the columns, see sklearn.preprocessing.StandardScaler, or lower degree or gamma."
        )
    return values


def _solve_kernel_system(
    owner: str,
    kernel: Kernel,
    X: Data,
    Y: Floats,
    weights: Weights | None,
    counted: RowNumbers,
    alphas: Floats,
) -> Floats:
    """Return the dual coefficients of the rows of positive weight."""
    K, Y, scale = weighted_system(owner, kernel, X, Y, weights, counted)
    with one_blas_thread():
        dual = solve_dual(owner, K, Y, alphas)
    return dual if scale is None else dual * scale[:, None]


def weighted_system(
    owner: str,
    kernel: Kernel,
    X: Data,
    Y: Floats,
    weights: Weights | None,
    counted: RowNumbers,
) -> tuple[Floats, Floats, Floats | None]:
    """Return S K S, S Y and the square roots S of the weights, for rows of positive weight."""
    K = row_kernel(owner, kernel, X, counted)
    if weights is None:
        return K, Y, None
    scale = np.sqrt(weights[counted])
    K *= scale[:, None]
    K *= scale
    return K, Y[counted] * scale[:, None], scale


def row_kernel(owner: str, kernel: Kernel, X: Data, counted: RowNumbers) -> Floats:
    """Return the kernel matrix of the given rows as a new float64 array."""
    every = len(counted) == X.shape[0]
    if not kernel.takes_rows:
        K = X if every else X[np.ix_(counted, counted)]
        return np.array(K.toarray() if is_sparse(K) else K, dtype=np.float64)
    rows = (X if every else X[counted]).astype(np.float64, copy=False)
    return checked_kernel_matrix(owner, kernel, rows)


def _solve_primal(
    kernel: Kernel, X: Data, Y: Floats, weights: Weights | None, alphas: Floats
) -> Floats:
    """Return the weights of the features."""
    phi = features(kernel, X.astype(np.float64, copy=False))
    weighted = phi if weights is None else phi * weights[:, None]
    gram = np.asarray((phi.T @ weighted).toarray()) if is_sparse(phi) else product(phi.T, weighted)
    return solve_dual("KernelRidge", gram, _matrix_product(weighted.T, Y), alphas)


def _matrix_product(A: Any, B: Matrix) -> Matrix:
    """Return A B, for a vector or a matrix B."""
    if is_sparse(A):
        return np.asarray(A @ B)
    return product(A, B.reshape(len(B), -1)).reshape(len(A), *B.shape[1:])


def features(kernel: Kernel, X: Data) -> Any:
    """Return the explicit features of a linear or polynomial kernel."""
    if not isinstance(kernel, Polynomial):
        return X
    return polynomial_feature_map(X, int(kernel.degree), gamma=kernel.gamma, coef0=kernel.coef0)


def check_problem(
    estimator: Any, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Data, Matrix, Weights | None]:
    """Return checked rows, targets of one or several columns, and weights."""
    table = check_fit(estimator, X)
    targets = check_targets(estimator, y, table.shape[0], columns=True)
    check_size(estimator, "y", targets, MAX_TARGET)
    weights = check_weights(estimator, sample_weight, table.shape[0])
    check_size(estimator, "sample_weight", weights, 1e100)
    return table, targets, weights


def check_alphas(owner: str, alpha: Any, n_targets: int) -> Floats:
    """Return the penalty of each target."""
    values = check_penalties(owner, "alpha", alpha)
    if len(values) not in (1, n_targets):
        raise ParameterError(
            f"{owner}: alpha must be one number or one per target ({n_targets}); got "
            f"{len(values)} values."
        )
    if not (np.all(values >= 0) and np.isfinite(values).all()):
        raise ParameterError(f"{owner}: alpha must contain finite numbers >= 0; got {alpha!r}.")
    return np.broadcast_to(values, (n_targets,)).copy()


def check_penalties(owner: str, name: str, value: Any) -> Floats:
    """Return penalties as a numeric array (k,)."""
    try:
        return np.asarray(value, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{owner}: {name} must contain numbers; got {value!r}.") from error
