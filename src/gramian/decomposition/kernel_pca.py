"""Kernel PCA: principal components in the feature space of a kernel."""

from numbers import Integral
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
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
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.kinds import Tags, Transformer
from gramian.base.randomness import seed_of
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.types import Data, Floats, Matrix, Table, is_sparse
from gramian.decomposition.projection import as_coordinates
from gramian.kernels.matrix import checked_kernel_matrix
from gramian.kernels.resolution import resolve_kernel
from gramian.linalg.block_krylov import top_eigenpairs
from gramian.linalg.symmetric import largest_entry_positive

_NOTHING = {8: 1e-12, 4: 2e-7}  # zero threshold relative to the largest eigenvalue, by item size


def _has_inverse(model: Any) -> bool:
    """Return True if the inverse transform is available; raise otherwise."""
    if not model.fit_inverse_transform:
        raise AttributeError("KernelPCA: inverse_transform needs fit_inverse_transform=True.")
    return True


@params
class KernelPCA(ClassNamePrefixFeaturesOutMixin, Transformer):
    r"""Kernel PCA: principal components of phi(x), with k(x, x') = phi(x) . phi(x').

    The centred kernel matrix K = U L U' of the n training rows has the principal coordinates
    U sqrt(L) of phi; a new row gets k_c(x, X) U / sqrt(L) (Schoelkopf, Smola and Mueller 1998).
    Costs n^2 kernel values, and about 20 n^2 k for k coordinates.

    Parameters
    ----------
    n_components
        Number of components; None for all with positive variance.
    kernel
        "linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2", a
        function of two rows, or "precomputed": X is then the matrix of kernel values.
    gamma
        Parameter of "rbf", "poly", "sigmoid" and others; None for 1 / d.
    degree
        Degree of "poly".
    coef0
        Constant of "poly" and "sigmoid".
    kernel_params
        Arguments of a kernel function.
    alpha
        Ridge penalty of the inverse.
    fit_inverse_transform
        Whether to learn the inverse transform, by kernel ridge regression of X on the coordinates.
    eigen_solver
        "dense" computes all eigenpairs; the others only those requested, if that is faster.
    tol
        Maximum residual, relative to the largest eigenvalue; 0 means 1e-13.
    max_iter
        Ignored; present for scikit-learn compatibility.
    iterated_power
        Ignored; present for scikit-learn compatibility.
    remove_zero_eig
        Whether to drop coordinates without variance.
    random_state
        Seed or generator for the initial block of the solver.
    copy_X
        Whether `X_fit_` is a copy of X.
    n_jobs
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    eigenvalues_ : array (k,)
        Eigenvalues L in decreasing order.
    eigenvectors_ : array (n, k)
        Eigenvectors U.
    gamma_ : float
        The gamma used.
    X_fit_ : array or CSR
        The training rows.
    dual_coef_, X_transformed_fit_ : arrays
        Coefficients and coordinates for `inverse_transform`, if `fit_inverse_transform`.

    Examples
    --------
    >>> from gramian import KernelPCA
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    >>> KernelPCA(1, kernel="rbf").fit_transform(X).shape
    (4, 1)
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.kernel == "precomputed"}
    parametric = False
    takes_sparse = True

    n_components: Count | None = None
    _: KW_ONLY
    kernel: (
        Literal[
            "linear",
            "poly",
            "polynomial",
            "rbf",
            "sigmoid",
            "cosine",
            "laplacian",
            "chi2",
            "additive_chi2",
            "precomputed",
        ]
        | Function
    ) = "linear"
    gamma: NonNegative | None = None
    degree: NonNegative = 3
    coef0: Annotated[float, Interval(float)] | Annotated[int, Interval(Integral)] = 1
    kernel_params: dict | None = None  # type: ignore[type-arg]
    alpha: NonNegative = 1.0
    fit_inverse_transform: bool = False
    eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto"
    tol: NonNegative = 0
    max_iter: Count | None = None
    iterated_power: NonNegativeInt | Literal["auto"] = "auto"
    remove_zero_eig: bool = False
    random_state: Seed = None
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    n_jobs: Jobs = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the components of the training rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d), or (n, n) if kernel="precomputed"
            The rows, or their kernel values.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        n, d = table.shape
        if self.kernel == "precomputed" and (n != d or is_sparse(table)):
            raise DataError(
                "KernelPCA: kernel='precomputed' needs a dense square matrix of kernel values; got "
                f"shape {table.shape}."
            )
        if self.fit_inverse_transform and self.kernel == "precomputed":
            raise ParameterError(
                "KernelPCA: fit_inverse_transform=True needs rows; kernel='precomputed' has only "
                "kernel values."
            )
        self.gamma_ = 1.0 / d if self.gamma is None else float(self.gamma)
        K = self._kernel(table, table)
        self._row_means, self._mean = K.mean(axis=0), float(K.mean())
        if self._is_narrow(table):
            self._take(*_pairs_of_rows(table), table)
        else:
            centred = K - self._row_means - self._row_means[:, None] + self._mean
            self._take(*self._pairs(centred), table)
        if self.fit_inverse_transform:
            self._fit_inverse_transform(table)
        return self

    def fit_transform(self, X: Table, y: object = None, **params: Any) -> Matrix:
        """Fit, and return the coordinates of the training rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d), or (n, n) if kernel="precomputed"
            The rows, or their kernel values.
        y
            Ignored; present for scikit-learn compatibility.
        **params
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        Z : array of shape (n, k)
        """
        self.fit(X)
        return self._training_coordinates()

    def transform(self, X: Table) -> Matrix:
        """Return the coordinates of rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d), or (m, n) if kernel="precomputed"
            The rows, or their kernel values with the training rows.

        Returns
        -------
        Z : array of shape (m, k)
        """
        table = check_new(self, X)
        # A different object: a kernel rounds the diagonal differently for an array with itself.
        K = self._kernel(table, self.X_fit_[:])
        K = K.copy() if K is table else K
        K -= K.mean(axis=1)[:, None]
        K -= self._row_means - self._mean
        roots = np.sqrt(self.eigenvalues_.astype(np.float64))
        some = np.where(roots > 0, roots, np.inf)
        return np.asarray(product(K, self.eigenvectors_ / some), dtype=table.dtype)

    @available_if(_has_inverse)
    def inverse_transform(self, X: Table) -> Matrix:
        """Reconstruct rows approximately from coordinates, by kernel ridge regression.

        Parameters
        ----------
        X : array of shape (m, k)
            Coordinates.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        Z = as_coordinates(self, X, len(self.eigenvalues_))
        K = self._kernel(Z, self.X_transformed_fit_)
        return np.asarray(product(K, self.dual_coef_), Z.dtype)

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _check_loaded(self) -> None:
        check_stored(self, "X_fit_", self.X_fit_, self.n_features_in_)

    def _kernel_values(self, X: Data, Y: Data, parameters: dict[str, Any]) -> Floats:
        try:
            K = pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **parameters)
            return np.asarray(K, dtype=np.float64)
        except (TypeError, ValueError) as error:
            reason = str(error).strip().rstrip(".")
            if callable(self.kernel):
                reason = "the function must return a number for two rows"
            raise ParameterError(
                f"KernelPCA: kernel={self.kernel!r} cannot be computed: {reason}. Choose another "
                "kernel, or suitable data."
            ) from error

    def _kernel(self, X: Data, Y: Data) -> Floats:
        if self.kernel == "precomputed":
            return np.asarray(X, dtype=np.float64)
        if callable(self.kernel) or self.gamma_ == 0:
            parameters = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
            parameters = (self.kernel_params or {}) if callable(self.kernel) else parameters
            values = self._kernel_values(X, Y, parameters)
        else:
            kernel = resolve_kernel(
                "KernelPCA",
                self.kernel,
                X,
                gamma=self.gamma_,
                degree=self.degree,
                coef0=self.coef0,
            )
            K = checked_kernel_matrix("KernelPCA", kernel, X, None if Y is X else Y)
            values = np.asarray(K, dtype=np.float64)
        if not np.isfinite(values).all():
            raise DataError(
                "KernelPCA: kernel values overflow; scale the columns, see "
                "sklearn.preprocessing.StandardScaler."
            )
        return values

    def _is_narrow(self, table: Data) -> bool:
        """Return whether a linear kernel has fewer columns than rows, so that PCA suffices."""
        n, d = table.shape
        few = 4 * d <= n and int(self.n_components or 0) <= d
        chosen = self.kernel == "linear" and self.eigen_solver != "dense"
        return few and chosen and not is_sparse(table)

    def _pairs(self, centred: Floats) -> tuple[Floats, Floats]:
        """Return the eigenpairs of the centred kernel matrix in decreasing order."""
        n = len(centred)
        k = min(n, int(self.n_components or n))
        if self.eigen_solver == "dense":
            values, vectors = lapack.eigh(centred)
            values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
            return values, largest_entry_positive(vectors)
        seed = seed_of(self.random_state)
        return top_eigenpairs(centred, k, tol=float(self.tol) or 1e-13, seed=seed)

    def _take(self, values: Floats, vectors: Floats, table: Data) -> None:
        if self.n_components is not None:
            values, vectors = values[: self.n_components], vectors[:, : self.n_components]
        largest = max(float(values[0]), 0.0)
        if values.min() < -1e-5 * max(largest, 1e-300) and values.min() < -1e-9:
            raise DataError(
                "KernelPCA: the kernel matrix has the negative eigenvalue "
                f"{values.min():.3g} and the largest is {largest:.3g}; it is not positive "
                "semidefinite. Use "
                "another kernel, or fewer components."
            )
        values = np.where(values > _NOTHING[table.dtype.itemsize] * largest, values, 0.0)
        if self.remove_zero_eig or self.n_components is None:
            kept = np.flatnonzero(values > 0)
            values, vectors = values[kept], vectors[:, kept]
        self.eigenvalues_ = values.astype(table.dtype)
        self.eigenvectors_ = np.ascontiguousarray(vectors, dtype=table.dtype)
        # Products of the caller's rows may round differently from those of a copy.
        self.X_fit_ = table.copy() if self.copy_X else table

    def _training_coordinates(self) -> Matrix:
        return np.asarray(self.eigenvectors_ * np.sqrt(self.eigenvalues_))

    def _fit_inverse_transform(self, table: Data) -> None:
        self.X_transformed_fit_ = self._training_coordinates()
        K = self._kernel(self.X_transformed_fit_, self.X_transformed_fit_)
        K[np.diag_indices_from(K)] += self.alpha
        dense = table.toarray() if is_sparse(table) else table
        right = dense.astype(np.float64)
        root, failed = lapack.cholesky(K)
        sizes = np.diag(root)
        if failed or sizes.min() <= 1e-6 * sizes.max():
            solved = lapack.lstsq(K, right, 1e-12)[0]
        else:
            solved = lapack.solve_by_cholesky(root, right)
        self.dual_coef_ = solved.astype(table.dtype)


def _pairs_of_rows(table: Matrix) -> tuple[Floats, Floats]:
    """Return the nonzero eigenpairs of X X' for centred rows X, in decreasing order."""
    rows = table.astype(np.float64)
    U, sizes, _ = lapack.svd(rows - rows.mean(axis=0))
    return sizes**2, largest_entry_positive(U)
