"""Check whether a function is a kernel: symmetry and eigenvalues of its matrix."""

from typing import NamedTuple

import numpy as np

from gramian.base.runtime.lapack import eigvalsh
from gramian.base.types import Floats, Table
from gramian.kernels.matrix import check_square, check_table, checked_kernel_matrix
from gramian.kernels.resolution import KernelLike, resolve_kernel


class KernelReport(NamedTuple):
    """Properties of the matrix of a candidate kernel on sample rows.

    Attributes
    ----------
    symmetric : bool
        Whether k(x, z) = k(z, x) up to rounding.
    positive_semidefinite : bool
        Whether it is symmetric and no eigenvalue is negative beyond rounding. True proves nothing
        for other rows; False proves that the function is not a kernel (Mercer; Moore-Aronszajn).
    singular : bool
        Whether an eigenvalue is zero up to rounding: then K a = y has no solution for some y,
        and a penalty is needed.
    rank : int
        Number of eigenvalues that are not zero up to rounding.
    condition : float
        Ratio of the largest to the smallest absolute eigenvalue; infinity if singular.
    eigenvalues : array (n,)
        Eigenvalues of the symmetric part (K + K') / 2, in ascending order.
    asymmetry : float
        The largest |k(x, z) - k(z, x)|.
    """

    symmetric: bool
    positive_semidefinite: bool
    singular: bool
    rank: int
    condition: float
    eigenvalues: Floats
    asymmetry: float


def check_kernel(
    X: Table,
    kernel: KernelLike = "rbf",
    *,
    gamma: float | str | None = None,
    degree: float = 3,
    coef0: float = 1.0,
    tol: float = 1e-10,
) -> KernelReport:
    """Examine a candidate kernel on sample rows.

    Costs O(n^3); pass a few hundred rows. By the Moore-Aronszajn theorem k is an inner product of
    features if and only if this matrix is symmetric and positive semidefinite for every choice of
    rows.

    Parameters
    ----------
    X
        Sample rows, array or CSR (n, d); the matrix itself for kernel="precomputed".
    kernel
        As in `kernel_matrix`; any function of two rows.
    gamma, degree, coef0
        As in `kernel_matrix`.
    tol
        Eigenvalues below tol times the largest absolute one count as zero.

    Returns
    -------
    report : KernelReport

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0]]
    >>> check_kernel(X, "rbf").positive_semidefinite
    True
    >>> check_kernel(X, lambda x, z: -float(abs(x - z)[0])).positive_semidefinite
    False
    >>> check_kernel(X, "linear").rank
    1
    """
    table = check_table("check_kernel", "X", X)
    found = resolve_kernel("check_kernel", kernel, table, gamma=gamma, degree=degree, coef0=coef0)
    if not found.takes_rows:
        check_square("check_kernel", table)
    K = checked_kernel_matrix("check_kernel", found, table, table).astype(np.float64, copy=False)
    asymmetry = float(np.abs(K - K.T).max())
    size = float(np.abs(K).max())
    rounding = max(tol, 100.0 * float(np.finfo(table.dtype).eps))
    values = eigvalsh((K + K.T) / 2)
    largest = float(np.abs(values).max())
    zero = rounding * largest
    smallest = float(np.abs(values).min())
    rank = int(np.sum(np.abs(values) > zero))
    symmetric = asymmetry <= rounding * size
    return KernelReport(
        symmetric=symmetric,
        positive_semidefinite=symmetric and float(values[0]) >= -zero,
        singular=rank < len(values),
        rank=rank,
        condition=largest / smallest if rank == len(values) else float("inf"),
        eigenvalues=values,
        asymmetry=asymmetry,
    )
