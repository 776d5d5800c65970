"""Multidimensional scaling by majorisation."""

from typing import Any, ClassVar, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Function,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.kinds import Tags, Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.blas import bands, run_in_parallel
from gramian.base.types import Floats, Matrix, Table
from gramian.manifold.dissimilarities import check_given, measure
from gramian.manifold.double_centring import coordinates_of, double_centred

_BLOCK = 1 << 16  # entries of a band of rows, which stays in cache
_FEW = 8  # coordinates up to which differences are cheaper than a product


class _Embedding(NamedTuple):
    points: Floats
    stress: float
    iterations: int
    converged: bool


@params
class MDS(CallbackSupportMixin, Transformer):
    r"""Multidimensional scaling by SMACOF: points whose distances best match dissimilarities.

    Minimises the stress sum_{r<s} (d_rs - |z_r - z_s|)^2. Each step minimises a quadratic upper
    bound that touches it at the current points, by the Guttman transform z_r <- 1/n sum_s (d_rs /
    |z_r - z_s|) (z_r - z_s), so no step increases the stress (de Leeuw 1977; Borg and Groenen,
    *Modern Multidimensional Scaling*, 2005, chapter 8). Without `metric_mds` only the order of the
    dissimilarities counts: they are replaced by the nearest values in the same order. An iteration
    costs n^2 k.

    Parameters
    ----------
    n_components
        Number of coordinates, k.
    metric_mds
        Whether to use the dissimilarities themselves, or only their order.
    n_init
        Number of initialisations; the best is kept. Classical scaling needs only one.
    init
        "classical_mds", "random", or points (n, k).
    max_iter
        Maximum number of iterations per initialisation.
    verbose
        Whether to print a line for each iteration.
    eps
        Stop when the stress decreases by less than this times the sum of squared distances.
    n_jobs
        Ignored; present for scikit-learn compatibility.
    random_state
        Seed or generator for random initialisations.
    metric
        See `ClassicalMDS`.
    metric_params
        Arguments of the metric.
    normalized_stress
        Whether `stress_` is Kruskal's stress-1, the root of the stress divided by the sum of
        squared distances; "auto" means yes if `metric_mds` is False.

    Attributes
    ----------
    embedding_ : array (n, k)
        The points.
    stress_ : float
        The stress.
    n_iter_ : int
        Number of iterations of the best initialisation.
    dissimilarity_matrix_ : array (n, n)
        The dissimilarities.

    Examples
    --------
    >>> from gramian.manifold import MDS
    >>> triangle = [[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]]
    >>> round(MDS(metric="precomputed").fit(triangle).stress_, 9)
    0.0
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False

    n_components: Count = 2
    _: KW_ONLY
    metric_mds: bool = True
    n_init: Count = 1
    init: Literal["classical_mds", "random"] | Array = "classical_mds"
    max_iter: Count = 300
    verbose: bool | NonNegativeInt = 0
    eps: NonNegative = 1e-6
    n_jobs: Jobs = None
    random_state: Seed = None
    metric: str | Function = "euclidean"
    metric_params: dict | None = None  # type: ignore[type-arg]
    normalized_stress: bool | Literal["auto"] = "auto"

    @with_callbacks
    def fit(self, X: Table, y: object = None, init: npt.ArrayLike | None = None) -> Self:
        """Compute the embedding of the rows.

        Parameters
        ----------
        X : array or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their dissimilarities.
        y
            Ignored; present for scikit-learn compatibility.
        init : array of shape (n, k), optional
            Initial points, instead of the parameter `init`.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table, 1e100)
        if self.metric == "precomputed":
            check_given(self, table)
            D = table.astype(np.float64)
        else:
            D = measure(self, table, None, self.metric, self.metric_params)
        task = Task.of(self, steps=None, X=X, verbose=self.verbose)
        runs = [_smacof(D, start, self, task) for start in self._starts(D, init)]
        best = min(runs, key=lambda run: run.stress)
        if not best.converged:
            warn(
                f"MDS: did not converge after max_iter={self.max_iter} iterations; increase "
                "max_iter or "
                "eps.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        self.dissimilarity_matrix_ = D.astype(table.dtype)
        self.embedding_ = np.ascontiguousarray(best.points, dtype=table.dtype)
        self.stress_, self.n_iter_ = best.stress, best.iterations
        task.done(dict)
        return self

    def fit_transform(
        self, X: Table, y: object = None, init: npt.ArrayLike | None = None
    ) -> Matrix:
        """Compute the embedding of the rows, and return it.

        Parameters
        ----------
        X : array or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their dissimilarities.
        y
            Ignored; present for scikit-learn compatibility.
        init : array of shape (n, k), optional
            Initial positions of the points, instead of the parameter `init`.

        Returns
        -------
        points : array of shape (n, k)
        """
        return np.asarray(self.fit(X, init=init).embedding_)

    @property
    def _n_features_out(self) -> int:
        check_is_fitted(self)
        return int(self.embedding_.shape[1])

    def _normalized(self) -> bool:
        return not self.metric_mds if self.normalized_stress == "auto" else self.normalized_stress

    def _starts(self, D: Floats, array: Any) -> list[Floats]:
        n, k = len(D), int(self.n_components)
        init = self.init if array is None else array
        if isinstance(init, str) and init == "random":
            seed = seed_of(self.random_state)
            scale = float(D.mean()) or 1.0
            return [scale * stream(seed, i).random((n, k)) for i in range(self.n_init)]
        if isinstance(init, str):
            points = np.zeros((n, k))
            found = min(k, n)
            points[:, :found] = coordinates_of(double_centred(D).B, found)[1]
            return [points]
        start = parameter_array("MDS", "init", init)
        if start.shape != (n, k) or not np.isfinite(start).all():
            raise DataError(
                f"MDS: init must be finite, of shape ({n}, {k}); got shape {start.shape}."
            )
        return [start]


def _smacof(D: Floats, Z: Floats, model: MDS, task: Task) -> _Embedding:
    """Take Guttman steps until the stress has converged."""
    upper = np.triu_indices(len(D), 1) if not model.metric_mds else None
    order = np.argsort(D[upper], kind="stable") if upper is not None else None
    wanted, at = D, _guttman(D, Z) if upper is None else None
    before, converged, step = np.inf, False, 0
    while step < model.max_iter and not converged:
        step += 1
        if upper is not None:
            wanted = _disparities(D[upper], order, _distances(Z)[upper], upper, len(D))
            at = _guttman(wanted, Z)
        assert at is not None
        Z = at.following
        at = _guttman(wanted, Z)
        converged = before - at.stress <= model.eps * at.total
        before = at.stress
        if task.iteration(dict):
            break
    assert at is not None
    stress = at.stress
    if model._normalized():
        stress = float(np.sqrt(stress / at.total)) if at.total > 0 else 0.0
    return _Embedding(Z, stress, step, converged)


class _Step(NamedTuple):
    """The stress of points, the sum of their squared distances, and the next points."""

    stress: float
    total: float
    following: Floats


def _guttman(wanted: Floats, Z: Floats) -> _Step:
    """Make a Guttman step: read the dissimilarities once, in bands of rows, on several threads."""
    n = len(Z)
    columns, following = np.ascontiguousarray(Z.T), np.empty_like(Z)

    def move(rows: slice) -> tuple[float, float]:
        distances = _band(columns, rows)
        total = float(np.einsum("ij,ij->", distances, distances))
        rest = distances - wanted[rows]
        stress = float(np.einsum("ij,ij->", rest, rest))
        distances[distances == 0.0] = np.inf
        ratio = np.divide(wanted[rows], distances, out=rest)
        following[rows] = (ratio.sum(axis=1)[:, None] * Z[rows] - ratio @ Z) / n
        return stress, total

    parts = run_in_parallel(10.0 * Z.size * n, move, bands(n, size=max(1, _BLOCK // n)))
    stress, total = np.sum(parts, axis=0) / 2  # each pair counts once
    return _Step(float(stress), float(total), following)


def _distances(Z: Floats) -> Floats:
    """Return the distances of all points."""
    n = len(Z)
    columns, out = np.ascontiguousarray(Z.T), np.empty((n, n))

    def fill(rows: slice) -> None:
        out[rows] = _band(columns, rows)

    run_in_parallel(10.0 * Z.size * n, fill, bands(n, size=max(1, _BLOCK // n)))
    return out


def _band(columns: Floats, rows: slice) -> Floats:
    """Return the distances from the given points to all points."""
    if len(columns) > _FEW:
        squares: Floats = (columns * columns).sum(axis=0)
        found = squares[rows, None] + squares - 2 * (columns[:, rows].T @ columns)
        np.maximum(found, 0.0, out=found)
        found[np.arange(found.shape[0]), np.arange(rows.start, rows.stop)] = 0.0
        return np.asarray(np.sqrt(found, out=found))
    found = np.square(columns[0, rows, None] - columns[0])
    for column in columns[1:]:
        apart = column[rows, None] - column
        found += np.square(apart, out=apart)
    return np.asarray(np.sqrt(found, out=found))


def _disparities(
    dissimilarities: Floats, order: Any, distances: Floats, upper: Any, n: int
) -> Floats:
    """Return the values nearest to the distances that have the order of the dissimilarities."""
    fitted = np.empty_like(distances)
    # Ties may be broken by the distances: Kruskal's primary approach.
    ranked = order[np.lexsort((distances[order], dissimilarities[order]))]
    fitted[ranked] = isotonic_regression(distances[ranked]).x
    size = float((fitted**2).sum())
    fitted *= np.sqrt(len(fitted) / size) if size > 0 else 1.0
    wanted = np.zeros((n, n))
    wanted[upper] = fitted
    return wanted + wanted.T
