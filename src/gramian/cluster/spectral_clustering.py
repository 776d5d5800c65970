"""Spectral clustering."""

import sys
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from gramian.base.fields import (
    KW_ONLY,
    Count,
    Function,
    Interval,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit, check_rows
from gramian.base.kinds import Clusterer, Tags
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Floats, Table
from gramian.cluster.centers import Labels
from gramian.cluster.kmeans import KMeans, warn_about_fewer_clusters
from gramian.cluster.label_assignment import discrete_labels, rotated_labels, unit_rows
from gramian.graph.affinity import checked_affinity, kernel_affinity, neighbor_affinity
from gramian.graph.eigenpairs import oriented, solve, solver_of
from gramian.graph.eigenproblem import Eigenproblem


@params
class SpectralClustering(Clusterer):
    r"""Spectral clustering: eigenvectors of a similarity graph, for clusters of any shape.

    For the graph with weights A, degrees D and Laplacian L = D - A, the k smallest solutions of

    .. math:: L v = \lambda D v, \qquad V^T D V = I

    are the relaxed indicator vectors of the minimum normalised cut; k-means clusters the rows of V.
    The eigenvectors of 0, one for each connected component, are exact: components are never mixed
    if there are at most k. Building a k-nearest-neighbour graph takes about O(n d log n) and each
    product with it O(n n_neighbors); a kernel needs the n x n matrix. References: Shi and Malik,
    IEEE PAMI 22, 2000; von Luxburg, Statistics and Computing 17, 2007.

    Parameters
    ----------
    n_clusters
        The number of clusters, k.
    eigen_solver
        "arpack" (a sparse factor and Lanczos), "lobpcg", "chebyshev" (a filtered block of vectors),
        "dense" (LAPACK); None and "amg" choose the one with the least predicted cost.
    n_components
        Number of eigenvectors; None for k.
    random_state
        Seed or generator for the eigen-solver and k-means.
    n_init
        Number of initialisations of k-means.
    gamma
        Parameter of the kernels "rbf" (exp(-gamma d^2)), "poly", "sigmoid", "laplacian", "chi2".
    affinity
        "nearest_neighbors", "rbf", "precomputed" (X is the matrix of similarities),
        "precomputed_nearest_neighbors" (X is a CSR matrix of distances to neighbours), another
        kernel of `sklearn.metrics.pairwise.pairwise_kernels` without negative values, or a function
        of two rows.
    n_neighbors
        Number of neighbours for "nearest_neighbors", including the row itself.
    eigen_tol
        Maximum residual relative to the largest possible eigenvalue; "auto" is 1e-5.
    assign_labels
        "kmeans", "discretize" (alternate between partition and rotation) or "cluster_qr" (one
        pivoted QR factorisation; deterministic).
    degree
        Degree of the kernel "poly".
    coef0
        Constant of the kernels "poly" and "sigmoid".
    kernel_params
        Parameters of a kernel given as a function or of another name.
    n_jobs
        Number of threads.
    verbose
        If above 0, k-means prints a line for every initialisation.
    normalize_rows
        Whether the rows of V are scaled to length 1 before k-means (Ng, Jordan and Weiss 2002);
        scikit-learn does not.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row.
    affinity_matrix_ : array or CSR of shape (n, n)
        The similarities.
    eigenvalues_ : array of shape (n_components,)
        The smallest eigenvalues, ascending; 0 for each connected component.
    residuals_ : array of shape (n_components,)
        |L v - lambda D v| of each eigenvector, in the norm of D^-1.
    solver_ : str
        Eigen-solver used; "components" if none was needed.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.cluster import SpectralClustering
    >>> t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    >>> circle = np.column_stack([np.cos(t), np.sin(t)])
    >>> rings = np.concatenate([circle, 3 * circle])
    >>> model = SpectralClustering(2, affinity="nearest_neighbors", n_neighbors=5, random_state=0)
    >>> labels = model.fit_predict(rings)
    >>> len(set(labels[:40])), len(set(labels[40:])), bool(labels[0] == labels[40])
    (1, 1, False)
    """

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: (
            self.affinity in ("precomputed", "precomputed_nearest_neighbors")
        )
    }
    parametric = False
    takes_sparse = True

    n_clusters: Count = 8
    _: KW_ONLY
    eigen_solver: Literal["arpack", "lobpcg", "amg", "chebyshev", "dense"] | None = None
    n_components: Count | None = None
    random_state: Seed = None
    n_init: Count = 10
    gamma: NonNegative = 1.0
    affinity: (
        Literal[
            "rbf",
            "nearest_neighbors",
            "precomputed",
            "precomputed_nearest_neighbors",
            "additive_chi2",
            "chi2",
            "cosine",
            "laplacian",
            "linear",
            "poly",
            "polynomial",
            "sigmoid",
        ]
        | Function
    ) = "rbf"
    n_neighbors: Count = 10
    eigen_tol: NonNegative | Literal["auto"] = "auto"
    assign_labels: Literal["kmeans", "discretize", "cluster_qr"] = "kmeans"
    degree: NonNegative = 3
    coef0: Annotated[float, Interval(Real)] = 1
    kernel_params: dict[str, Any] | None = None
    n_jobs: Jobs = None
    verbose: bool | NonNegativeInt = False
    normalize_rows: bool = False

    def fit(self, X: Table, y: object = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array or CSR of shape (n, d), or (n, n) if precomputed
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : SpectralClustering
            The fitted estimator.
        """
        table = check_fit(self, X, rows=2)
        check_rows(self, table.shape[0], self.n_clusters, "n_clusters")
        count = self.n_clusters if self.n_components is None else self.n_components
        check_rows(self, table.shape[0], count, "n_components")
        seed = seed_of(self.random_state)
        weights = checked_affinity(self, self._affinity(table))
        tol = 1e-5 if self.eigen_tol == "auto" else float(self.eigen_tol)
        problem = Eigenproblem(weights, None)
        pairs = solve("SpectralClustering", problem, count, solver_of(self.eigen_solver), tol, seed)
        self.affinity_matrix_ = weights
        if self.verbose:
            sys.stdout.write(f"Computing label assignment using {self.assign_labels}\n")
        self.labels_ = self._labels(oriented(pairs.vectors), seed)
        self.eigenvalues_ = pairs.values
        self.residuals_ = pairs.residuals
        self.solver_ = pairs.solver
        if self.assign_labels != "kmeans":
            warn_about_fewer_clusters(
                "SpectralClustering", len(np.unique(self.labels_)), self.n_clusters
            )
        return self

    def _labels(self, vectors: Floats, seed: int) -> Labels:
        if self.assign_labels == "cluster_qr":
            return rotated_labels(vectors)
        if self.assign_labels == "discretize":
            return discrete_labels(vectors, stream(seed, 1))
        rows = unit_rows(vectors) if self.normalize_rows else vectors / np.abs(vectors).max()
        model = KMeans(self.n_clusters, n_init=self.n_init, random_state=seed, verbose=self.verbose)
        with threads_for(self.n_jobs):
            labels: Labels = model.fit(np.ascontiguousarray(rows)).labels_
        return labels

    def _affinity(self, table: Any) -> Any:
        if self.affinity == "precomputed":
            return table
        if self.affinity in ("nearest_neighbors", "precomputed_nearest_neighbors"):
            return neighbor_affinity(
                self,
                table,
                self.n_neighbors,
                precomputed=self.affinity == "precomputed_nearest_neighbors",
                n_jobs=self.n_jobs,
            )
        parameters = dict(self.kernel_params or {})
        if not callable(self.affinity):
            parameters |= {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return kernel_affinity(table, self.affinity, parameters, self.n_jobs)
