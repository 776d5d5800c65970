"""Principal component analysis."""

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    NonNegative,
    NonNegativeInt,
    Seed,
    check_params,
    params,
)
from gramian.base.inputs.feature_names import set_columns
from gramian.base.inputs.gate import check_fit, check_size, check_values
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.moments import Rows, Summary
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.number_of_components import (
    components_for_variance,
    minka_mle,
    parallel_analysis,
    warn_above_rank,
)
from gramian.decomposition.projection import Projection
from gramian.decomposition.singular_triplets import (
    CONVERGED,
    Triplets,
    best_solver,
    by_covariance,
    by_full,
    by_gram,
    by_krylov,
    from_root,
    is_small,
    krylov_columns,
    moments_in_chunks,
    moments_of,
    summarise,
)


@params
class PCA(Projection):
    r"""Principal component analysis: the orthonormal directions of greatest variance.

    With the rows centred, X - 1 m' = U D V', the components are the first k rows of V', which are
    the eigenvectors of the covariance; the variance along the j-th is l_j = D_j^2 / (n - 1), and U
    D are the coordinates. Among all k-dimensional planes theirs preserves most variance and has the
    smallest sum of squared distances to the rows. No centred copy of X is made. With few columns
    the covariance is computed in one pass, n d^2 / 2 multiplications; with few rows, the Gram
    matrix of the rows; with many of both, a block Krylov space, 4 n d for each of its columns,
    about ten times k. Singular values that are too small to be computed from a product of X with
    itself are computed by a QR decomposition instead. See Jolliffe, *Principal Component Analysis*,
    2002, and Musco and Musco (2015).

    Parameters
    ----------
    n_components
        Number k of components: an integer; a fraction of the variance to exceed; "mle" for the
        largest evidence (Minka 2000); "parallel" for those above the variances of shuffled columns
        (Horn 1965); None for min(n, d). To choose it by validation see `choose_by_validation`.
    copy
        Ignored; present for scikit-learn compatibility: X is never changed.
    whiten
        Whether coordinates are divided by their standard deviation.
    svd_solver
        "covariance_eigh" uses the covariance; "gram" the Gram matrix of the rows; "full" LAPACK's
        SVD, with full precision; "arpack" a block Krylov space that grows until the residuals are
        below `tol`; "randomized" the same, with few columns; "auto" the fastest with at least ten
        digits. If only a Krylov space is fast, of at most 16 (k + 10) columns, this holds for
        components that stand out; equal variances do not determine directions.
    tol
        Residual at which a Krylov space stops growing, relative to the largest; 0 means 1e-12.
    iterated_power
        Number of power iterations whose accuracy "randomized" must reach; "auto" is 6.
    n_oversamples
        Number of extra columns of these iterations.
    power_iteration_normalizer
        Ignored; present for scikit-learn compatibility: blocks are always made orthogonal.
    random_state
        Seed or generator for the initial block and for the shuffles of "parallel".

    Attributes
    ----------
    components_ : array (k, d)
        Orthonormal rows; the entry of largest size of each is positive.
    explained_variance_ : array (k,)
        Variances l_1 >= ... >= l_k.
    explained_variance_ratio_ : array (k,)
        Proportions of the total variance.
    singular_values_ : array (k,)
        Singular values D_1, ..., D_k.
    mean_ : array (d,)
        The mean m of the training rows.
    n_components_ : int
        Number k of components.
    n_samples_ : int
        Number of rows n.
    noise_variance_ : float
        Mean variance of the components left out.
    solver_ : str
        Solver used: "covariance", "gram", "krylov" or "full".

    Examples
    --------
    >>> from gramian import PCA
    >>> model = PCA().fit([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> model.explained_variance_ratio_.round(6).tolist()
    [0.8, 0.2]
    """

    n_components: (
        Count
        | Annotated[float, Interval(float, 0, 1, open_low=True, open_high=True)]
        | Literal["mle", "parallel"]
        | None
    ) = None
    _: KW_ONLY
    copy: bool = True
    whiten: bool = False
    svd_solver: Literal["auto", "full", "covariance_eigh", "gram", "arpack", "randomized"] = "auto"
    tol: NonNegative = 0.0
    iterated_power: NonNegativeInt | Literal["auto"] = "auto"
    n_oversamples: Count = 10
    power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto"
    random_state: Seed = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the components of rows in memory.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows, at least two.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2, values=False)
        n, d = table.shape
        asked = self._n_triplets(n, d)
        if self.n_components == "parallel" and sp.issparse(table):
            raise DataError(
                "PCA: n_components='parallel' needs dense rows; pass a number, or X.toarray()."
            )
        solver = self._solver(n, d, asked, sparse=sp.issparse(table))
        centred, found, used = self._decompose(table, asked, solver)
        return self._take(centred.mean, found, centred.total, (n, d), table, used)

    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Fit, and return the coordinates of the rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        Z : array of shape (n, n_components_)
        """
        return self.fit(X).transform(X)

    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Compute the components of rows in chunks, which may be larger than memory.

        Parameters
        ----------
        chunks
            An iterable of tables that can be iterated again. There is one pass, or two if very
            small variances are requested. The result does not depend on the division into chunks.

        Returns
        -------
        self : the fitted estimator
        """
        gate = Chunks.of(self, chunks)
        rows = Rows.in_chunks(gate, 0)
        summary = moments_in_chunks(gate)
        self._solve(summary, gate.dtype)
        if is_small(self.singular_values_) and not gate.sparse:
            n, d = summary.n_rows, summary.n_features
            found = from_root(
                rows.root(summary.means, np.ones(d), ones=True), self._n_triplets(n, d)
            )
            self._take(summary.means, found, _total(summary), (n, d), None, "full", gate.dtype)
        return self

    def summarise(self, X: Table) -> Summary:
        """Return the moments of these rows for `solve`; moments can be merged.

        The estimator does not change.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.

        Returns
        -------
        summary : the moments, with a method ``merge``
        """
        bare = copy(self)
        table = check_fit(bare, X)
        check_size(bare, "X", table)
        summary = summarise(Rows.of(table, np.empty((table.shape[0], 0)), None), table.dtype)
        return replace(summary, feature_names=getattr(bare, "feature_names_in_", None))

    def solve(self, summary: Summary) -> Self:
        """Compute the components from moments.

        Parameters
        ----------
        summary
            The result of `summarise` or ``merge``.

        Returns
        -------
        self : the fitted estimator
        """
        check_params(self)
        set_columns(self, summary.n_features, summary.feature_names)
        self._solve(summary, np.float64)
        return self

    def _solve(self, summary: Summary, dtype: npt.DTypeLike) -> None:
        n, d = summary.n_rows, summary.n_features
        if n < 2:
            raise DataError(
                f"PCA: X has n_samples={n} while a minimum of 2 is required; pass more rows."
            )
        if self.n_components == "parallel":
            raise ParameterError("PCA: n_components='parallel' needs the rows; use fit.")
        found = by_covariance(summary, self._n_triplets(n, d))
        self._take(summary.means, found, _total(summary), (n, d), None, "covariance", dtype)

    def _n_triplets(self, n: int, d: int) -> int:
        """Return the number of triplets to compute: as requested, or all of them to choose from."""
        small = min(n, d)
        if self.n_components == "mle" and n < d:
            raise ParameterError(
                f"PCA: n_components='mle' needs at least as many rows as columns; got {n} and {d}."
            )
        if not isinstance(self.n_components, Integral):
            return small
        if self.n_components > small:
            raise ParameterError(
                f"PCA: n_components={self.n_components} must be between 1 and min(n_samples, "
                f"n_features)={small}, the largest possible rank of X."
            )
        return int(self.n_components)

    def _solver(self, n: int, d: int, k: int, *, sparse: bool) -> str:
        if self.svd_solver == "auto":
            return best_solver(n, d, k, sparse=sparse)
        if not isinstance(self.n_components, Integral | None) and self.svd_solver in (
            "arpack",
            "randomized",
        ):
            raise ParameterError(
                f"PCA: n_components={self.n_components!r} needs all variances, which "
                f"svd_solver={self.svd_solver!r} does not compute; use 'full' or 'covariance_eigh'."
            )
        names = {"covariance_eigh": "covariance", "arpack": "krylov", "randomized": "krylov"}
        return names.get(self.svd_solver, self.svd_solver)

    def _decompose(self, table: Data, k: int, solver: str) -> tuple[CentredTable, Triplets, str]:
        """Return the centred rows, their triplets, and the solver used."""
        if solver == "covariance":
            summary = moments_of(self, table)
            squares = np.maximum(np.diag(summary.centred()), 0.0)
            centred = CentredTable(table, summary.means, squares)
            found = by_covariance(summary, k)
        else:
            check_values(self, table)
            check_size(self, "X", table)
            centred = CentredTable.of(table)
        if solver == "gram":
            found = by_gram(centred, k)
        elif solver == "krylov":
            found = by_krylov(
                centred,
                k,
                seed=seed_of(self.random_state),
                most=self._most(table, k),
                tol=self.tol or CONVERGED,
            )
        elif solver == "full":
            found = by_full(centred, k)
        loses = solver in ("covariance", "gram") and is_small(found.values)
        if loses and self.svd_solver == "auto" and not sp.issparse(table):
            return centred, by_full(centred, k), "full"
        return centred, found, solver

    def _most(self, table: Data, k: int) -> int | None:
        """Return the maximum number of columns of the Krylov space."""
        if self.svd_solver == "arpack" or (self.svd_solver == "auto" and sp.issparse(table)):
            return None
        if self.svd_solver == "auto":
            return krylov_columns(k)
        power = 6 if self.iterated_power == "auto" else int(self.iterated_power)
        return krylov_columns(k, power, int(self.n_oversamples))

    def _take(
        self,
        mean: Floats,
        found: Triplets,
        total: float,
        shape: tuple[int, int],
        table: Data | None,
        solver: str,
        dtype: npt.DTypeLike | None = None,
    ) -> Self:
        """Set the fitted attributes from the triplets."""
        n, d = shape
        dtype = dtype if table is None else table.dtype
        variances = found.values**2 / (n - 1)
        k = self._chosen(variances, n, table)
        if isinstance(self.n_components, Integral):
            warn_above_rank("PCA", found.values[:k], shape, dtype, rows="the centred rows")
        whole = float(variances.sum()) if len(variances) == min(n, d) else total / (n - 1)
        ratio = variances[:k] / whole if whole > 0 else np.zeros(k)
        left = min(n, d) - k
        noise = max(0.0, whole - float(variances[:k].sum())) / left if left else 0.0
        if left and len(variances) == min(n, d):
            noise = float(variances[k:].mean())
        self.components_ = np.ascontiguousarray(found.vectors[:k], dtype=dtype)
        self.explained_variance_ = variances[:k].astype(dtype)
        self.explained_variance_ratio_ = ratio.astype(dtype)
        self.singular_values_ = found.values[:k].astype(dtype)
        self.mean_ = mean.astype(dtype)
        self.noise_variance_ = noise
        self.n_components_, self.n_samples_ = k, n
        self.solver_ = solver
        return self

    def _chosen(self, variances: Floats, n: int, table: Data | None) -> int:
        match self.n_components:
            case "mle":
                return minka_mle(variances, n)
            case "parallel":
                return parallel_analysis(
                    np.asarray(table),
                    random_state=seed_of(self.random_state),
                    eigenvalues=variances,
                )
            case None | Integral():
                return len(variances)
        return components_for_variance(variances, float(self.n_components))


def _total(summary: Summary) -> float:
    """Return the sum of squares of all columns about their means."""
    return float(np.maximum(np.diag(summary.centred()), 0.0).sum())
