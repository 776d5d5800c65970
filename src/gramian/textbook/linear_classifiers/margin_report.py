"""The perceptron's mistake bound, and the support vectors of a fitted classifier."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.types import Floats, Table
from gramian.svm.linear_svc import LinearSVC, NotSeparableError
from gramian.svm.pairwise_machines import PairwiseMachines
from gramian.textbook.linear_classifiers.hyperplane import Hyperplane, add_constant


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


def mistake_bound(X: Table, y: npt.ArrayLike, *, fit_intercept: bool = True) -> MistakeBound:
    """Return the bound on the mistakes of a perceptron started at zero on separable data.

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
            "and no bound holds. Add features, or use Perceptron(average=True)."
        ) from error
    squares = rows.multiply(rows).sum(axis=1) if sp.issparse(rows) else (rows**2).sum(axis=1)
    R, gamma = float(np.sqrt(np.max(squares))), 1 / float(np.linalg.norm(classifier.coef_))
    return MistakeBound(float(round((R / gamma) ** 2, 9)), R, gamma)


class SupportReport(NamedTuple):
    """The support vectors of a binary classifier.

    Attributes
    ----------
    margin
        1 / |w|: the distance from the hyperplane to the edge of the slab, in the space of the
        kernel if there is one.
    slack
        max(0, 1 - y f) of each row.
    on_edge
        Rows on the edge of the slab, y f = 1: active constraints without slack.
    inside
        Rows with slack: their multipliers are at the bound.
    support
        The union of both: the rows that w depends on.
    multipliers
        alpha_i >= 0, with w = sum_i alpha_i y_i phi(x_i), if the classifier stores them.
    """

    margin: float
    slack: Floats
    on_edge: npt.NDArray[np.intp]
    inside: npt.NDArray[np.intp]
    support: npt.NDArray[np.intp]
    multipliers: Floats | None


def support_report(
    classifier: Any, X: Table, y: npt.ArrayLike, *, tol: float | None = None
) -> SupportReport:
    """Return the support vectors of a fitted binary classifier, as row indices.

    Parameters
    ----------
    classifier
        A fitted linear classifier, for instance `LinearSVC`, or an `SVC` or `NuSVC` of any kernel.
    X, y
        The training rows and their labels.
    tol
        Tolerance within which y f = 1 counts as on the edge; None means 1e-4, or the `tol` of a
        kernel machine if that is larger.

    Examples
    --------
    >>> X, y = [[2.0], [1.0], [-1.0], [-3.0]], [1, 1, 0, 0]
    >>> classifier = LinearSVC(loss="hinge", tol=1e-9).fit(X, y)
    >>> support_report(classifier, X, y).support
    array([1, 2])

    XOR needs a kernel, and all four rows are support vectors:

    >>> from gramian import SVC
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [0, 0, 1, 1]
    >>> support_report(SVC(C=float("inf"), gamma=1.0).fit(X, y), X, y).support
    array([0, 1, 2, 3])
    """
    if len(classifier.classes_) != 2:
        raise DataError(
            "support_report: the classifier must have two classes; got "
            f"{len(classifier.classes_)}. Use one-vs-rest classifiers."
        )
    signs = np.where(np.asarray(y) == classifier.classes_[1], 1.0, -1.0)
    kernel_machine = isinstance(classifier, PairwiseMachines)
    beta: Any = None
    if kernel_machine:
        f, beta, length = _in_feature_space(classifier, X, len(signs))
    else:
        H = Hyperplane.of(classifier)
        f, length = np.asarray((X if sp.issparse(X) else np.asarray(X, float)) @ H.w), H.length
        f, beta = f + H.alpha, getattr(classifier, "dual_coef_", None)
    if tol is None:
        tol = max(1e-4, float(classifier.tol)) if kernel_machine else 1e-4
    values = signs * f
    slack = np.maximum(0.0, 1 - values)
    on_edge, inside = np.abs(values - 1) <= tol, values < 1 - tol
    return SupportReport(
        1 / length,
        slack,
        np.flatnonzero(on_edge),
        np.flatnonzero(inside),
        np.flatnonzero(on_edge | inside),
        None if beta is None else np.asarray(signs * np.ravel(beta)),
    )


def _in_feature_space(machine: PairwiseMachines, X: Table, n: int) -> tuple[Floats, Floats, float]:
    """Return the scores, beta_i = y_i alpha_i, and |w|, |w|^2 = sum_i beta_i w . phi(x_i)."""
    name = type(machine).__name__
    f = np.asarray(machine.decision_function(X), dtype=float)
    if not len(f) == n == machine.shape_fit_[0]:
        raise DataError(
            f"support_report: X and y must be the {machine.shape_fit_[0]} rows that the {name} was "
            f"fitted to; got {len(f)} rows and {n} labels."
        )
    beta = np.zeros(n)
    beta[machine.support_] = machine.dual_coef_[0]
    return f, beta, float(np.sqrt(beta @ (f - machine.intercept_[0])))
