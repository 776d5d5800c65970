"""Non-negative matrix factorisation as a function."""

from typing import Any
from warnings import warn

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, caller_level
from gramian.base.types import Matrix, Table
from gramian.decomposition.nmf import NMF


def non_negative_factorization(
    X: Table,
    W: npt.ArrayLike | None = None,
    H: npt.ArrayLike | None = None,
    n_components: Any = "auto",
    *,
    init: Any = None,
    update_H: bool = True,
    solver: Any = "cd",
    beta_loss: Any = "frobenius",
    tol: float = 1e-4,
    max_iter: int = 200,
    alpha_W: float = 0.0,
    alpha_H: Any = "same",
    l1_ratio: float = 0.0,
    random_state: Any = None,
    verbose: int = 0,
    shuffle: bool = False,
) -> tuple[Matrix, Matrix, int]:
    """Return non-negative factors of a table, X ~ W H, as `NMF` finds them.

    Parameters
    ----------
    X
        Nonnegative rows, (n, d).
    W, H
        Initial factors, for init="custom"; with update_H=False, H is fixed.
    n_components
        Number of components k.
    init, solver, beta_loss, tol, max_iter, alpha_W, alpha_H, l1_ratio, random_state
        See `NMF`.
    update_H
        Whether to estimate H too.
    verbose, shuffle
        Ignored; present for scikit-learn compatibility.

    Returns
    -------
    W : array of shape (n, k)
    H : array of shape (k, d)
    n_iter : int
        Number of iterations; 1 if H is fixed, since W is then solved directly.

    Examples
    --------
    >>> from gramian.decomposition import non_negative_factorization
    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 2.0])
    >>> W, H, _ = non_negative_factorization(X, n_components=1)
    >>> bool(np.allclose(W @ H, X))
    True
    """
    model = NMF(
        n_components,
        init=init,
        solver=solver,
        beta_loss=beta_loss,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        alpha_W=alpha_W,
        alpha_H=alpha_H,
        l1_ratio=l1_ratio,
        verbose=verbose,
        shuffle=shuffle,
    )
    if update_H:
        return model.fit_transform(X, W=W, H=H), model.components_, model.n_iter_
    if W is not None:
        warn(
            "non_negative_factorization: When update_H=False, the provided initial W is not used.",
            RuntimeWarning,
            stacklevel=caller_level(),
        )
    parts: Matrix = np.empty((0, 0)) if H is None else np.asarray(H)
    if parts.ndim != 2 or parts.size == 0 or not (parts >= 0).all():
        raise DataError(
            "non_negative_factorization: update_H=False needs H of shape (n_components, "
            f"n_features), nonnegative; got {'None' if H is None else parts.shape}."
        )
    model.components_ = parts if parts.dtype.kind == "f" else parts.astype(np.float64)
    model.n_components_, model.n_features_in_ = parts.shape
    return model.transform(X), model.components_, 1
