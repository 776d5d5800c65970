"""Kernel density estimation."""

from numbers import Integral
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Count, Interval, NonNegative, Positive, params
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats, Matrix, Table
from gramian.neighbors.density import haversine
from gramian.neighbors.density.density_estimator import DensityEstimator
from gramian.neighbors.density.drawing import draw_steps
from gramian.neighbors.density.kernel_sums import BandedKernelSums
from gramian.neighbors.density.kernels import (
    KERNELS,
    KernelName,
    check_bandwidth,
    log_normaliser,
    rule_of_thumb,
)
from gramian.neighbors.density.space import KernelSpace, ellipsoid, space_of_metric

DensityMetric: TypeAlias = Literal[
    "euclidean",
    "l2",
    "minkowski",
    "p",
    "manhattan",
    "cityblock",
    "l1",
    "chebyshev",
    "infinity",
    "seuclidean",
    "mahalanobis",
    "haversine",
]


@params
class KernelDensity(DensityEstimator):
    """Kernel density estimate.

    Puts a kernel of width h on each of the N training rows:

        p(x) = c / (W h^d) sum_i w_i K(|x - x_i| / h),        W = sum_i w_i,

    with c such that p integrates to 1 under the chosen metric. The sum is exact to rounding: rows
    whose weights together are below the rounding of the sum are skipped in whole boxes of a k-d
    tree. Its logarithm is finite at any distance from the data for the Gaussian and exponential
    kernels. One query costs O(N d) at worst, without a matrix of distances.

    Values equal scikit-learn's for the Euclidean metric, except for the cosine kernel in an even
    number of dimensions and for all kernels under other metrics, where scikit-learn's densities do
    not integrate to 1.

    Parameters
    ----------
    bandwidth
        Bandwidth h; "scott" or "silverman" for a rule of thumb, which assumes columns of unit
        variance and uses the sum of the weights as the number of rows; a vector with h of each
        column; or a matrix, the covariance of an ellipsoidal Gaussian kernel.
    algorithm
        Ignored; present for scikit-learn compatibility.
    kernel
        "gaussian", "exponential", or, zero beyond h, "tophat", "epanechnikov", "linear" and
        "cosine".
    metric
        The distance: a norm of x - x_i, or "haversine" for (latitude, longitude) in radians. Other
        metrics of scikit-learn, such as "hamming", "canberra", "braycurtis" and set distances, are
        not supported: no constant c makes their kernels integrate to 1.
    atol
        Absolute error allowed; always met, because results are exact to rounding or to `rtol`.
    rtol
        Relative error allowed; 0 means exact to rounding.
    breadth_first
        Ignored; present for scikit-learn compatibility.
    leaf_size
        Leaf size of the tree; a leaf contains at most five times as many rows, or 80 if more.
    metric_params
        Parameters of the metric, such as ``{"p": 3}``, ``{"w": weights}`` or ``{"V": covariance}``.

    Attributes
    ----------
    bandwidth_ : float, or array for a vector or matrix
        The bandwidth in use.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian import KernelDensity
    >>> import numpy as np
    >>> model = KernelDensity(bandwidth=1.0).fit([[-1.0], [0.0], [1.0]])
    >>> np.exp(model.score_samples([[0.0]])).round(6).tolist()
    [0.294295]
    """

    parametric = False
    derived_attributes: ClassVar[tuple[str, ...]] = ("_sums",)

    _: KW_ONLY
    bandwidth: Positive | Literal["scott", "silverman"] | Array = 1.0
    algorithm: Literal["auto", "kd_tree", "ball_tree"] = "auto"
    kernel: KernelName = "gaussian"
    metric: DensityMetric = "euclidean"
    atol: NonNegative = 0
    rtol: NonNegative = 0
    breadth_first: bool = True
    leaf_size: Count = 40
    metric_params: dict[str, Any] | None = None

    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Store the rows and build the tree.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : object
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), default=None
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        weights = check_weights(self, sample_weight, len(table))
        if isinstance(self.bandwidth, str):
            scaled = unit_weights(weights)
            total = float(len(table)) if scaled is None else float(scaled.sum())
            self.bandwidth_: Any = rule_of_thumb(self.bandwidth, total, table.shape[1])  # type: ignore[arg-type]
        elif np.ndim(self.bandwidth):
            self.bandwidth_ = parameter_array("KernelDensity", "bandwidth", self.bandwidth)
        else:
            self.bandwidth_ = float(self.bandwidth)  # type: ignore[arg-type]
        if self.metric == "haversine":
            self._check_sphere(table)
        self._fit_X = table
        self._weights = weights
        self._sums = self._pack()
        return self

    def _check_sphere(self, table: Matrix) -> None:
        if table.shape[1] != 2 or np.ndim(self.bandwidth_):
            raise ParameterError(
                "KernelDensity: metric='haversine' needs two columns, latitude and longitude in "
                f"radians, and a scalar bandwidth; got {table.shape[1]} columns."
            )

    def _space(self) -> KernelSpace:
        name, h, d = type(self).__name__, self.bandwidth_, self._fit_X.shape[1]
        if not np.ndim(h):
            check_bandwidth(name, h)
            return space_of_metric(name, self.metric, self.metric_params, self._fit_X)
        if self.metric not in ("euclidean", "l2"):
            raise ParameterError(
                f"{name}: a bandwidth per column needs metric='euclidean'; got "
                f"{self.metric!r}. Use a scalar bandwidth."
            )
        if h.ndim == 1:
            if h.shape != (d,) or not (np.isfinite(h).all() and (h > 0).all()):
                raise ParameterError(
                    f"{name}: bandwidth must contain {d} numbers > 0, one per column; got "
                    f"{h.tolist()}."
                )
            return KernelSpace(map=1 / h)
        return ellipsoid(name, "bandwidth", h, d)

    def _pack(self) -> BandedKernelSums | None:
        if self.metric == "haversine":
            return None
        return BandedKernelSums.of(self._space().rows(self._fit_X), self._weights, self.leaf_size)

    def _check_loaded(self) -> None:
        check_stored(self, "_fit_X", self._fit_X, self.n_features_in_)
        if self._weights is not None:
            self._weights = check_weights(self, self._weights, len(self._fit_X))
        if self.metric == "haversine":
            self._check_sphere(self._fit_X)
        else:
            self._space()

    def score_samples(self, X: Table) -> Matrix:
        """Return the logarithm of the density at each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
            Minus infinity if the density is 0.
        """
        queries = check_new(self, X)
        check_size(self, "X", queries)
        n, d = self._fit_X.shape
        total = float(n) if self._weights is None else float(self._weights.sum())
        h = 1.0 if np.ndim(self.bandwidth_) else self.bandwidth_
        if self.metric == "haversine":
            log_sum = haversine.log_sums(
                self._fit_X.astype(float), self._weights, queries.astype(float), self.kernel, h
            )
            log_density = log_sum + haversine.log_normaliser(self.kernel, h) - np.log(total)
        else:
            if self._sums is None:  # read from a model file
                self._sums = self._pack()
            assert self._sums is not None
            space = self._space()
            sums = self._sums.at(
                space.rows(queries), KERNELS[self.kernel], np.array([h]), p=space.p, rtol=self.rtol
            )
            constant = log_normaliser(self.kernel, d, h, space.p) + space.log_det
            log_density = sums.log_weights[:, 0] + constant - np.log(total)
        return np.asarray(log_density, dtype=self._fit_X.dtype)

    def sample(self, n_samples: int = 1, random_state: object = None) -> Matrix:
        """Draw rows from the density: a training row plus a step drawn from its kernel.

        Parameters
        ----------
        n_samples : int, default=1
            Number of rows.
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator for the random draws.

        Returns
        -------
        X : array of shape (n_samples, d)
        """
        check_is_fitted(self)
        if self.metric == "haversine":
            raise ParameterError("KernelDensity: sample does not support metric='haversine'.")
        if not Interval(Integral, 0).accepts(n_samples):
            raise ParameterError(
                f"KernelDensity: n_samples must be an integer >= 0; got {n_samples!r}."
            )
        rng = stream(seed_of(random_state))
        n, d = self._fit_X.shape
        proportions = None if self._weights is None else self._weights / self._weights.sum()
        rows = rng.choice(n, size=int(n_samples), p=proportions)
        space = self._space()
        h = 1.0 if np.ndim(self.bandwidth_) else self.bandwidth_
        steps: Floats = h * draw_steps(self.kernel, int(n_samples), d, space.p, rng)
        drawn = self._fit_X[rows] + space.to_data(steps)
        return np.asarray(drawn, dtype=self._fit_X.dtype)
