"""Independent component analysis."""

from collections.abc import Callable
from typing import Any, Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.feature_names import check_terms
from gramian.base.fields import KW_ONLY, Array, Count, Function, Positive, Seed, params
from gramian.base.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.moments import Rows
from gramian.base.runtime.blas import product
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix, Table
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.projection import as_coordinates, coordinates, numbered_names
from gramian.decomposition.singular_triplets import (
    SMALL,
    Triplets,
    by_covariance,
    by_full,
    summarise,
)

_Contrast = Callable[[Floats], tuple[Floats, Floats]]  # from (k, n) to g and the means of g'


@params
class FastICA(CallbackSupportMixin, Transformer):
    r"""Independent sources s of mixed columns, x = A s: directions that are least Gaussian.

    The rows are whitened, z = K (x - m); then each direction w goes to
    E[z g(w . z)] - E[g'(w . z)] w, Newton's method for an extremum of E[G(w . z)] with G' = g,
    until it rests (Hyvaerinen 1999). Sources are found up to order and sign. Sums of two Gaussians
    cannot be taken apart.

    Parameters
    ----------
    n_components
        Number of sources, k; None: the rank of the covariance. Without whitening there are d.
    algorithm
        "parallel": all directions at once, made orthogonal by W <- (W W')^(-1/2) W. "deflation":
        one after the other.
    whiten
        "unit-variance": sources of variance 1. "arbitrary-variance": sources as long as the rows.
        False: X is white already.
    fun
        "logcosh" (g = tanh(a u)), "exp" (u exp(-u^2 / 2)), "cube" (u^3), or a function that returns
        g and the means of g' along the last axis.
    fun_args
        Arguments of `fun`; ``{"alpha": a}`` for "logcosh", a in [1, 2].
    max_iter
        Most iterations.
    tol
        Stop when no direction turns by more: 1 - |w . w_old| < tol.
    w_init
        First directions (k, k).
    whiten_solver
        Ignored; present for scikit-learn compatibility: the covariance, or QR where it must be.
    random_state
        Seed or generator of the first directions.

    Attributes
    ----------
    components_ : array (k, d)
        From centred rows to sources.
    mixing_ : array (d, k)
        A, its pseudoinverse.
    mean_ : array (d,)
        m; absent without whitening.
    whitening_ : array (k, d)
        K; absent without whitening.
    n_iter_ : int
        Iterations, the most of any direction.

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
        """Find the sources.

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
        components = W @ K
        if self.whiten == "unit-variance":
            spread = product(W, Zt).std(axis=1)
            components = components / np.where(spread > 0, spread, 1.0)[:, None]
        elif self.whiten == "arbitrary-variance":
            components = components / np.sqrt(n)
        self.components_ = np.ascontiguousarray(components, dtype=table.dtype)
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
        """Return the rows that are mixed from these sources.

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
        return np.asarray(S @ self.mixing_.T.astype(S.dtype) + self._mean().astype(S.dtype))

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return names such as ``fastica0``."""
        check_is_fitted(self)
        return numbered_names(self, len(self.components_))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _mean(self) -> Matrix:
        return getattr(self, "mean_", np.zeros(self.components_.shape[1]))

    def _whitening(self, table: Matrix) -> tuple[Floats, Floats]:
        """Return the mean, and K of coordinates with variance 1."""
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
                f"FastICA: n_components={k} is above the rank of the centred rows, which is "
                f"{rank}; ask for that many."
            )
        if rank == 0:
            raise DataError("FastICA: all rows are equal; there is nothing to take apart.")
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
        contrast = self._contrast()
        solve = _parallel if self.algorithm == "parallel" else _deflation
        W, self.n_iter_, converged = solve(Zt, W, contrast, float(self.tol), self.max_iter, task)
        if not converged:
            warn(
                f"FastICA: not converged after max_iter={self.max_iter} iterations; raise max_iter "
                "or tol, or scale the columns.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return W

    def _of_user(self, U: Floats) -> tuple[Floats, Floats]:
        """Return what the user's function gives, checked."""
        given = self.fun_args or {}
        if not all(isinstance(name, str) for name in given):
            raise ParameterError(f"FastICA: fun_args must have strings as names; got {given!r}.")
        pair = self.fun(U, **given)  # type: ignore[operator]
        try:
            g, derivative = (np.asarray(part, dtype=np.float64) for part in pair)
        except (TypeError, ValueError):
            g, derivative = np.empty(0), np.empty(0)
        if g.shape != U.shape or derivative.shape not in (U.shape, U.shape[:-1]):
            raise ParameterError(
                "FastICA: fun must return two arrays: the values, of the shape of its argument, "
                "and the means of the derivative over the last axis."
            )
        return g, derivative

    def _contrast(self) -> _Contrast:
        given = self.fun_args or {}
        alpha = float(given.get("alpha", 1.0))
        if self.fun == "logcosh":
            if not 1 <= alpha <= 2:
                raise ParameterError(f"FastICA: fun_args: alpha must be in [1, 2]; got {alpha}.")
            return lambda U: _logcosh(U, alpha)
        if callable(self.fun):
            return self._of_user
        return _exp if self.fun == "exp" else _cube


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
    """Return the matrices of independent component analysis, as `FastICA` finds them.

    Parameters
    ----------
    X
        The rows, (n, d).
    n_components, algorithm, whiten, fun, fun_args, max_iter, tol, w_init, whiten_solver
        As for `FastICA`.
    random_state
        As for `FastICA`.
    return_X_mean
        Whether to return the mean too.
    compute_sources
        Whether to compute the sources; None is returned in their place otherwise.
    return_n_iter
        Whether to return the number of iterations too.

    Returns
    -------
    K : array of shape (k, d), or None without whitening
        What makes the centred rows white.
    W : array of shape (k, k)
        What takes the white rows apart.
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


def _logcosh(U: Floats, alpha: float) -> tuple[Floats, Floats]:
    g = np.tanh(alpha * U)
    return g, alpha * (1 - (g * g).mean(axis=-1))


def _exp(U: Floats) -> tuple[Floats, Floats]:
    bell = np.exp(-(U**2) / 2)
    return U * bell, ((1 - U**2) * bell).mean(axis=-1)


def _cube(U: Floats) -> tuple[Floats, Floats]:
    return U**3, (3 * U**2).mean(axis=-1)


def _parallel(
    Zt: Floats, W: Floats, contrast: _Contrast, tol: float, max_iter: int, task: Task
) -> tuple[Floats, int, bool]:
    """Move all directions at once."""
    n = Zt.shape[1]
    W = _decorrelated(W)
    for step in range(1, max_iter + 1):
        g, slope = contrast(product(W, Zt))
        new = _decorrelated(product(g, Zt.T) / n - np.asarray(slope)[:, None] * W)
        turn = float(np.abs(np.abs((new * W).sum(axis=1)) - 1).max())
        W = new
        if turn < tol or task.iteration(dict):
            return W, step, turn < tol
    return W, max_iter, False


def _deflation(
    Zt: Floats, W: Floats, contrast: _Contrast, tol: float, max_iter: int, task: Task
) -> tuple[Floats, int, bool]:
    """Move one direction after the other, orthogonal to those before."""
    n = Zt.shape[1]
    found = np.zeros((0, W.shape[1]))
    most, all_rest = 1, True
    for start in W:
        w = _orthogonal(start, found)
        rests = False
        for step in range(1, max_iter + 1):
            g, slope = contrast(product(w[None], Zt))
            new = _orthogonal(product(g, Zt.T)[0] / n - float(np.ravel(slope)[0]) * w, found)
            rests = abs(abs(float(new @ w)) - 1) < tol
            w, most = new, max(most, step)
            if rests or task.iteration(dict):
                break
        all_rest = all_rest and rests
        found = np.vstack([found, w])
    return found, most, all_rest


def _orthogonal(w: Floats, found: Floats) -> Floats:
    w = w - (w @ found.T) @ found
    return np.asarray(w / max(float(np.linalg.norm(w)), 1e-300))


def _decorrelated(W: Floats) -> Floats:
    """Return the nearest orthonormal rows, (W W')^(-1/2) W."""
    U, _, Vt = np.linalg.svd(W, full_matrices=False)
    return np.asarray(U @ Vt)
