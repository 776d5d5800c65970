"""The smallest eigenpairs of a graph's Laplacian."""

import warnings
from collections.abc import Callable
from typing import Any, Literal, NamedTuple
from warnings import warn

import numpy as np
import numpy.typing as npt
from scipy.sparse import diags_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg, splu
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.lapack import cholesky, eigh, solve_by_cholesky
from gramian.base.types import Floats
from gramian.graph.chebyshev import Ritz, chebyshev_pairs
from gramian.graph.eigenproblem import Eigenproblem, rayleigh_ritz, residual_norms
from gramian.graph.graph import Graph
from gramian.graph.solver_choice import choose_solver
from gramian.linalg.block_krylov import small_block_krylov

_SHIFT = 1e-6  # of the spectrum's bound: a shifted Laplacian is positive definite
_MOST_PRODUCTS = 3000
_BLOCK = 8  # vectors that are solved for at once
_OF_INVERSE = 1e-5  # relative to the tolerance: the inverse has eigenvalues up to 1 / shift

EigenSolver = Literal["auto", "dense", "chebyshev", "arpack", "lobpcg"]


class LaplacianEigenpairs(NamedTuple):
    """Smallest solutions of L v = lambda M v, with their residuals and the solver used.

    ``values`` ascend; ``vectors`` are columns with V^T M V = I; ``residuals`` are
    |L v - lambda M v| in the norm of M^-1, at most 2 max L_ii / M_ii times the tolerance;
    ``solver`` is the one used and ``n_components`` the number of connected components, whose
    eigenvalues are exactly 0.
    """

    values: Floats
    vectors: Floats
    residuals: Floats
    solver: str
    n_components: int


def laplacian_eigenpairs(
    graph: Graph,
    k: int,
    *,
    solver: EigenSolver = "auto",
    tol: float = 1e-8,
    random_state: Any = None,
) -> LaplacianEigenpairs:
    """Return the k smallest eigenpairs of L v = lambda M v, M the masses of the vertices.

    The eigenvectors of 0, one constant per connected component, are known exactly and need no
    solver; if there are more components than k, those of the largest masses are returned.

    Parameters
    ----------
    graph
        The graph.
    k
        Number of eigenpairs, at most the number of vertices.
    solver
        "dense" (LAPACK), "chebyshev" (a filtered block of vectors), "arpack" (Lanczos on the
        inverse, by a sparse factor), "lobpcg", or "auto" for the lowest predicted cost.
    tol
        Maximum residual, relative to the bound 2 max L_ii / M_ii of the spectrum.
    random_state
        Seed or generator for the first block of vectors.

    Examples
    --------
    >>> from gramian.graph import Graph, laplacian_eigenpairs
    >>> path = Graph.from_edges([[0, 1], [1, 2], [2, 3]])
    >>> laplacian_eigenpairs(path, 3).values.round(6)
    array([0.      , 0.585786, 2.      ])
    """
    owner = "laplacian_eigenpairs"
    if solver not in ("auto", "dense", "chebyshev", "arpack", "lobpcg"):
        raise ParameterError(
            f"{owner}: solver must be one of 'auto', 'dense', 'chebyshev', 'arpack', 'lobpcg'; got "
            f"{solver!r}."
        )
    if not 1 <= k <= graph.n_vertices:
        raise DataError(
            f"{owner}: k must be between 1 and the number of vertices, {graph.n_vertices}; got {k}."
        )
    problem = Eigenproblem(graph.weights, graph.positive_masses())
    return solve(owner, problem, k, solver, tol, seed_of(random_state))


def solve(
    owner: str, problem: Eigenproblem, k: int, solver: EigenSolver, tol: float, seed: int
) -> LaplacianEigenpairs:
    """Return the k smallest eigenpairs; warn if their residuals exceed the tolerance."""
    null = problem.null_vectors(k)
    zeros = null.shape[1]
    used, values, vectors = "components", np.zeros(zeros), null
    residuals = np.zeros(zeros)
    if k > zeros:
        used = choose_solver(problem, k) if solver == "auto" else solver
        if 3 * k >= problem.n:
            used = "dense"
        rest = _SOLVERS[used](problem, k - zeros, max(tol, 1e-14), stream(seed))
        values = np.append(values, np.maximum(rest.values, 0.0))
        vectors = np.hstack([vectors, rest.vectors])
        residuals = np.append(residuals, rest.residuals)
        _warn_if_rough(owner, used, residuals / problem.bound, tol)
    vectors /= np.sqrt(problem.masses)[:, None]
    return LaplacianEigenpairs(values, vectors, residuals, used, problem.n_components)


def solver_of(eigen_solver: str | None) -> EigenSolver:
    """Return the solver for a value of scikit-learn's `eigen_solver`."""
    chosen: Any = "auto" if eigen_solver in (None, "amg") else eigen_solver
    return chosen  # type: ignore[no-any-return]


