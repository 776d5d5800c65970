"""Nonnegative matrix factorisation."""

from numbers import Real
from typing import Annotated, Any, Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
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
from gramian.base.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.decomposition.nonnegative_steps import divergence, multiply, solve_rows, sweeps
from gramian.decomposition.projection import as_coordinates, numbered_names
from gramian.decomposition.randomized_svd import randomized_svd

_BETAS = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}


@params
class NMF(CallbackSupportMixin, Transformer):
    r"""Parts that add up: X ~ W H with no negative number (Lee and Seung 1999).

    Minimises |X - W H|^2 / 2 + d alpha_W (l1_ratio |W|_1 + (1 - l1_ratio) |W|^2 / 2) + the same of H
    with n alpha_H. Solver "cd" alternates between W and H, column after column in closed form,
    several sweeps for each product with X; an iteration costs 4 n d k. The weights of the training
    rows are the best for the final parts, as for new rows.

    Parameters
    ----------
    n_components
        Number of parts, k; "auto" or None: d.
    init
        "random"; "nndsvd", the positive parts of singular vectors, "nndsvda" with zeros filled by
        the mean, "nndsvdar" by small random numbers (Boutsidis and Gallopoulos 2008); None:
        "nndsvda" if k is at most the lesser of n and d, else "random".
    solver
        "cd": as above, for squares. "mu": multiplicative updates, for any `beta_loss`.
    beta_loss
        "frobenius" (2), "kullback-leibler" (1), "itakura-saito" (0) or a number: the divergence.
    tol
        Stop when the projected gradient ("cd") or ten updates' gain ("mu") is less than this times
        the first.
    max_iter
        Most iterations.
    random_state
        Seed or generator of the start.
    alpha_W
        Penalty of W.
    alpha_H
        Penalty of H; "same": that of W.
    l1_ratio
        Share of the penalty that is l1.
    verbose
        Ignored; present for scikit-learn compatibility: see callbacks.
    shuffle
        Ignored; present for scikit-learn compatibility: columns are visited in order.

    Attributes
    ----------
    components_ : array (k, d)
        H.
    n_components_ : int
        k.
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

    parametric = True
    takes_sparse = True

    n_components: Count | Literal["auto"] | None = "auto"
    _: KW_ONLY
    init: Literal["random", "nndsvd", "nndsvda", "nndsvdar"] | None = None
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
    verbose: NonNegativeInt = 0
    shuffle: bool = False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def fit(self, X: Table, y: object = None) -> Self:
        """Find the parts.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Rows without negative numbers.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        self.fit_transform(X)
        return self

    @with_callbacks
    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Find the parts, and return the weights of the rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Rows without negative numbers.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        W : array of shape (n, k)
        """
        table = check_fit(self, X)
        check_size(self, "X", table, 1e100)
        self._check_sign(table)
        n, d = table.shape
        k = d if self.n_components in ("auto", None) else int(self.n_components)
        beta = self._beta(table)
        scale = float(table.data.max() if sp.issparse(table) else table.max()) or 1.0
        # The penalties are of the scaled problem, X / scale with both factors / sqrt(scale).
        W, H = self._start(table, k)
        task = Task.of(self, steps=self.max_iter, X=X)
        loop = self._alternate if self.solver == "cd" else self._multiply
        W, H, converged = loop(table, W, H, beta, task)
        if not converged and self.tol > 0 and self.n_iter_ >= self.max_iter:
            warn(
                f"NMF: not converged after max_iter={self.max_iter} iterations; raise max_iter or "
                "tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.components_ = np.ascontiguousarray(H, dtype=table.dtype)
        self.n_components_ = k
        W = self._weights(table, beta)
        self.reconstruction_err_ = self._error(table, W, self.components_.astype(float), beta)
        task.done(dict)
        return W.astype(table.dtype)
