"""Density from the distance of the k-th nearest row."""

from numbers import Real
from typing import Annotated, ClassVar, Self

import numpy as np

from gramian.base.fields import KW_ONLY, Count, Interval, params
from gramian.base.inputs.gate import check_fit, check_new, check_rows, check_size, check_stored
from gramian.base.types import Matrix, Table
from gramian.neighbors.density.density_estimator import DensityEstimator
from gramian.neighbors.density.kernel_sums import KernelSums
from gramian.neighbors.density.kernels import (
    KERNELS,
    LARGEST,
    SMALLEST,
    KernelName,
    log_normaliser,
    log_unit_ball,
)
from gramian.neighbors.structures.kdtree import tree_nearest


@params
class KNeighborsDensity(DensityEstimator):
    """Density from the ball that contains the k nearest rows.

    With d_k(x) the distance of the k-th nearest of the N rows and V_k(x) the volume of the ball of
    that radius,

        p(x) = k / (N V_k(x)),              in one dimension k / (2 N d_k(x)).

    With a kernel, the bandwidth of a kernel estimate adapts to the rows around x:

        p(x) = c / (N d_k^d) sum_i K(|x - x_i| / d_k(x)).

    Neither integrates to 1. If k rows coincide, the density there is infinite.

    Parameters
    ----------
    n_neighbors
        Number k of neighbours.
    kernel
        None or "tophat" for the first estimate, or a kernel of `KernelDensity` for the second.
    p
        The order of the Minkowski metric, from 1 to infinity.
    leaf_size
        Leaf size of the tree; a leaf contains at most five times as many rows, or 80 if more.

    Attributes
    ----------
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import KNeighborsDensity
    >>> model = KNeighborsDensity(n_neighbors=2).fit([[-1.0], [0.0], [1.0]])
    >>> np.exp(model.score_samples([[0.0]])).round(6).tolist()
    [0.333333]
    """

    parametric = False
    derived_attributes: ClassVar[tuple[str, ...]] = ("_sums",)

    n_neighbors: Count = 5
    _: KW_ONLY
    kernel: KernelName | None = None
    p: Annotated[float, Interval(Real, 1)] = 2
    leaf_size: Count = 40

    def fit(self, X: Table, y: object = None) -> Self:
        """Store the rows and build the tree.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : object
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        check_rows(self, len(table), self.n_neighbors, "n_neighbors")
        self._fit_X = table
        self._sums = self._pack()
        return self

    def _pack(self) -> KernelSums:
        rows = np.ascontiguousarray(self._fit_X, dtype=np.float64)
        return KernelSums.of(rows, None, self.leaf_size)

    def _check_loaded(self) -> None:
        check_stored(self, "_fit_X", self._fit_X, self.n_features_in_)
        check_rows(self, len(self._fit_X), self.n_neighbors, "n_neighbors")

    def score_samples(self, X: Table) -> Matrix:
        """Return the logarithm of the density at each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
            Infinity if k rows coincide with the row.
        """
        queries = check_new(self, X)
        check_size(self, "X", queries)
        if self._sums is None:  # read from a model file
            self._sums = self._pack()
        at = np.ascontiguousarray(queries, dtype=np.float64)
        n, d = self._fit_X.shape
        k, p = self.n_neighbors, float(self.p)
        radii = tree_nearest(self._sums.X, self._sums.tree, at, k, p)[0][:, -1]
        with np.errstate(divide="ignore"):
            if self.kernel in (None, "tophat"):  # the k-th row, on the boundary, counts
                log_density = np.log(k / n) - log_unit_ball(d, p) - d * np.log(radii)
            else:
                width = np.clip(radii, SMALLEST, LARGEST)
                sums = self._sums.at(at, KERNELS[str(self.kernel)], width, p=p, each=True)
                log_density = sums.log_weights[:, 0] - np.log(n)
                log_density += log_normaliser(self.kernel, d, width, p)
                log_density = np.where(radii > 0, log_density, np.inf)
        return np.asarray(log_density, dtype=self._fit_X.dtype)
