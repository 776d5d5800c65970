"""Preconditioners for L-BFGS: approximate inverse Hessians from a sample of the rows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.objectives.functionals import WeightedSum
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.regression import SquaredError

_RIDGE = 1e-10  # relative increase of the diagonal that makes a singular Hessian factorisable


def sample_of(n_rows: int, size: int) -> npt.NDArray[np.intp]:
    """Return the row indices of a sample, sorted; the same at every call.

    They are drawn with replacement; a sample of at least all rows is each row once.

    Examples
    --------
    >>> sample_of(10, 4)
    array([0, 0, 2, 6])
    >>> sample_of(3, 4)
    array([0, 1, 2])
    """
    if size >= n_rows:
        return np.arange(n_rows)
    return np.sort(stream(0).integers(n_rows, size=size))


def hessian_preconditioner(H: Floats) -> Callable[[Floats], Floats]:
    """Return v -> H^-1 v; a singular direction, where the gradient is 0, is left unchanged.

    Examples
    --------
    >>> hessian_preconditioner(np.diag([2.0, 4.0]))(np.array([2.0, 4.0])).round(6)
    array([1., 1.])
    """
    root, failed = lapack.cholesky(with_ridge(H), lower=False)
    if failed:
        raise np.linalg.LinAlgError(f"the leading minor of order {failed} is not positive")
    return lambda v: lapack.solve_by_cholesky(root, v, lower=False)


def with_ridge(H: Floats) -> Floats:
    """Return H with a slightly larger diagonal, so that it can be factorised if singular."""
    diagonal = np.diag(H)
    return np.asarray(H + np.diag(_RIDGE * np.where(diagonal > 0, diagonal, 1.0)))


class Bound(NamedTuple):
    """The bound of a Hessian that does not depend on the point, one for all outputs.

    Attributes
    ----------
    matrix
        B = sup L'' sum_i omega_i (x_i, 1) (x_i, 1)' + diag(ridge).
    ridge
        The curvature of the penalty, 0 for a bias without penalty.
    """

    matrix: Floats
    ridge: Floats

    @classmethod
    def of(cls, problem: LinearProblem) -> "Bound":
        """Compute the bound for a problem."""
        omega = problem.functional.weights(np.zeros(problem.n_rows))
        plain = LinearProblem(
            problem.X,
            np.zeros(problem.n_rows),
            SquaredError(),
            functional=WeightedSum(omega),
            intercept=problem.intercept,
        )
        m, d = problem.shape[0], problem.X.shape[1]
        ridge = np.zeros(m)
        if problem.penalty is not None:
            one = np.zeros((m if problem.penalty.bias else d, 1))
            ridge[: len(one)] = np.diag(problem.penalty.hessian(one))
        gram = plain.hessian(np.zeros(m))
        return cls(problem.loss.curvature_bound * gram + np.diag(ridge), ridge)


def bound_preconditioner(
    problem: LinearProblem, bound: Bound | None = None
) -> Callable[[Floats], Floats]:
    """Return v -> B^-1 v for the bound B of the Hessian that does not depend on the point.

    Examples
    --------
    >>> from gramian.objectives import Logistic
    >>> problem = LinearProblem([[2.0], [-2.0]], [0.0, 1.0], Logistic(), intercept=False)
    >>> bound_preconditioner(problem)(np.array([1.0])).round(6)        # Hessian at most 4 / 4
    array([1.])
    """
    bound = Bound.of(problem) if bound is None else bound
    inverse = hessian_preconditioner(bound.matrix)
    if problem.loss.targets != "classes":
        return lambda v: inverse(v.reshape(problem.shape)).reshape(-1)

    def of_classes(v: Floats) -> Floats:
        V = v.reshape(problem.shape)
        apart, together = split_classes(V, bound.ridge)
        return np.asarray(inverse(apart) + together).reshape(-1)

    return of_classes


def split_classes(V: Floats, ridge: Floats) -> tuple[Floats, Floats]:
    """Split a gradient into a part that separates classes and the step of their common part.

    If all classes move together the loss is constant, and only the penalty changes.
    """
    mean: Floats = V.mean(axis=1, keepdims=True)
    curved = ridge[:, None] > 0
    return V - mean, np.divide(mean, ridge[:, None], out=np.zeros_like(mean), where=curved)
