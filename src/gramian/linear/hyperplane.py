"""The hyperplane w . x + alpha = 0, and the column of ones that makes alpha a weight."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.objectives.loss import Floats


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """The points x with f(x) = w . x + alpha = 0.

    Parameters
    ----------
    w
        The normal vector, not 0.
    alpha
        The bias.

    Examples
    --------
    >>> H = Hyperplane([3.0, 4.0], -5.0)
    >>> H.distance([[3.0, 4.0], [0.0, 0.0]])
    array([ 4., -1.])
    >>> H.project([3.0, 4.0])
    array([0.6, 0.8])
    >>> H.side([[3.0, 4.0], [0.6, 0.8], [0.0, 0.0]])
    array([ 1,  0, -1])
    """

    w: Any
    alpha: float = 0.0

    def __post_init__(self) -> None:
        w = np.asarray(self.w, dtype=float)
        if w.ndim != 1 or not np.isfinite(w).all() or not w.any():
            raise DataError(f"Hyperplane: w must be a finite vector other than 0; got {self.w!r}.")
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "alpha", float(self.alpha))

    @classmethod
    def of(cls, model: Any) -> "Hyperplane":
        """Return the hyperplane of a fitted linear model with one output.

        Examples
        --------
        >>> from gramian import LogisticRegression
        >>> H = Hyperplane.of(LogisticRegression().fit([[0.0], [2.0]], [0, 1]))
        >>> float(H.project([5.0]).round(6)[0])        # the point of even odds
        1.0
        """
        coef = np.asarray(model.coef_, dtype=float)
        if coef.ndim == 2 and len(coef) == 1:
            coef = coef[0]
        return cls(coef, float(np.ravel(model.intercept_)[0]))

    @property
    def length(self) -> float:
        """|w|."""
        return float(np.linalg.norm(self.w))

    @property
    def offset(self) -> float:
        """The signed distance of the origin, alpha / |w|."""
        return self.alpha / self.length

    def value(self, X: npt.ArrayLike) -> Floats:
        """Return f(x) of each point."""
        return np.asarray(np.asarray(X, dtype=float) @ self.w + self.alpha)

    def distance(self, X: npt.ArrayLike) -> Floats:
        """Return the signed distance f(x) / |w| of each point, positive where w points to."""
        return self.value(X) / self.length

    def project(self, X: npt.ArrayLike) -> Floats:
        """Return the nearest point of the plane, x - (f(x) / |w|) w / |w|."""
        X = np.asarray(X, dtype=float)
        unit = self.w / self.length
        return np.asarray(X - self.distance(X)[..., None] * unit)

    def side(self, X: npt.ArrayLike, tol: float = 1e-12) -> npt.NDArray[np.int_]:
        """Return 1, -1, or 0 for a point on the plane.

        A distance of at most `tol` times max(1, |x|) counts as none.
        """
        d = self.distance(X)
        size = np.maximum(1.0, np.linalg.norm(np.asarray(X, dtype=float), axis=-1))
        return np.where(np.abs(d) <= tol * size, 0, np.sign(d)).astype(int)


def add_constant(X: Any, position: Literal["first", "last"] = "last") -> Any:
    """Return X with a column of ones, so that a bias becomes the weight of that column.

    Parameters
    ----------
    X
        Array or sparse matrix (n, d); its type is kept.
    position
        Where the column goes.

    Examples
    --------
    >>> add_constant([[2.0, 3.0]]), add_constant([[2.0, 3.0]], "first")
    (array([[2., 3., 1.]]), array([[1., 2., 3.]]))
    """
    if position not in ("first", "last"):
        raise ValueError(f"add_constant: position must be 'first' or 'last'; got {position!r}.")
    if sp.issparse(X):
        ones = sp.csr_array(np.ones((X.shape[0], 1), dtype=X.dtype))
        return sp.hstack([X, ones] if position == "last" else [ones, X], format="csr")
    table = np.asarray(X)
    if table.ndim != 2:
        raise DataError(f"add_constant: X must have shape (n, d); got shape {table.shape}.")
    ones = np.ones((len(table), 1), dtype=table.dtype)
    return np.hstack([table, ones] if position == "last" else [ones, table])
