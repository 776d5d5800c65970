"""Kernels of the inner product of rows: linear, polynomial, sigmoid and cosine."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gramian.base.types import Data, Floats, Matrix, is_sparse
from gramian.kernels.kernel import Kernel, Tile, check_number, shared_type


def products(rows: Data, Y: Data) -> Matrix:
    """Return rows Y' as a new dense array; each side dense or CSR."""
    if not is_sparse(rows) and not is_sparse(Y):
        return np.asarray(rows @ Y.T)
    if is_sparse(rows) and is_sparse(Y):
        return np.ascontiguousarray((rows @ Y.T).toarray())
    if is_sparse(rows):
        return np.ascontiguousarray(rows @ np.ascontiguousarray(Y.T))
    return np.ascontiguousarray((Y @ np.ascontiguousarray(rows.T)).T)


def squared_norms(X: Data) -> Floats:
    """Return |x|^2 of each row, summed in float64."""
    if is_sparse(X):
        squares = X.data.astype(np.float64) ** 2
        owner = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        sums = np.bincount(owner, weights=squares, minlength=X.shape[0])
        return np.asarray(sums, dtype=np.float64)  # bincount returns integers for no entries
    return np.asarray(np.einsum("ij,ij->i", X, X, dtype=np.float64))


@dataclass(frozen=True)
class Linear(Kernel):
    """The linear kernel k(x, z) = x . z: the features are the columns themselves.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    record_name: ClassVar[str] = "linear_kernel"

    parallel_tiles: ClassVar[bool] = True

    def _against(self, Y: Data) -> Tile:
        return lambda rows, columns: products(rows, Y[columns])

    def _diagonal(self, X: Data) -> Floats:
        return squared_norms(X)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """The polynomial kernel k(x, z) = (gamma x . z + c)^p.

    Its features are all monomials up to degree p (of degree p exactly for c = 0), with the
    weights of `polynomial_feature_map`. The defaults give the textbook kernel (x . z + 1)^p;
    scikit-learn's functions use gamma = 1 / d.

    Parameters
    ----------
    degree
        Exponent p >= 0. A non-integer exponent needs gamma x . z + c >= 0.
    gamma
        The factor of the inner product, > 0.
    coef0
        Constant c. A negative constant may give an invalid kernel.

    Examples
    --------
    >>> Polynomial(2)([[1.0, 2.0]], [[3.0, -1.0]])
    array([[4.]])
    """

    record_name: ClassVar[str] = "polynomial_kernel"

    parallel_tiles: ClassVar[bool] = True

    degree: float = 3
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "degree", low=0.0)
        check_number(self, "gamma", low=0.0, open_low=True)
        check_number(self, "coef0")

    def _against(self, Y: Data) -> Tile:
        def tile(rows: Data, columns: slice) -> Matrix:
            out = products(rows, Y[columns])
            out *= self.gamma
            out += self.coef0
            return _power(out, self.degree)

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return _power(self.gamma * squared_norms(X) + self.coef0, self.degree)


def _power(values: Matrix, degree: float) -> Matrix:
    """Raise to a power in place; small integers by products, which is faster."""
    with np.errstate(over="ignore", invalid="ignore"):  # the matrix is checked as a whole
        if degree == 2:
            return np.square(values, out=values)
        if degree == 3:
            values *= np.square(values)
            return values
        if degree == 1:
            return values
        exponent = int(degree) if degree == int(degree) else float(degree)
        return np.power(values, exponent, out=values)


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """The sigmoid kernel k(x, z) = tanh(gamma x . z + c), which is not positive semidefinite.

    Parameters
    ----------
    gamma
        The factor of the inner product, > 0.
    coef0
        The constant c.

    Examples
    --------
    >>> Sigmoid(coef0=0.0)([[1.0]], [[0.5]]).round(4)
    array([[0.4621]])
    """

    record_name: ClassVar[str] = "sigmoid_kernel"

    parallel_tiles: ClassVar[bool] = True

    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0.0, open_low=True)
        check_number(self, "coef0")

    def _against(self, Y: Data) -> Tile:
        def tile(rows: Data, columns: slice) -> Matrix:
            out = products(rows, Y[columns])
            out *= self.gamma
            out += self.coef0
            return np.tanh(out, out=out)

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return np.tanh(self.gamma * squared_norms(X) + self.coef0)


@dataclass(frozen=True)
class Cosine(Kernel):
    """The cosine kernel k(x, z) = x . z / (|x| |z|); 0 if a row is zero.

    Examples
    --------
    >>> Cosine()([[1.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    record_name: ClassVar[str] = "cosine_kernel"

    parallel_tiles: ClassVar[bool] = True

    def _against(self, Y: Data) -> Tile:
        inverse_lengths = _inverse_lengths(Y)

        def tile(rows: Data, columns: slice) -> Matrix:
            out = products(rows, Y[columns])
            shared = shared_type(rows, Y)
            out *= _inverse_lengths(rows).astype(shared)[:, None]
            out *= inverse_lengths[columns].astype(shared)
            return out

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return (squared_norms(X) > 0).astype(float)


def _inverse_lengths(X: Data) -> Floats:
    norms = squared_norms(X)
    return np.divide(1.0, np.sqrt(norms), out=np.zeros_like(norms), where=norms > 0)
