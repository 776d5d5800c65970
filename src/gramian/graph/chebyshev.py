r"""The smallest eigenpairs by Chebyshev-filtered subspace iteration.

A block of vectors is multiplied by a Chebyshev polynomial of B that is small on [a, b], where the
unwanted eigenvalues are, and grows as fast as a polynomial can below a; then the Rayleigh-Ritz step
rotates the block to approximate eigenvectors and a moves to the largest Ritz value. A step of the
filter reads the graph once for the whole block, and needs no factorisation.

Reference: Zhou, Saad, Tiago and Chelikowsky, Journal of Computational Physics 219, 2006.
"""

import math
from typing import NamedTuple

import numpy as np

from gramian.base.types import Floats
from gramian.graph.eigenproblem import Eigenproblem, rayleigh_ritz, residual_norms

_FIRST_DEGREE = 10
_MOST_DEGREE = 200
_REDUCTION = math.log(1e4)  # target reduction of the error of the last wanted pair per iteration
_SPREAD = math.log(
    1e10
)  # maximum ratio of the factors of the first and last vector, to limit rounding


class Ritz(NamedTuple):
    """Approximate eigenpairs of B with their residuals, ascending."""

    values: Floats
    vectors: Floats
    residuals: Floats
    n_products: int


def chebyshev_pairs(
    problem: Eigenproblem, k: int, tol: float, draws: np.random.Generator, most: int
) -> Ritz:
    """Return the k smallest eigenpairs outside the null space.

    Stops when the residuals are at most tol times the bound of the spectrum, and sqrt(tol) times
    the last eigenvalue (which may be far below the bound), or after `most` products of the matrix
    with the block.
    """
    width = min(k + max(4, k // 2), problem.n - problem.n_components)
    U = problem.project(draws.standard_normal((problem.n, width)))
    cut, degree = 0.25 * problem.bound, _FIRST_DEGREE
    products = 0
    while True:
        U = problem.project(filtered(problem, U, cut, degree))
        values, U, applied = rayleigh_ritz(U, problem.apply(U))
        residuals = residual_norms(values[:k], U[:, :k], applied[:, :k])
        products += degree + 1
        found = Ritz(values[:k], U[:, :k], residuals, products)
        limit = min(tol * problem.bound, math.sqrt(tol) * max(float(values[k - 1]), 0.0))
        if products >= most or (residuals <= max(limit, 1e-14 * problem.bound)).all():
            return found
        cut = float(np.clip(values[-1], 1e-12 * problem.bound, 0.9 * problem.bound))
        degree = min(_degree(float(values[k - 1]), cut, problem.bound), most - products)


def filtered(problem: Eigenproblem, U: Floats, cut: float, degree: int) -> Floats:
    """Return T_m(B') U, where B' maps [cut, bound] to [-1, 1], scaled to be about U at 0.

    The three-term recurrence T_{m+1}(x) = 2 x T_m(x) - T_{m-1}(x), divided by its value at 0.
    """
    half, center = (problem.bound - cut) / 2, (problem.bound + cut) / 2
    first = sigma = -half / center
    before, now = U, (problem.apply(U) - center * U) * (sigma / half)
    for _ in range(degree - 1):
        after = 1 / (2 / first - sigma)
        product = problem.apply(now)
        product -= center * now
        product *= 2 * after / half
        product -= (sigma * after) * before
        before, now, sigma = now, product, after
    return now


def _degree(last: float, cut: float, bound: float) -> int:
    """Return the degree that reduces the error of the last wanted pair by the target."""
    slow, fast = _growth(last, cut, bound), _growth(0.0, cut, bound)
    wanted = math.ceil(_REDUCTION / max(slow, 1e-6))
    allowed = math.floor(_SPREAD / max(fast - slow, 1e-6))
    return max(2, min(wanted, max(allowed, 8), _MOST_DEGREE))


def _growth(value: float, cut: float, bound: float) -> float:
    """Return the logarithm of the growth of an eigenvector per degree."""
    place = (bound + cut - 2 * value) / (bound - cut)
    return math.acosh(max(place, 1.0))
