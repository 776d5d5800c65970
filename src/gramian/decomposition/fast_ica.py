"""Independent component analysis."""

from typing import Any, Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, Count, Function, Positive, Seed, params
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.moments import Rows
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix, Table
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.fast_ica_iterations import (
    contrast_function,
    deflation_iterations,
    parallel_iterations,
)
from gramian.decomposition.projection import as_coordinates, coordinates
from gramian.decomposition.singular_triplets import (
    SMALL,
    Triplets,
    by_covariance,
    by_full,
    summarise,
)


@params
class FastICA(ClassNamePrefixFeaturesOutMixin, CallbackSupportMixin, Transformer):
    r"""FastICA: independent sources s of mixed columns, x = A s, as the least Gaussian directions.

    The rows are whitened, z = K (x - m); then each direction w goes to
    E[z g(w . z)] - E[g'(w . z)] w, Newton's method for an extremum of E[G(w . z)] with G' = g,
    until it converges (Hyvaerinen 1999). Sources are determined up to order and sign. At most one
    source may be Gaussian.

    Parameters
    ----------
    n_components
        Number k of sources; None uses the rank of the covariance. Without whitening there are d.
    algorithm
        "parallel" updates all directions at once, orthogonalised by W <- (W W')^(-1/2) W;
        "deflation" computes one after another.
    whiten
        "unit-variance" for sources of variance 1; "arbitrary-variance" for sources scaled as the
        rows; False if X is already white.
    fun
        "logcosh" (g = tanh(a u)), "exp" (u exp(-u^2 / 2)), "cube" (u^3), or a function that returns
        g and the means of g' along the last axis.
    fun_args
        Arguments of `fun`; ``{"alpha": a}`` for "logcosh", a in [1, 2].
    max_iter
        Most iterations.
    tol
        Stop when no direction changes by more: 1 - |w . w_old| < tol.
    w_init
        Initial directions (k, k).
    whiten_solver
        Ignored; present for scikit-learn compatibility: the covariance is used, or QR if necessary.
    random_state
        Seed or generator for the initial directions.

    Attributes
    ----------
    components_ : array (k, d)
        Matrix from centred rows to sources.
    mixing_ : array (d, k)
        Mixing matrix A, the pseudoinverse of ``components_``.
    mean_ : array (d,)
        Mean m; absent without whitening.
    whitening_ : array (k, d)
        Whitening matrix K; absent without whitening.
    n_iter_ : int
        Number of iterations; the maximum over directions for "deflation".

    Examples
    --------
    >>> from gramian import FastICA
    >>> S = np.random.default_rng(0).uniform(size=(500, 2))
    >>> found = FastICA(random_state=0).fit_transform(S @ [[1.0, 1.0], [0.5, 2.0]])
    >>> bool(np.abs(np.corrcoef(S.T, found.T)[:2, 2:]).max(axis=0).min() > 0.99)
    True
    """

    parametric = True

    n_components: Count | None = None
    _: KW_ONLY
    algorithm: Literal["parallel", "deflation"] = "parallel"
    whiten: Literal["unit-variance", "arbitrary-variance", False] = "unit-variance"
    fun: Literal["logcosh", "exp", "cube"] | Function = "logcosh"
    fun_args: dict | None = None  # type: ignore[type-arg]
    max_iter: Count = 200
    tol: Positive = 1e-4
    w_init: Array | None = None
    whiten_solver: Literal["eigh", "svd"] = "svd"
    random_state: Seed = None

    @with_callbacks
    def fit(self, X: Table, y: object = None) -> Self:
        """Estimate the sources.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows, at least two.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table)
        n, d = table.shape
        for name in ("mean_", "whitening_"):
            self.__dict__.pop(name, None)
        if self.whiten is False:
            if self.n_components is not None:
                warn(
                    "FastICA: Ignoring n_components with whiten=False.",
                    UserWarning,
                    stacklevel=caller_level(),
                )
            mean: Floats = np.zeros(d)
            K: Floats = np.eye(d)
        else:
            mean, K = self._whitening(table)
        Zt = np.ascontiguousarray(coordinates(table.astype(np.float64), mean, K).T)
        with one_blas_thread():
            W = self._directions(Zt, Task.of(self, steps=None, X=X))
        components = product(W, K)
        if self.whiten == "unit-variance":
            spread: Matrix = product(W, Zt).std(axis=1)
            components = components / np.where(spread > 0, spread, 1.0)[:, None]
        elif self.whiten == "arbitrary-variance":
            components = components / np.sqrt(n)
        self.components_ = np.ascontiguousarray(components, dtype=table.dtype)
        with lapack.threads_for_size(components.size):
            self.mixing_ = np.linalg.pinv(components).astype(table.dtype)
        if self.whiten is not False:
            self.mean_, self.whitening_ = mean.astype(table.dtype), K.astype(table.dtype)
        return self

    def transform(self, X: Table, copy: bool = True) -> Matrix:
        """Return the sources of rows.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.
        copy
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        S : array of shape (m, k)
        """
        table = check_new(self, X)
        with np.errstate(over="ignore", invalid="ignore"):
            S = coordinates(table, self._mean(), self.components_)
        check_terms(self, S)
        return S

    def inverse_transform(self, X: Table, copy: bool = True) -> Matrix:
        """Mix sources back to rows.

        Parameters
        ----------
        X : array of shape (m, k)
            Sources.
        copy
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        S = as_coordinates(self, X, len(self.components_))
        rows = product(S, self.mixing_.T.astype(S.dtype))
        return np.asarray(rows + self._mean().astype(S.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _mean(self) -> Matrix:
        return getattr(self, "mean_", np.zeros(self.components_.shape[1]))

    def _whitening(self, table: Matrix) -> tuple[Floats, Floats]:
        """Return the mean, and the whitening matrix K."""
        n, d = table.shape
        most = min(n, d)
        k = most if self.n_components is None else int(self.n_components)
        if k > most:
            raise ParameterError(
                f"FastICA: n_components={k} must be at most min(n_samples, n_features)={most}."
            )
        summary = summarise(Rows.of(table, np.empty((n, 0)), None), table.dtype)
        found: Triplets = by_covariance(summary, k)
        if found.values[-1] < SMALL * found.values[0]:
            found = by_full(CentredTable.of(table), k)
        values = found.values
        least = max(n, d) * np.finfo(table.dtype).eps * values.max(initial=0.0)
        rank = int((values > least).sum())
        if self.n_components is not None and rank < k:
            raise DataError(
                f"FastICA: n_components={k} exceeds the rank of the centred rows, which is "
                f"{rank}; set n_components={rank}."
            )
        if rank == 0:
            raise DataError("FastICA: all rows are equal; pass rows that differ.")
        scaled = found.vectors[:rank] * (np.sqrt(n) / values[:rank])[:, None]
        return summary.means, scaled

    def _directions(self, Zt: Floats, task: Task) -> Floats:
        k, _ = Zt.shape
        if self.w_init is None:
            W = stream(seed_of(self.random_state)).standard_normal((k, k))
        else:
            W = parameter_array("FastICA", "w_init", self.w_init)
            if W.shape != (k, k):
                raise DataError(f"FastICA: w_init must have shape ({k}, {k}); got {W.shape}.")
        contrast = contrast_function(self.fun, self.fun_args)
        parallel = self.algorithm == "parallel"
        solve = parallel_iterations if parallel else deflation_iterations
        W, self.n_iter_, converged = solve(Zt, W, contrast, float(self.tol), self.max_iter, task)
        if not converged:
            warn(
                f"FastICA: did not converge after max_iter={self.max_iter} iterations; "
                "increase max_iter "
                "or tol, or scale the columns.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return W


def fastica(
    X: Table,
    n_components: int | None = None,
    *,
    algorithm: Any = "parallel",
    whiten: Any = "unit-variance",
    fun: Any = "logcosh",
    fun_args: dict[str, Any] | None = None,
    max_iter: int = 200,
    tol: float = 1e-4,
    w_init: npt.ArrayLike | None = None,
    whiten_solver: Any = "svd",
    random_state: Any = None,
    return_X_mean: bool = False,
    compute_sources: bool = True,
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    """Return the matrices of independent component analysis by `FastICA`.

    Parameters
    ----------
    X
        The rows, (n, d).
    n_components, algorithm, whiten, fun, fun_args, max_iter, tol, w_init, whiten_solver
        See `FastICA`.
    random_state
        See `FastICA`.
    return_X_mean
        Whether to return the mean too.
    compute_sources
        Whether to compute the sources; if not, None is returned for them.
    return_n_iter
        Whether to return the number of iterations too.

    Returns
    -------
    K : array of shape (k, d), or None without whitening
        Whitening matrix of the centred rows.
    W : array of shape (k, k)
        Unmixing matrix of the whitened rows.
    S : array of shape (n, k), or None
        The sources, (X - mean) K' W'.
    mean : array of shape (d,), or None without whitening
        Only with `return_X_mean`.
    n_iter : int
        Only with `return_n_iter`.

    Examples
    --------
    >>> from gramian.decomposition import fastica
    >>> X = np.random.default_rng(0).uniform(size=(200, 2)) @ [[1.0, 0.5], [0.2, 1.0]]
    >>> K, W, S = fastica(X, random_state=0)
    >>> bool(np.allclose((X - X.mean(axis=0)) @ K.T @ W.T, S))
    True
    """
    model = FastICA(
        n_components,
        algorithm=algorithm,
        whiten=whiten,
        fun=fun,
        fun_args=fun_args,
        max_iter=max_iter,
        tol=tol,
        w_init=w_init,
        whiten_solver=whiten_solver,
        random_state=random_state,
    ).fit(X)
    K: Any = getattr(model, "whitening_", None)
    W = model.components_ if K is None else model.components_ @ np.linalg.pinv(K)
    found: tuple[Any, ...] = (K, W, model.transform(X) if compute_sources else None)
    found += (getattr(model, "mean_", None),) if return_X_mean else ()
    return (*found, model.n_iter_) if return_n_iter else found
