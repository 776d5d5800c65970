"""Laplacian eigenmaps."""

from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Count, Function, Jobs, NonNegative, Seed, params
from gramian.base.inputs.gate import check_fit
from gramian.base.kinds import DeclaredTags, Estimator, Tags
from gramian.base.randomness import seed_of
from gramian.base.types import Floats, Matrix, Table
from gramian.graph.affinity import checked_affinity, kernel_affinity, neighbor_affinity
from gramian.graph.eigenpairs import oriented, solve, solver_of
from gramian.graph.eigenproblem import Eigenproblem


@params
class SpectralEmbedding(DeclaredTags, Estimator):
    r"""Spectral embedding (Laplacian eigenmaps).

    For a similarity graph of the rows with weights A, degrees D and Laplacian L = D - A, the
    eigenvectors of

    .. math:: L v = \lambda D v, \qquad V^T D V = I

    with the smallest eigenvalues are the coordinates; the constant one of eigenvalue 0 is dropped.
    They minimise :math:`\sum_{ij} a_{ij} |v_i - v_j|^2`: similar rows stay near each other. If the
    graph has several connected components, the first coordinates are constant on each of them, and
    a warning is issued. Reference: Belkin and Niyogi, Neural Computation 15, 2003.

    Parameters
    ----------
    n_components
        Number of coordinates.
    affinity
        "nearest_neighbors", "rbf", "precomputed" (X is the matrix of similarities),
        "precomputed_nearest_neighbors" (X is a CSR matrix of distances to neighbours), or a
        function that takes X and returns the matrix.
    gamma
        Parameter of "rbf", exp(-gamma d^2); None for 1 / n_features.
    random_state
        Seed or generator for the first vectors of the eigen-solver.
    eigen_solver
        "arpack" (a sparse factor and Lanczos), "lobpcg", "chebyshev" (a filtered block of vectors),
        "dense" (LAPACK); None and "amg" choose the one with the lowest predicted cost.
    eigen_tol
        Maximum residual relative to the largest possible eigenvalue; "auto" is 1e-7.
    n_neighbors
        Number of neighbours for "nearest_neighbors", including the row; None for max(n / 10, 1).
    n_jobs
        Number of threads.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The coordinates of the rows.
    affinity_matrix_ : array or CSR of shape (n, n)
        The similarities.
    eigenvalues_ : array of shape (n_components,)
        The eigenvalue of each coordinate, ascending.
    residuals_ : array of shape (n_components,)
        |L v - lambda D v| of each coordinate, in the norm of D^-1.
    solver_ : str
        The eigen-solver used.
    n_neighbors_ : int
        The number of neighbours used.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.manifold import SpectralEmbedding
    >>> t = np.linspace(0, 3, 40)
    >>> arc = np.column_stack([np.cos(t), np.sin(t)])
    >>> line = SpectralEmbedding(1, n_neighbors=4).fit_transform(arc)[:, 0]
    >>> len(set(np.sign(line[:15]))), len(set(np.sign(line[-15:]))), bool(line[0] * line[-1] < 0)
    (1, 1, True)
    """

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: (
            self.affinity in ("precomputed", "precomputed_nearest_neighbors")
        )
    }
    parametric = False
    takes_sparse = True

    n_components: Count = 2
    _: KW_ONLY
    affinity: (
        Literal["nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors"]
        | Function
    ) = "nearest_neighbors"
    gamma: NonNegative | None = None
    random_state: Seed = None
    eigen_solver: Literal["arpack", "lobpcg", "amg", "chebyshev", "dense"] | None = None
    eigen_tol: NonNegative | Literal["auto"] = "auto"
    n_neighbors: Count | None = None
    n_jobs: Jobs = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the coordinates.

        Parameters
        ----------
        X : array or CSR of shape (n, d), or (n, n) if precomputed
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : SpectralEmbedding
            The fitted estimator.
        """
        table = check_fit(self, X)
        seed = seed_of(self.random_state)
        n = table.shape[0]
        if self.n_components >= n:
            raise DataError(
                f"SpectralEmbedding: n_samples={n} must be more than n_components="
                f"{self.n_components}; decrease n_components or pass more rows."
            )
        self.n_neighbors_ = max(n // 10, 1) if self.n_neighbors is None else self.n_neighbors
        weights = checked_affinity(self, self._affinity(table))
        problem = Eigenproblem(weights, None)
        if problem.n_components > 1:
            warn(
                f"SpectralEmbedding: the graph is not connected; it has {problem.n_components} "
                "components, and the first coordinates are constant on each. Increase "
                "n_neighbors or decrease gamma.",
                UserWarning,
                stacklevel=caller_level(),
            )
        tol = 1e-7 if self.eigen_tol == "auto" else float(self.eigen_tol)
        count = self.n_components + 1
        pairs = solve("SpectralEmbedding", problem, count, solver_of(self.eigen_solver), tol, seed)
        coordinates = _without_constant(problem, pairs.vectors)
        self.affinity_matrix_ = weights
        self.embedding_ = oriented(coordinates).astype(table.dtype)
        self.eigenvalues_ = pairs.values[1:]
        self.residuals_ = pairs.residuals[1:]
        self.solver_ = pairs.solver
        return self

    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Compute the coordinates and return them.

        Parameters
        ----------
        X : array or CSR of shape (n, d), or (n, n) if precomputed
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        embedding : array of shape (n, n_components)
        """
        return self.fit(X).embedding_

    def _affinity(self, table: Any) -> Any:
        if callable(self.affinity):
            affinity = self.affinity(table)
            if hasattr(affinity, "tocsr"):
                return affinity
            matrix = parameter_array("SpectralEmbedding", "what affinity returns", affinity)
            if matrix.shape != (table.shape[0], table.shape[0]):
                raise ParameterError(
                    f"SpectralEmbedding: affinity must return a matrix of shape "
                    f"{(table.shape[0], table.shape[0])}; got shape {matrix.shape}."
                )
            return matrix
        if self.affinity == "precomputed":
            return table
        if self.affinity == "rbf":
            return kernel_affinity(table, "rbf", {"gamma": self.gamma}, self.n_jobs)
        precomputed = self.affinity == "precomputed_nearest_neighbors"
        return neighbor_affinity(
            self, table, self.n_neighbors_, precomputed=precomputed, n_jobs=self.n_jobs
        )


def _without_constant(problem: Eigenproblem, vectors: Floats) -> Floats:
    """Return all eigenvectors except the constant one, which is in the span of those of 0."""
    zeros = min(problem.n_components, vectors.shape[1])
    if zeros == 1:
        return vectors[:, 1:]
    null = vectors[:, :zeros]
    totals: Floats = (null * problem.masses[:, None]).sum(axis=0)
    others = np.linalg.svd(totals[None, :])[2][1:].T  # combinations orthogonal to the constant
    return np.hstack([null @ others, vectors[:, zeros:]])
