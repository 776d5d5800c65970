"""Explicit feature maps of kernels, k(x, z) = phi(x) . phi(z), exact or truncated."""

from itertools import combinations_with_replacement
from math import comb, factorial, lgamma
from numbers import Real

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats, Matrix, Table
from gramian.kernels.matrix import check_table

MAX_FEATURES = 1_000_000  # largest number of features


def polynomial_feature_map(
    X: Table, degree: int = 2, *, gamma: float = 1.0, coef0: float = 1.0
) -> Matrix:
    """Return the features of the polynomial kernel, phi(x) . phi(z) = (gamma x . z + c)^p.

    By the multinomial theorem the monomial x_1^a_1 ... x_d^a_d with a_1 + ... + a_d = q has the
    weight sqrt(p! / (a_1! ... a_d! (p - q)!) gamma^q c^(p - q)). There are C(d + p, p) of them, C(d
    + p - 1, p) for c = 0: use the map for tests, or for small d and p.

    Parameters
    ----------
    X
        Rows (n, d).
    degree
        The exponent p, an integer >= 0.
    gamma
        Factor > 0 of the inner product.
    coef0
        The constant c >= 0.

    Returns
    -------
    phi : array of shape (n, D)
        The monomials in order of degree, the constant first.

    Examples
    --------
    >>> polynomial_feature_map([[2.0, 3.0]], 2).round(3)  # 1, sqrt(2) x1, sqrt(2) x2, x1^2, ...
    array([[1.   , 2.828, 4.243, 4.   , 8.485, 9.   ]])
    """
    if not isinstance(degree, int | np.integer) or degree < 0:
        raise ParameterError(
            f"polynomial_feature_map: degree must be an integer >= 0; got {degree!r}."
        )
    numbers = isinstance(gamma, Real) and isinstance(coef0, Real)
    if not (numbers and 0 < gamma < np.inf and 0 <= coef0 < np.inf):
        raise ParameterError(
            "polynomial_feature_map: gamma must be a number > 0 and coef0 a number >= 0, because "
            f"other values have no real features; got {gamma!r} and {coef0!r}."
        )
    table = _to_dense("polynomial_feature_map", X)
    n, d = table.shape
    count = comb(d + degree, degree) if coef0 > 0 else comb(d + degree - 1, degree)
    if count > MAX_FEATURES:
        raise DataError(
            f"polynomial_feature_map: degree {degree} of {d} columns has {count} monomials; use "
            "the kernel, or gramian.PolynomialCountSketch."
        )
    columns = []
    for total in range(0 if coef0 > 0 else degree, degree + 1):
        rest = factorial(degree) // factorial(degree - total)
        constant = gamma**total * (coef0 ** (degree - total) if degree > total else 1.0)
        for chosen in combinations_with_replacement(range(d), total):
            repeats = np.unique(chosen, return_counts=True)[1]
            ways = rest
            for repeat in repeats.tolist():
                ways //= factorial(repeat)
            monomial = np.prod(table[:, chosen], axis=1) if total else np.ones(n)
            columns.append(np.sqrt(ways * constant) * monomial)
    return np.column_stack(columns).astype(table.dtype)


def rbf_feature_map(X: Table, n_terms: int = 20, *, length_scale: float = 1.0) -> Floats:
    """Return the first features of the Gaussian kernel exp(-|x - z|^2 / (2 s^2)).

    In one dimension they are ::

        phi_i(x) = exp(-x^2 / (2 s^2)) x^i / (s^i sqrt(i!)),    i = 0, 1, ...

    and sum_i phi_i(x) phi_i(z) converges to k(x, z). In d dimensions the terms of degree i are all
    monomials of that degree with their multinomial weights.

    Parameters
    ----------
    X
        Rows (n, d).
    n_terms
        Number of degrees 0 .. n_terms - 1; the number of features if d = 1.
    length_scale
        Length scale s > 0.

    Returns
    -------
    phi : array of shape (n, D)

    Examples
    --------
    >>> x, z = rbf_feature_map([[0.7], [-0.4]], 12, length_scale=1.3)
    >>> round(float(x @ z), 6)
    0.699081
    """
    if not isinstance(n_terms, int | np.integer) or n_terms < 1:
        raise ParameterError(f"rbf_feature_map: n_terms must be an integer >= 1; got {n_terms!r}.")
    if not (isinstance(length_scale, Real) and 0 < length_scale < np.inf):
        raise ParameterError(
            f"rbf_feature_map: length_scale must be a finite number > 0; got {length_scale!r}."
        )
    table = _to_dense("rbf_feature_map", X).astype(np.float64) / length_scale
    n, d = table.shape
    count = comb(d + n_terms - 1, n_terms - 1)
    if count > MAX_FEATURES:
        raise DataError(
            f"rbf_feature_map: {n_terms} degrees of {d} columns have {count} terms; lower "
            "n_terms, or see gramian.RBFSampler."
        )
    envelope = -0.5 * np.einsum("ij,ij->i", table, table)
    with np.errstate(divide="ignore"):
        sizes = np.log(np.abs(table))
    signs = np.sign(table)
    columns = []
    for total in range(n_terms):
        for chosen in combinations_with_replacement(range(d), total):
            log_size, sign = envelope.copy(), np.ones(n)
            for column, power in zip(*np.unique(chosen, return_counts=True), strict=True):
                log_size += int(power) * sizes[:, column] - lgamma(power + 1) / 2
                sign *= signs[:, column] ** int(power)
            columns.append(sign * np.exp(log_size))
    return np.column_stack(columns)


def _to_dense(owner: str, X: Table) -> Matrix:
    table = check_table(owner, "X", X)
    return np.asarray(table.toarray() if hasattr(table, "toarray") else table)
