"""Kernel regression: local means and local linear fits."""

from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Positive, params
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.types import Floats, Matrix, Table
from gramian.neighbors.density.kernel_sums import BandedKernelSums, KernelSums, Sums
from gramian.neighbors.density.kernels import KERNELS, KernelName, check_bandwidth, rule_of_thumb
from gramian.neighbors.structures.kdtree import tree_nearest

_LARGEST_TARGET = 1e150
_SINGULAR = 1e-9  # directions with less than this fraction of the local variance have no slope


@params
class KernelRegressor(Regressor):
    """Kernel regression.

    degree=0 is the estimate of Nadaraya and Watson, a weighted mean of the targets,

        g(x) = sum_i w_i K(|x - x_i| / h) y_i / sum_i w_i K(|x - x_i| / h);

    degree=1 fits a line by least squares with the same weights around each x and takes its value at
    x, which removes the bias at the ends of the data and where rows are unevenly spread. A query
    costs O(n d) at worst, for all targets at once; no matrix of distances is stored.

    Parameters
    ----------
    bandwidth
        Bandwidth h; "scott" and "silverman" assume columns of unit variance.
    kernel
        A kernel of `KernelDensity`. If a kernel of bounded support reaches no row, the target of
        the nearest row is predicted.
    degree
        0 for local means, 1 for local linear fits.
    leaf_size
        Leaf size of the tree; a leaf contains at most five times as many rows, or 80 if more.

    Attributes
    ----------
    bandwidth_ : float
        The bandwidth in use.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian import KernelRegressor
    >>> X, y = [[-1.0], [0.0], [1.0]], [1.0, 2.0, 4.0]
    >>> KernelRegressor(bandwidth=1.0).fit(X, y).predict([[0.0]]).round(6).tolist()
    [2.274069]
    >>> KernelRegressor(degree=1).fit(X, [0.0, 2.0, 4.0]).predict([[3.0]]).round(6).tolist()
    [8.0]
    """

    parametric = False
    derived_attributes: ClassVar[tuple[str, ...]] = ("_sums",)
    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    _: KW_ONLY
    bandwidth: Positive | Literal["scott", "silverman"] = 1.0
    kernel: KernelName = "gaussian"
    degree: Literal[0, 1] = 0
    leaf_size: Count = 40

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Store the rows and build the tree.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,) or (n, outputs)
            The targets.
        sample_weight : array of shape (n,), default=None
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        targets = check_targets(self, y, len(table), columns=True)
        check_size(self, "y", targets, _LARGEST_TARGET)
        weights = unit_weights(check_weights(self, sample_weight, len(table)))
        total = float(len(table)) if weights is None else float(weights.sum())
        if isinstance(self.bandwidth, str):
            self.bandwidth_ = rule_of_thumb(self.bandwidth, total, table.shape[1])
        else:
            self.bandwidth_ = float(self.bandwidth)
        check_bandwidth("KernelRegressor", self.bandwidth_)
        self._fit_X, self._y, self._weights = table, targets, weights
        self._sums = self._pack()
        return self

    def _pack(self) -> BandedKernelSums:
        rows = np.ascontiguousarray(self._fit_X, dtype=np.float64)
        targets = self._y.reshape(len(rows), -1).astype(np.float64)
        return BandedKernelSums.of(rows, self._weights, self.leaf_size, targets)

    def _check_loaded(self) -> None:
        check_stored(self, "_fit_X", self._fit_X, self.n_features_in_)
        n = len(self._fit_X)
        self._weights = check_weights(self, self._weights, n)
        check_bandwidth("KernelRegressor", self.bandwidth_)
        if self._y.ndim not in (1, 2) or len(self._y) != n:
            raise DataError(f"KernelRegressor: the targets must have {n} rows.")

    def predict(self, X: Table) -> Matrix:
        """Return the smoothed targets.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,) or (m, outputs)
        """
        queries = check_new(self, X)
        check_size(self, "X", queries)
        if self._sums is None:  # read from a model file
            self._sums = self._pack()
        at = np.ascontiguousarray(queries, dtype=np.float64)
        h = np.array([self.bandwidth_])
        sums = self._sums.at(at, KERNELS[self.kernel], h, straight=self.degree == 1)
        reached = sums.values[:, 0, 0, 0] > 0
        found = _means(sums) if self.degree == 0 else _local_lines(sums, self.bandwidth_)
        if not reached.all():
            found[~reached] = self._nearest(at[~reached])
        shape = (len(at), *self._y.shape[1:])
        return np.asarray(found.reshape(shape), dtype=self._fit_X.dtype)

    def _nearest(self, at: Floats) -> Floats:
        """Return the targets of the nearest rows with positive weight."""
        assert self._sums is not None
        packed = self._sums.bands[0][0]
        everything = len(self._sums.bands) == 1
        if self._weights is None or (everything and (self._weights > 0).all()):
            rows = tree_nearest(packed.X, packed.tree, at, 1, 2.0)[1][:, 0]
        else:
            counted = np.flatnonzero(self._weights > 0)
            X = np.ascontiguousarray(self._fit_X[counted], dtype=np.float64)
            some = KernelSums.of(X, None, self.leaf_size)
            rows = counted[tree_nearest(some.X, some.tree, at, 1, 2.0)[1][:, 0]]
        return np.asarray(self._y.reshape(len(self._y), -1)[rows], dtype=np.float64)


def _means(sums: Sums) -> Floats:
    of = sums.values[:, 0, 0]
    weight = np.where(of[:, :1] > 0, of[:, :1], 1.0)
    return np.asarray(of[:, 1:] / weight)


def _local_lines(sums: Sums, bandwidth: float) -> Floats:
    """Return the values at the queries of local linear fits.

    With z the differences in units of the bandwidth and y the targets about their local means, the
    slope b solves S b = c, S = mean (z - m)(z - m)^T, c = mean (z - m) y; the value is mean y - m .
    b.
    """
    of = sums.values[:, 0]
    d = of.shape[1] - 1
    weight = np.where(of[:, 0, 0] > 0, of[:, 0, 0], 1.0)[:, None]
    means = of[:, 0, 1 + d :] / weight
    m = of[:, 0, 1 : 1 + d] / weight / bandwidth
    second = of[:, 1:, 1 : 1 + d] / weight[:, :, None] / bandwidth**2
    S = second - m[:, :, None] * m[:, None, :]
    cross = of[:, 1:, 1 + d :] / weight[:, :, None] / bandwidth
    c = cross - m[:, :, None] * means[:, None, :]
    # A direction with little variance relative to the others has no slope.
    slopes = np.linalg.pinv((S + S.transpose(0, 2, 1)) / 2, rcond=_SINGULAR, hermitian=True) @ c
    no_spread = np.trace(S, axis1=1, axis2=2) <= _SINGULAR * np.trace(second, axis1=1, axis2=2)
    slopes[no_spread] = 0
    return np.asarray(means - np.einsum("qj,qjo->qo", m, slopes))
