"""Nonnegative matrix factorisation."""

from numbers import Real
from typing import Annotated, Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Fraction,
    Interval,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Tags, Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.table_products import times, transposed_times
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Floats, Matrix, Table, is_sparse
from gramian.decomposition.multiplicative_updates import Target, divergence, multiply
from gramian.decomposition.nonnegative_steps import improve, positive_parts, solve_rows
from gramian.decomposition.projection import as_coordinates
from gramian.decomposition.randomized_svd import randomized_svd

_DONE = 0.1  # relative decrease of the projected gradient at which the other factor is updated
_SMALLEST = 1e-100
_BETAS = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}


@params
class NMF(ClassNamePrefixFeaturesOutMixin, CallbackSupportMixin, Transformer):
    r"""Nonnegative matrix factorisation: X ~ W H with nonnegative factors (Lee and Seung 1999).

    Minimises |X - W H|^2 / 2 + d alpha_W (l1_ratio |W|_1 + (1 - l1_ratio) |W|^2 / 2), and the same
    penalty of H with n alpha_H. Solver "cd" alternates between W and H, updating columns in closed
    form, with several sweeps for each product with X; an iteration costs 4 n d k. The weights of
    the training rows are optimal for the final components, like those of new rows.

    Parameters
    ----------
    n_components
        Number of components k; "auto" or None for d.
    init
        "random"; "nndsvd", the positive parts of singular vectors, "nndsvda" with zeros filled by
        the mean, "nndsvdar" by small random numbers (Boutsidis and Gallopoulos 2008); None for
        "nndsvda" if k <= min(n, d), else "random".
    solver
        "cd" for coordinate descent on squares; "mu" for multiplicative updates, any `beta_loss`.
    beta_loss
        The divergence: "frobenius" (2), "kullback-leibler" (1), "itakura-saito" (0) or a number.
    tol
        Stop when the projected gradient ("cd"), or the gain of ten updates ("mu"), is below this
        fraction of the first.
    max_iter
        Most iterations.
    random_state
        Seed or generator for the initial factors.
    alpha_W
        Penalty of W.
    alpha_H
        Penalty of H; "same" for that of W.
    l1_ratio
        Fraction of the penalty that is l1.
    verbose
        Whether to print a line for each iteration.
    shuffle
        Ignored; present for scikit-learn compatibility: columns are visited in order.

    Attributes
    ----------
    components_ : array (k, d)
        Components H.
    n_components_ : int
        Number of components k.
    reconstruction_err_ : float
        Frobenius norm of X - W H, or the root of twice the divergence.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> from gramian import NMF
    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 2.0])
    >>> round(NMF(1).fit(X).reconstruction_err_, 6)
    0.0
    """

    tags: ClassVar[Tags] = {"input_tags.positive_only": True}
    parametric = True
    takes_sparse = True

    n_components: Count | Literal["auto"] | None = "auto"
    _: KW_ONLY
    init: Literal["random", "nndsvd", "nndsvda", "nndsvdar", "custom"] | None = None
    solver: Literal["cd", "mu"] = "cd"
    beta_loss: (
        Literal["frobenius", "kullback-leibler", "itakura-saito"] | Annotated[float, Interval(Real)]
    ) = "frobenius"
    tol: NonNegative = 1e-4
    max_iter: Count = 200
    random_state: Seed = None
    alpha_W: NonNegative = 0.0  # noqa: N815 - scikit-learn's name
    alpha_H: NonNegative | Literal["same"] = "same"  # noqa: N815
    l1_ratio: Fraction = 0.0
    verbose: bool | NonNegativeInt = 0
    shuffle: bool = False

    def fit(self, X: Table, y: object = None, **params: Any) -> Self:
        """Compute the components.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Nonnegative rows.
        y
            Ignored; present for scikit-learn compatibility.
        **params
            W and H of `fit_transform`.

        Returns
        -------
        self : the fitted estimator
        """
        self.fit_transform(X, **params)
        return self

    @with_callbacks
    def fit_transform(
        self,
        X: Table,
        y: object = None,
        W: npt.ArrayLike | None = None,
        H: npt.ArrayLike | None = None,
    ) -> Matrix:
        """Compute the components, and return the weights of the rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Rows without negative numbers.
        y
            Ignored; present for scikit-learn compatibility.
        W, H : arrays of shape (n, k) and (k, d), optional
            Initial factors, for init="custom"; ignored otherwise.

        Returns
        -------
        W : array of shape (n, k)
        """
        table = check_fit(self, X)
        check_size(self, "X", table, 1e100)
        self._check_sign(table)
        largest = float(table.max())
        if 0 < largest < _SMALLEST:
            raise DataError(
                f"NMF: the largest value of X must be at least {_SMALLEST:g}, so that products "
                f"of factors are not 0; got {largest:.3g}. Multiply X by a constant."
            )
        d = table.shape[1]
        k = d if self.n_components in ("auto", None) else int(self.n_components)
        beta = self._beta(table)
        if self.init != "custom" and not (W is None and H is None):
            warn(
                "NMF: When init!='custom', provided W or H are ignored.",
                RuntimeWarning,
                stacklevel=caller_level(),
            )
        start = (
            self._custom_start(table, k, W, H) if self.init == "custom" else self._start(table, k)
        )
        task = Task.of(self, steps=self.max_iter, X=X, verbose=self.verbose)
        if self.solver == "cd":
            with one_blas_thread():  # passes alternate with small products
                W, H, converged = self._alternate(table, *start, beta, task)
        else:
            W, H, converged = self._multiply(table, *start, beta, task)
        if not converged and self.tol > 0 and self.n_iter_ >= self.max_iter:
            warn(
                f"NMF: did not converge. Maximum number of iterations {self.max_iter} reached. "
                "Increase it to improve convergence, or increase tol.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        self.components_ = np.ascontiguousarray(H, dtype=table.dtype)
        self.n_components_ = k
        W = self._weights(table, beta, W)
        self.reconstruction_err_ = self._error(table, W, self.components_.astype(float), beta)
        task.done(dict)
        return W.astype(table.dtype)

    def transform(self, X: Table) -> Matrix:
        """Return the optimal weights of rows for the components.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            Rows without negative numbers.

        Returns
        -------
        W : array of shape (m, k)
        """
        table = check_new(self, X)
        check_size(self, "X", table, 1e100)
        self._check_sign(table)
        return self._weights(table, self._beta(table)).astype(table.dtype)

    def inverse_transform(self, X: Table) -> Matrix:
        """Return the rows that have these weights, W H.

        Parameters
        ----------
        X : array of shape (m, k)
            Weights.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        W = as_coordinates(self, X, len(self.components_))
        return np.asarray(W @ self.components_.astype(W.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _check_sign(self, table: Data) -> None:
        values = table.data if is_sparse(table) else table
        if values.size and values.min() < 0:
            raise DataError(
                f"NMF: Negative values in data passed to NMF, the smallest is {values.min():.3g}; "
                "subtract the minimum of each column, or use PCA."
            )

    def _beta(self, table: Data) -> float:
        named = isinstance(self.beta_loss, str)
        beta = _BETAS[str(self.beta_loss)] if named else float(self.beta_loss)
        if self.solver == "cd" and beta != 2:
            raise ParameterError(
                f"NMF: beta_loss={self.beta_loss!r} needs solver='mu'; 'cd' supports only "
                "'frobenius'."
            )
        values = table.data if is_sparse(table) else table
        if beta <= 0 and (values.size < np.prod(table.shape) or (values == 0).any()):
            raise DataError(
                f"NMF: beta_loss={self.beta_loss!r} is infinite where X is 0; add a small number "
                "to X, or use another beta_loss."
            )
        return float(beta)

    def _penalties(self, n: int, d: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return l1 and l2 of W and of H."""
        of_h = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        w, h = d * float(self.alpha_W), n * float(of_h)
        ratio = float(self.l1_ratio)
        return (w * ratio, w * (1 - ratio)), (h * ratio, h * (1 - ratio))

    def _custom_start(self, table: Data, k: int, W: Any, H: Any) -> tuple[Floats, Floats]:
        """Check and return the user's initial factors."""
        found = []
        shapes = (table.shape[0], k), (k, table.shape[1])
        for name, factor, shape in zip("WH", (W, H), shapes, strict=True):
            values = np.array(factor, dtype=np.float64)
            if values.shape != shape or not (values >= 0).all() or not values.any():
                raise DataError(
                    f"NMF: init='custom' needs {name} of shape {shape}, nonnegative and not all "
                    f"zero; got shape {values.shape}."
                )
            found.append(values)
        return found[0], found[1]

    def _start(self, table: Data, k: int) -> tuple[Floats, Floats]:
        n, d = table.shape
        init = self.init or ("nndsvda" if k <= min(n, d) else "random")
        if init != "random" and k > min(n, d):
            raise ParameterError(
                f"NMF: init={init!r} needs n_components <= min(n_samples, n_features)="
                f"{min(n, d)}; got {k}. Use init='random'."
            )
        seed = seed_of(self.random_state)
        mean = float(table.mean())
        if init == "random":
            size = np.sqrt(mean / k)
            draws = stream(seed)
            W, H = np.abs(draws.standard_normal((n, k))), np.abs(draws.standard_normal((k, d)))
            return size * W, size * H
        U, values, Vt = randomized_svd(table, k, random_state=seed)
        W, H = positive_parts(U, values, Vt)
        if init == "nndsvda":
            W[W == 0], H[H == 0] = mean, mean
        elif init == "nndsvdar":
            draws = stream(seed, 1)
            for factor in (W, H):
                empty = factor == 0
                factor[empty] = mean / 100 * np.abs(draws.standard_normal(int(empty.sum())))
        return W, H

    def _alternate(
        self, table: Data, W: Floats, H: Floats, beta: float, task: Task
    ) -> tuple[Floats, Floats, bool]:
        """Alternate between W and H."""
        n, d = table.shape
        of_w, of_h = self._penalties(n, d)
        W, Ht = np.ascontiguousarray(W), np.ascontiguousarray(H.T)
        flipped = sp.csr_array(table.T) if is_sparse(table) else None
        first, converged = 0.0, False
        self.n_iter_ = 0
        while self.n_iter_ < self.max_iter and not converged:
            self.n_iter_ += 1
            violation = improve(W, times(table, Ht), Ht.T @ Ht, of_w, done=_DONE)
            cross = transposed_times(table, W) if flipped is None else times(flipped, W)
            violation += improve(Ht, cross, W.T @ W, of_h, done=_DONE)
            if self.n_iter_ == 1:
                first = violation
            converged = violation <= self.tol * first
            if task.iteration(dict):
                break
        return W, Ht.T, converged

    def _multiply(
        self, table: Data, W: Floats, H: Floats, beta: float, task: Task
    ) -> tuple[Floats, Floats, bool]:
        """Update the two factors alternately by multiplicative steps."""
        n, d = table.shape
        of_w, of_h = self._penalties(n, d)
        X, Ht = Target.of(table), np.ascontiguousarray(H.T)
        flipped = X.transposed()
        first = before = self._error(table, W, H, beta)
        converged = False
        self.n_iter_ = 0
        while self.n_iter_ < self.max_iter and not converged:
            self.n_iter_ += 1
            W = multiply(X, W, Ht, beta, *of_w)
            Ht = multiply(flipped, Ht, W, beta, *of_h)
            if self.n_iter_ % 10 == 0:
                now = self._error(table, W, Ht.T, beta)
                converged = before - now <= self.tol * first
                before = now
            if task.iteration(dict):
                break
        return W, Ht.T, converged

    def _weights(self, table: Data, beta: float, start: Floats | None = None) -> Floats:
        """Return each row's optimal weights for the components."""
        H = self.components_.astype(np.float64)
        n, d = table.shape
        penalties = self._penalties(n, d)[0]
        if beta == 2:
            return solve_rows(table, H, *penalties)
        X, Ht = Target.of(table), np.ascontiguousarray(H.T)
        W = start
        if W is None:
            means = np.asarray(X.X.mean(axis=1))
            W = np.sqrt(np.maximum(means, 1e-16))[:, None] * np.ones(len(H))
        for _ in range(self.max_iter):
            W = multiply(X, W, Ht, beta, *penalties)
        return np.asarray(W)

    def _error(self, table: Data, W: Floats, H: Floats, beta: float) -> float:
        if beta != 2:
            Ht = np.ascontiguousarray(H.T)
            return float(np.sqrt(2 * max(0.0, divergence(Target.of(table), W, Ht, beta))))
        squares = 0.0
        step = max(16, (1 << 20) // table.shape[1])
        for start in range(0, len(W), step):
            block = table[start : start + step]
            block = block.toarray() if is_sparse(block) else block
            squares += float(((block - W[start : start + step] @ H) ** 2).sum())
        return float(np.sqrt(squares))
