"""Basis functions, for fitting curves with linear models."""

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Count, Function, Positive, params
from gramian.base.inputs.feature_names import as_names, names_of_inputs
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.types import Matrix, Table

BASES: dict[str, Callable[[Matrix], Matrix]] = {
    "gaussian": lambda u: np.exp(-u * u / 2),  # (3.4)
    "sigmoid": expit,  # (3.5)
}


@params
class BasisFeatures(Transformer):
    """Map rows to basis functions with centres mu_j and a scale s.

    The linear basis function model y = w_0 + sum_j w_j phi_j(x) is a linear model on these
    features. In one variable they are ::

        gaussian      phi_j(x) = exp(-(x - mu_j)^2 / (2 s^2))                   (3.4)
        sigmoid       phi_j(x) = 1 / (1 + exp(-(x - mu_j) / s))                 (3.5)
        polynomial    phi_j(x) = (x / s)^j
        a function    phi_j(x) = phi((x - mu_j) / s)

    With several variables there are two cases. Without `centers` each column k has its own basis
    functions, and the model is additive. With `centers`, points of R^d, a basis function is a
    product over the columns, phi_j(x) = prod_k phi((x_k - mu_jk) / s): for the Gaussian, ``exp(-|x
    - mu_j|^2 / (2 s^2))``. Equations: Bishop 2006, 3.1.

    Parameters
    ----------
    basis
        The function phi: a name, or an elementwise function of an array.
    n_functions
        Number of functions per column if `centers` is None; their centres are evenly spaced from
        the smallest to the largest value. For polynomials, the degree.
    centers
        The centres mu_j, shape (m, d).
    scale
        The width s. None means the spacing of the centres or, with `centers`, the mean distance to
        the nearest other centre; 1 for polynomials.
    include_bias
        Whether to add the constant function phi_0 = 1 as the first column, for models without an
        intercept.

    Attributes
    ----------
    centers_
        The centres, shape (m, d), one row for each function of a column; none for polynomials.
    scale_
        The width of each column, shape (d,).
    n_features_in_
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> BasisFeatures("gaussian", 3).fit([[0.0], [2.0]]).transform([[1.0]]).round(3)
    array([[0.607, 1.   , 0.607]])
    >>> BasisFeatures("polynomial", 3).fit_transform([[2.0], [3.0]])
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    """

    parametric = True

    basis: Literal["gaussian", "sigmoid", "polynomial"] | Function = "gaussian"
    n_functions: Count = 10
    _: KW_ONLY
    centers: Array | None = None
    scale: Positive | None = None
    include_bias: bool = False

    def fit(self, X: Table, y: object = None) -> Self:
        """Choose the centres and the scale."""
        X = check_fit(self, X)
        check_size(self, "X", X, 1e300)
        if self.basis == "polynomial":
            if self.centers is not None:
                raise ParameterError(
                    "BasisFeatures: centers must be None for basis='polynomial', whose functions "
                    "are powers of x; subtract a centre from the column first."
                )
            centers, spacing = X[:0], np.ones(X.shape[1])
        elif self.centers is None:
            centers, spacing = _evenly_spaced(X, self.n_functions)
        else:
            centers, spacing = _check_centers(self.centers, X.shape[1])
        self.centers_ = centers.astype(X.dtype)
        self.scale_ = spacing if self.scale is None else np.full(X.shape[1], float(self.scale))
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the value of each function at each row."""
        X = check_new(self, X)
        bias = [np.ones((len(X), 1), dtype=X.dtype)] if self.include_bias else []
        scale = self.scale_.astype(X.dtype)
        if self.basis == "polynomial":
            powers = np.arange(1, self.n_functions + 1, dtype=X.dtype)
            columns = [u[:, None] ** powers for u in (X / scale).T]
        elif self.centers is None:
            triples = zip(X.T, self.centers_.astype(X.dtype).T, scale, strict=True)
            columns = [self._phi((x[:, None] - mu) / s) for x, mu, s in triples]
        else:
            factors = (self._phi((X - mu) / scale) for mu in self.centers_.astype(X.dtype))
            columns = [factor.prod(axis=1, keepdims=True) for factor in factors]
        return np.hstack([*bias, *columns])

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return names such as ``gaussian0(x0)``, or ``x0^2`` for polynomials."""
        x = names_of_inputs(self, input_features)
        names = ["1"] if self.include_bias else []
        phi = self.basis if isinstance(self.basis, str) else "basis"
        if phi == "polynomial":
            powers = ["", *(f"^{j}" for j in range(2, self.n_functions + 1))]
            names += [f"{name}{power}" for name in x for power in powers]
        elif self.centers is None:
            names += [f"{phi}{j}({name})" for name in x for j in range(self.n_functions)]
        else:
            names += [f"{phi}{j}" for j in range(len(self.centers_))]
        return as_names(names)

    def _phi(self, u: Matrix) -> Matrix:
        values = np.asarray((BASES[self.basis] if isinstance(self.basis, str) else self.basis)(u))
        if values.shape != u.shape:
            raise DataError(
                "BasisFeatures: basis must be an elementwise function; it returned shape "
                f"{values.shape} for shape {u.shape}."
            )
        return values.astype(u.dtype, copy=False)


def _evenly_spaced(X: Matrix, count: int) -> tuple[Matrix, Matrix]:
    """Return evenly spaced centres over the range of each column, and their spacing."""
    low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    if count == 1:
        centers, spacing = (low + high)[None] / 2, high - low
    else:
        centers, spacing = np.linspace(low, high, count), (high - low) / (count - 1)
    return centers, np.where(spacing > 0, spacing, 1.0)


def _check_centers(centers: npt.ArrayLike, d: int) -> tuple[Matrix, Matrix]:
    """Return the checked centres, and their mean distance to the nearest other centre."""
    mu = parameter_array("BasisFeatures", "centers", centers)
    if mu.ndim != 2 or mu.shape[1] != d or len(mu) == 0 or not np.isfinite(mu).all():
        raise DataError(
            f"BasisFeatures: centers must be finite, with the {d} columns of X; "
            f"got shape {mu.shape}."
        )
    if len(mu) == 1:
        return mu, np.ones(d)
    distances = np.sqrt(((mu[:, None] - mu[None]) ** 2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    spacing = distances.min(axis=1).mean()
    return mu, np.full(d, spacing if spacing > 0 else 1.0)
