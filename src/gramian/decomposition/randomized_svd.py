"""The singular value decomposition of the leading part of a matrix, at random."""

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
    r"""Return U, s, V' of the best approximation of rank k, nearly.

    A random block, multiplied by A and by A A' again and again, spans the leading singular
    directions; all the products are kept (a block Krylov space: Musco and Musco 2015), which takes
    fewer of them than the last alone (Halko, Martinsson and Tropp 2011). The error in the spectral
    norm is within 1 + eps of the best for log(d) / sqrt(eps) products.

    Parameters
    ----------
    A
        Array or sparse matrix (n, d).
    n_components
        k.
    n_oversamples
        Columns of the power iterations beyond k.
    n_iter
        Power iterations that it shall at least be as accurate as: the Krylov space has at most
        (1 + 0.6 `n_iter`) (k + `n_oversamples`) columns; "auto" is 6.
    random_state
        Seed or generator of the block.

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
