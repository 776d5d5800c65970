"""The hyperplane w . x + alpha = 0, and the column of ones that makes alpha a weight."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.types import Floats


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
        """Return the signed distance f(x) / |w| of each point, positive on the side of w."""
        return self.value(X) / self.length

    def project(self, X: npt.ArrayLike) -> Floats:
        """Return the nearest point of the plane, x - (f(x) / |w|) w / |w|."""
        X = np.asarray(X, dtype=float)
        unit = self.w / self.length
        return np.asarray(X - self.distance(X)[..., None] * unit)

    def side(self, X: npt.ArrayLike, tol: float = 1e-12) -> npt.NDArray[np.int_]:
        """Return 1, -1, or 0 for a point on the plane.

        A distance of at most `tol` times max(1, |x|) counts as 0.
        """
        d = self.distance(X)
        size = np.maximum(1.0, np.linalg.norm(np.asarray(X, dtype=float), axis=-1))
        return np.where(np.abs(d) <= tol * size, 0, np.sign(d)).astype(int)

    def margins(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
        """Return the margins y_i f(x_i) / |w| of rows with labels -1 or 1."""
        return np.asarray(np.asarray(y, dtype=float) * self.distance(X))

    def margin(self, X: npt.ArrayLike, y: npt.ArrayLike) -> float:
        """Return the smallest of the `margins`, positive if the plane separates the classes.

        Examples
        --------
        >>> H = Hyperplane([1.0, 0.0])
        >>> H.margin([[2.0, 0.0], [-1.0, 5.0]], [1, -1])
        1.0
        """
        return float(self.margins(X, y).min())

    def class_margins(self, X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[float, float]:
        """Return the margin of the rows with y = -1, and of those with y = 1.

        Examples
        --------
        >>> Hyperplane([1.0, 0.0]).class_margins([[2.0, 0.0], [-1.0, 5.0]], [1, -1])
        (1.0, 2.0)
        """
        each, labels = self.margins(X, y), np.asarray(y)
        return float(each[labels < 0].min()), float(each[labels > 0].min())

    @property
    def as_point(self) -> Floats:
        """The point (w, alpha) of weight space: hyperplanes of x-space are points there."""
        return np.append(self.w, self.alpha)


def constraint_of(x: npt.ArrayLike, y: float) -> Hyperplane:
    """Return the hyperplane y (x, 1) . (w, alpha) = 0 of weight space for a labelled row.

    The two spaces are dual: a point of one is a hyperplane of the other. The weights that classify
    the row correctly have a positive value; those that classify all rows correctly form a cone.

    Examples
    --------
    >>> wall = constraint_of([2.0, 1.0], -1)
    >>> H = Hyperplane([1.0, 0.0], -3.0)
    >>> float(wall.value(H.as_point)) == -1 * float(H.value([2.0, 1.0]))
    True
    """
    return Hyperplane(float(y) * np.append(np.asarray(x, dtype=float), 1.0))


def feasible_weights(W: npt.ArrayLike, X: npt.ArrayLike, y: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return which points (w, alpha) of weight space classify every row correctly.

    Parameters
    ----------
    W
        Points of weight space, (m, d + 1), the bias last; (m, d) for planes through the origin.
    X, y
        Rows, and their labels -1 or 1.

    Examples
    --------
    >>> feasible_weights([[1.0, 0.0], [-1.0, 0.0]], [[2.0], [-1.0]], [1, -1])
    array([ True, False])
    """
    W, X = np.asarray(W, dtype=float), np.asarray(X, dtype=float)
    rows = add_constant(X) if W.shape[1] == X.shape[1] + 1 else X
    constraints = np.asarray(y, dtype=float)[:, None] * rows
    return np.asarray((W @ constraints.T > 0).all(axis=1))


def add_constant(X: Any, position: Literal["first", "last"] = "last") -> Any:
    """Return X with a column of ones, so that the bias becomes the weight of that column.

    Parameters
    ----------
    X
        Array or sparse matrix (n, d); its type is kept.
    position
        Position of the column.

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
    column = np.ones((len(table), 1), dtype=table.dtype)
    return np.hstack([table, column] if position == "last" else [column, table])