def oriented(vectors: Floats) -> Floats:
    """Return columns whose first entry of largest size, up to rounding, is positive."""
    sizes = np.abs(vectors)
    first: npt.NDArray[np.intp] = (sizes >= (1 - 1e-6) * sizes.max(axis=0)).argmax(axis=0)
    return vectors * np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def _warn_if_rough(owner: str, used: str, residuals: Floats, tol: float) -> None:
    if residuals.max() > max(10 * tol, 1e-12):
        warn(
            f"{owner}: solver {used!r} stopped at a relative residual of {residuals.max():.2g}, "
            f"above the tolerance {tol:g}; try another solver or a larger tolerance.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )


def _dense(problem: Eigenproblem, k: int, *_: Any) -> Ritz:
    """Diagonalise B with its null vectors moved above all others."""
    matrix = problem.matrix()
    matrix = np.asarray(matrix.toarray() if problem.sparse else matrix)
    same = problem.components[:, None] == problem.components
    matrix += 2 * problem.bound * np.outer(problem.constant, problem.constant) * same
    return _refined(problem, eigh(matrix)[1][:, :k])


def _chebyshev(problem: Eigenproblem, k: int, tol: float, draws: np.random.Generator) -> Ritz:
    return chebyshev_pairs(problem, k, tol, draws, _MOST_PRODUCTS)


def _arpack(problem: Eigenproblem, k: int, tol: float, draws: np.random.Generator) -> Ritz:
    """Run Lanczos on the inverse of B + shift, in the complement of the null vectors."""
    if not problem.sparse:
        return _dense_inverse(problem, k, tol, draws)
    n, shift = problem.n, _SHIFT * problem.bound
    solve_with = _sparse_inverse(problem, shift)

    def clean(x: Floats) -> Floats:
        return problem.project(np.array(x, dtype=np.float64).reshape(n, 1))[:, 0]

    inverse: Any = LinearOperator((n, n), matvec=lambda x: clean(solve_with(clean(x))))
    whole: Any = LinearOperator((n, n), matvec=lambda x: problem.apply(x.reshape(n, 1)))
    start, room = clean(draws.standard_normal(n)), min(n, max(2 * k + 1, 20))
    try:
        _, vectors = eigsh(whole, k, sigma=-shift, OPinv=inverse, v0=start, tol=tol, ncv=room)
    except ArpackNoConvergence as failed:
        vectors = np.hstack([failed.eigenvectors, draws.standard_normal((n, k))])[:, :k]
    return _refined(problem, vectors)


def _sparse_inverse(problem: Eigenproblem, shift: float) -> Callable[[Floats], Floats]:
    """Return a function that solves (B + shift) x = y with a sparse B."""
    shifted = problem.matrix(shift).tocsc()
    symmetric = {"SymmetricMode": True}
    factor: Any = splu(shifted, "MMD_AT_PLUS_A", diag_pivot_thresh=0, options=symmetric)
    return factor.solve  # type: ignore[no-any-return]


def _dense_inverse(problem: Eigenproblem, k: int, tol: float, draws: np.random.Generator) -> Ritz:
    """Run Lanczos with blocks of vectors: eigenvalues near 0 may be nearly equal."""
    root, _ = cholesky(problem.matrix(_SHIFT * problem.bound))

    def product(block: Floats) -> Floats:
        inside = problem.project(np.array(block, order="C"))
        return problem.project(np.ascontiguousarray(solve_by_cholesky(root, inside)))

    n, width = problem.n, min(_BLOCK, problem.n - problem.n_components)
    found = small_block_krylov(
        product,
        draws.standard_normal((n, width)),
        k,
        tol=max(_OF_INVERSE * tol, 1e-15),
        max_columns=max(20 * _BLOCK, 6 * k),
        max_total_columns=max(n, 8 * (k + _BLOCK)),
        seed=int(draws.integers(2**31)),
    )
    return _refined(problem, found.vectors)


def _lobpcg(problem: Eigenproblem, k: int, tol: float, draws: np.random.Generator) -> Ritz:
    """Run locally optimal conjugate gradients with a diagonal preconditioner."""
    n = problem.n
    block = problem.project(draws.standard_normal((n, k + 2)))
    apply: Any = LinearOperator(
        (n, n), matvec=problem.apply, matmat=problem.apply, dtype=np.float64
    )
    inverse = 1 / np.where(problem.diagonal > 0, problem.diagonal, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # residuals are checked later
        _, vectors = lobpcg(
            apply,
            block,
            M=diags_array(inverse),
            Y=problem.null_vectors(problem.n_components),
            tol=tol * problem.bound,
            maxiter=1000,
            largest=False,
        )
    return _refined(problem, vectors, k)


def _refined(problem: Eigenproblem, vectors: Floats, k: int | None = None) -> Ritz:
    """Return Ritz pairs of the vectors, without null vectors, and their residuals."""
    U = problem.project(np.array(vectors, dtype=np.float64, order="C"))
    values, U, applied = rayleigh_ritz(U, problem.apply(U))
    k = len(values) if k is None else k
    return Ritz(values[:k], U[:, :k], residual_norms(values[:k], U[:, :k], applied[:, :k]), 0)


_SOLVERS: dict[str, Any] = {
    "dense": _dense,
    "chebyshev": _chebyshev,
    "arpack": _arpack,
    "lobpcg": _lobpcg,
}
