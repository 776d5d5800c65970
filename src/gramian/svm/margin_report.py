"""The perceptron's mistake bound, and the support vectors of a fitted classifier."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.linear_model.perceptron.hyperplane import Hyperplane, add_constant
from gramian.svm.linear_svc import LinearSVC, NotSeparableError


class MistakeBound(NamedTuple):
    """The perceptron's mistake bound on a dataset.

    Attributes
    ----------
    bound
        (R / gamma)^2, the largest number of mistakes when starting from w = 0.
    radius
        R, the largest norm of a row.
    margin
        gamma, the largest margin of a separating hyperplane through the origin.
    """

    bound: float
    radius: float
    margin: float


def mistake_bound(X: Any, y: npt.ArrayLike, *, fit_intercept: bool = True) -> MistakeBound:
    """Return the bound on the mistakes of a perceptron started at zero, on separable data.

    With the bias as the weight of a column of ones, R = max_i |x_i| and gamma the widest margin of
    a hyperplane through the origin, there are at most (R / gamma)^2 updates (Novikoff 1962), in any
    order of the rows.

    Parameters
    ----------
    X
        Array or CSR matrix (n, d).
    y
        Labels of two classes that a hyperplane separates.
    fit_intercept
        Whether to add a column of ones.

    Examples
    --------
    >>> found = mistake_bound([[1.0, 1.0], [-1.0, -1.0]], [1, -1], fit_intercept=False)
    >>> found.bound, round(found.radius, 6), round(found.margin, 6)
    (1.0, 1.414214, 1.414214)
    """
    table = X if sp.issparse(X) else np.asarray(X, dtype=float)
    rows: Any = add_constant(table) if fit_intercept else table
    classifier = LinearSVC(
        loss="hinge", C=np.inf, fit_intercept=False, tol=1e-10, max_iter=1_000_000
    )
    try:
        classifier.fit(rows, y)
    except NotSeparableError as error:
        raise DataError(
            "mistake_bound: no hyperplane separates the classes, so a perceptron never converges "
            "and no bound holds. Lift the rows, or take Perceptron(average=True)."
        ) from error
    squares = rows.multiply(rows).sum(axis=1) if sp.issparse(rows) else (rows**2).sum(axis=1)
    R, gamma = float(np.sqrt(np.max(squares))), 1 / float(np.linalg.norm(classifier.coef_))
    return MistakeBound(float(round((R / gamma) ** 2, 9)), R, gamma)


class SupportReport(NamedTuple):
    """The support vectors of a binary classifier.

    Attributes
    ----------
    margin
        1 / |w|: the distance from the hyperplane to the edge of the slab.
    slack
        max(0, 1 - y f) of each row.
    on_edge
        Rows on the edge of the slab, y f = 1: active constraints without slack.
    inside
        Rows with slack: their multipliers are at the bound.
    support
        The union of both: the rows that w depends on.
    multipliers
        alpha_i >= 0, with w = sum_i alpha_i y_i x_i, if the classifier stores them.
    """

    margin: float
    slack: Floats
    on_edge: npt.NDArray[np.intp]
    inside: npt.NDArray[np.intp]
    support: npt.NDArray[np.intp]
    multipliers: Floats | None


def support_report(
    classifier: Any, X: Any, y: npt.ArrayLike, *, tol: float = 1e-4
) -> SupportReport:
    """Return the support vectors of a fitted binary classifier, as row indices.

    Parameters
    ----------
    classifier
        A fitted linear classifier, for instance `LinearSVC`.
    X, y
        The rows it was fitted to, and their labels.
    tol
        Tolerance within which y f = 1 counts as on the edge.

    Examples
    --------
    >>> X, y = [[2.0], [1.0], [-1.0], [-3.0]], [1, 1, 0, 0]
    >>> classifier = LinearSVC(loss="hinge", tol=1e-9).fit(X, y)
    >>> support_report(classifier, X, y).support
    array([1, 2])
    """
    if len(classifier.classes_) != 2:
        raise DataError(
            "support_report: the classifier must have two classes; got "
            f"{len(classifier.classes_)}. Use each class against the rest."
        )
    signs = np.where(np.asarray(y) == classifier.classes_[1], 1.0, -1.0)
    table = X if sp.issparse(X) else np.asarray(X, dtype=float)
    H = Hyperplane.of(classifier)
    values = signs * (np.asarray(table @ H.w) + H.alpha)
    slack = np.maximum(0.0, 1 - values)
    on_edge, inside = np.abs(values - 1) <= tol, values < 1 - tol
    beta = getattr(classifier, "dual_coef_", None)
    return SupportReport(
        1 / H.length,
        slack,
        np.flatnonzero(on_edge),
        np.flatnonzero(inside),
        np.flatnonzero(on_edge | inside),
        None if beta is None else np.asarray(signs * np.ravel(beta)),
    )
