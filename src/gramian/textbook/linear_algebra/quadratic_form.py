r"""The quadratic form q(x) = x^T M x + b^T x + c of a symmetric matrix M.

With M = V Lambda V^T its level set x^T M x = 1 is an ellipsoid with axes v_i and radii 1 /
sqrt(lambda_i) if M is positive definite; then the only minimum is x = -M^{-1} b / 2. With zero
eigenvalues the minimisers form an affine subspace if b is orthogonal to their eigenvectors;
otherwise, or with a negative eigenvalue, there is no minimum.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.linalg.checks import check_symmetric, rank_tolerance
from gramian.linalg.symmetric import Definiteness, definiteness, eigenpairs


class Minimum(NamedTuple):
    """The minimum of a quadratic form.

    Attributes
    ----------
    kind
        ``"unique"``, ``"flat"`` (a whole subspace through x) or ``"none"``.
    x
        The minimiser; the one nearest to the origin if it is not unique; None if there is none.
    value
        The minimum; minus infinity if there is none.
    """

    kind: Literal["unique", "flat", "none"]
    x: Floats | None
    value: float


class QuadraticForm:
    """x^T M x + b^T x + c.

    Parameters
    ----------
    M
        Symmetric matrix (d, d).
    b
        Vector (d,); None means 0.
    c
        Constant.

    Examples
    --------
    >>> form = QuadraticForm([[2.0, 0.0], [0.0, 8.0]], b=[-4.0, 0.0])
    >>> form.definiteness, form.minimum().x.tolist(), form.minimum().value
    ('positive definite', [1.0, 0.0], -2.0)
    >>> form.radii.round(6).tolist()
    [0.353553, 0.707107]
    """

    def __init__(self, M: ArrayLike, b: ArrayLike | None = None, c: float = 0.0) -> None:
        self.M: Floats = check_symmetric("QuadraticForm", M, name="M")
        d = len(self.M)
        self.b: Floats = np.zeros(d) if b is None else np.asarray(b, dtype=np.float64)
        self.c = float(c)
        if self.b.shape != (d,) or not np.isfinite(self.b).all():
            raise DataError(
                f"QuadraticForm: b must have {d} finite values; got shape {self.b.shape}."
            )

    def __call__(self, x: ArrayLike) -> Floats:
        """Return the value at a point (d,) or at each row of (n, d)."""
        points = np.asarray(x, dtype=np.float64)
        if points.ndim not in (1, 2) or points.shape[-1] != len(self.b):
            raise DataError(
                f"QuadraticForm: x must have {len(self.b)} coordinates; got shape {points.shape}."
            )
        return np.asarray(((points @ self.M) * points).sum(axis=-1) + points @ self.b + self.c)

    @property
    def definiteness(self) -> Definiteness:
        """The definiteness of M, by the signs of its eigenvalues."""
        return definiteness(self.M)

    @property
    def axes(self) -> Floats:
        """Matrix whose columns are the axes of the level sets: the eigenvectors of M."""
        return eigenpairs(self.M).vectors

    @property
    def radii(self) -> Floats:
        """Radii of the ellipsoid x^T M x = 1 along the axes, 1 / sqrt(lambda), shortest first.

        Infinite for eigenvalue 0; NaN for negative eigenvalues, along whose eigenvectors the level
        set has no points.
        """
        values = eigenpairs(self.M).values
        limit = rank_tolerance(np.abs(values).max(initial=0.0), np.shape(self.M), None)
        radii = np.full(len(values), np.nan)
        radii[np.abs(values) <= limit] = np.inf
        radii[values > limit] = 1 / np.sqrt(values[values > limit])
        return radii

    def minimum(self, *, tol: float | None = None) -> Minimum:
        """Return the minimum, its minimiser, and whether that is unique.

        Parameters
        ----------
        tol
            Eigenvalues up to tol times the largest absolute value count as 0, and so do components
            of b along their eigenvectors up to tol times its length.
        """
        values, V = eigenpairs(self.M)
        limit = rank_tolerance(np.abs(values).max(initial=0.0), V.shape, tol)
        along = V.T @ self.b
        flat = np.abs(values) <= limit
        slope = np.abs(along[flat]) > rank_tolerance(float(np.linalg.norm(along)), V.shape, tol)
        if (values < -limit).any() or slope.any():
            return Minimum("none", None, -np.inf)
        x = V[:, ~flat] @ (-along[~flat] / (2 * values[~flat])) + 0.0  # avoids -0.0
        return Minimum("flat" if flat.any() else "unique", x, float(self(x)))
