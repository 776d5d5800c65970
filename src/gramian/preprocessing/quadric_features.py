"""Quadratic features, whose planes are quadrics in the original space."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.preprocessing import PolynomialFeatures
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.feature_names import as_names, join_columns, names_of_inputs
from gramian.base.types import Data
from gramian.preprocessing.polynomial_map import PolynomialMap
from gramian.preprocessing.quadric import Quadric


@params
class QuadricFeatures(PolynomialMap):
    """Map rows to quadratic terms, so that a linear model has quadrics as boundaries.

    Four sets of terms of x in R^d, always in the order linear, then quadratic:

    ================  ======================================  =======================
    terms             columns                                 boundaries
    ================  ======================================  =======================
    'full'            x_i and x_i x_j, i <= j: (d^2 + 3d)/2   every quadric
    'axis-aligned'    x_i and x_i^2: 2d                       quadrics along the axes
    'quadratic'       x_i x_j, i <= j: d (d + 1)/2            cones, centred quadrics
    'squares'         x_i^2: d                                both restrictions
    ================  ======================================  =======================

    There are d (d + 1)/2 monomials of degree 2, squares included: 307,720 for images of 784 pixels.
    If that is too many, omit the products. For higher degrees see
    `sklearn.preprocessing.PolynomialFeatures` and `count_monomials`.

    Parameters
    ----------
    terms
        The terms to compute.
    include_bias
        Whether to add a column of ones as the first column, for models without an intercept.

    Examples
    --------
    >>> QuadricFeatures().fit_transform([[2.0, 3.0]])
    array([[2., 3., 4., 6., 9.]])
    >>> QuadricFeatures("squares").fit_transform([[2.0, 3.0]])
    array([[4., 9.]])
    """

    terms: Literal["full", "axis-aligned", "quadratic", "squares"] = "full"
    _: KW_ONLY
    include_bias: bool = False

    def _terms(self, X: Data) -> Data:
        n, d = X.shape
        ones = np.ones((n, 1), dtype=X.dtype)
        bias = [sp.csr_array(ones) if sp.issparse(X) else ones] if self.include_bias else []
        if self.terms == "squares":
            return join_columns([*bias, X * X])
        if self.terms == "axis-aligned":
            return join_columns([*bias, X, X * X])
        terms = PolynomialFeatures(2, include_bias=False).fit_transform(X)
        return join_columns([*bias, terms if self.terms == "full" else terms[:, d:]])

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return names such as ``x0``, ``x0^2`` and ``x0 x1``."""
        x = names_of_inputs(self, input_features)
        names = ["1"] if self.include_bias else []
        if self.terms in ("full", "axis-aligned"):
            names += x
        pairs = zip(*self._pairs(), strict=True)
        names += [f"{x[i]}^2" if i == j else f"{x[i]} {x[j]}" for i, j in pairs]
        return as_names(names)

    def quadric(self, coef: npt.ArrayLike, intercept: float = 0.0) -> Quadric:
        """Return the quadratic function of x for a linear function of the terms.

        Parameters
        ----------
        coef
            One weight for each term: ``coef_`` of a linear model.
        intercept
            The constant added.

        Returns
        -------
        Quadric
            ``matrix`` A, ``linear`` b and ``constant`` c of x' A x + b . x + c; pass them to
            `classify_quadric` for the shape of the boundary.

        Examples
        --------
        >>> terms = QuadricFeatures().fit([[0.0, 0.0]])
        >>> A, b, c = terms.quadric([0.0, 0.0, 1.0, 6.0, 1.0], -1.0)  # x^2 + 6 x y + y^2 = 1
        >>> A
        array([[1., 3.],
               [3., 1.]])
        """
        check_is_fitted(self)
        d = self.n_features_in_
        i, j = self._pairs()
        has_linear = self.terms in ("full", "axis-aligned")
        weights = np.ravel(np.asarray(coef, dtype=np.float64))
        sizes = [int(self.include_bias), d if has_linear else 0, len(i)]
        if len(weights) != sum(sizes):
            raise DataError(
                f"QuadricFeatures: coef must have one weight for each of the {sum(sizes)} terms; "
                f"got {len(weights)}."
            )
        bias, linear, quadratic = np.split(weights, np.cumsum(sizes)[:2])
        A = np.zeros((d, d))
        A[i, j] = quadratic
        return Quadric(
            (A + A.T) / 2,
            linear if has_linear else np.zeros(d),
            float(intercept + bias.sum()),
        )

    def _pairs(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the pairs (i, j) of the quadratic terms x_i x_j, in their order."""
        d = self.n_features_in_
        if self.terms in ("squares", "axis-aligned"):
            return np.arange(d), np.arange(d)
        return np.triu_indices(d)
