"""Randomized singular value decomposition."""

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of
from gramian.base.types import Floats
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.singular_triplets import by_krylov, krylov_columns
from gramian.linalg.checks import check_matrix


def randomized_svd(
    A: Any,
    n_components: int,
    *,
    n_oversamples: int = 10,
    n_iter: int | Literal["auto"] = "auto",
    random_state: object = 0,
) -> tuple[Floats, Floats, Floats]:
    r"""Return U, s, V' of a nearly optimal approximation of rank k.

    A random block, multiplied by A and repeatedly by A A', spans the leading singular directions.
    All products are kept (a block Krylov space: Musco and Musco 2015), which needs fewer of them
    than keeping only the last (Halko, Martinsson and Tropp 2011). The error in the spectral norm is
    within 1 + eps of the optimum for log(d) / sqrt(eps) products.

    Parameters
    ----------
    A
        Array or sparse matrix (n, d).
    n_components
        Number k of components.
    n_oversamples
        Number of extra columns of the power iterations.
    n_iter
        Number of power iterations whose accuracy must be reached: the Krylov space has at most
        (1 + 0.6 `n_iter`) (k + `n_oversamples`) columns; "auto" is 6.
    random_state
        Seed or generator for the initial block.

    Returns
    -------
    U, s, Vt
        Orthonormal columns (n, k), singular values (k,), orthonormal rows (k, d).

    Examples
    --------
    >>> U, s, Vt = randomized_svd(np.diag([3.0, 2.0, 1.0]), 2)
    >>> s.round(9).tolist()
    [3.0, 2.0]
    """
    owner = "randomized_svd"
    matrix: Any = sp.csr_array(A, dtype=np.float64) if sp.issparse(A) else check_matrix(owner, A)
    if sp.issparse(matrix) and not np.isfinite(matrix.data).all():
        raise DataError(f"{owner}: A contains NaN or infinity.")
    small = min(matrix.shape)
    if not 1 <= n_components <= small:
        raise ParameterError(
            f"{owner}: n_components must be between 1 and {small}; got {n_components!r}."
        )
    matrix = matrix if sp.issparse(matrix) else np.ascontiguousarray(matrix)
    table = CentredTable(matrix, np.zeros(matrix.shape[1]), np.ones(matrix.shape[1]))
    values, Vt = by_krylov(
        table,
        n_components,
        seed=seed_of(random_state),
        most=krylov_columns(n_components, 6 if n_iter == "auto" else n_iter, n_oversamples),
    )
    image = table.times(Vt.T)
    U, R = np.linalg.qr(image)  # image = U R, and R is nearly diag(s)
    return U * np.where(np.diag(R) < 0, -1.0, 1.0), values, Vt
