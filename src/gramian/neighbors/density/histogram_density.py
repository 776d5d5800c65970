"""Histogram density."""

from numbers import Integral, Real
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Interval, Positive, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats, Matrix, Table
from gramian.neighbors.density.density_estimator import DensityEstimator

_MAX_BINS = 2**31  # in a column


@params
class HistogramDensity(DensityEstimator):
    """Histogram density: the fraction of the rows in a cell divided by its volume.

    In one dimension n_j / (N h) for bins [x0 + j h, x0 + (j + 1) h), or n_j / (N D_j) for bins of
    different widths D_j; in several, cells are products of bins, and only nonempty cells are
    stored. Outside the cells the density is 0.

    Parameters
    ----------
    bins
        Number of bins of equal width between the minimum and maximum of each column; or the
        ascending edges of the bins of every column.
    width
        Width h of the bins, which then start at `origin`; None to use `bins`.
    origin
        An edge x0 of the bins, if `width` is not None.

    Attributes
    ----------
    bin_edges_ : list of d arrays
        The edges of each column.
    cells_ : array of shape (n_cells, d)
        Bin indices of the nonempty cells.
    log_density_ : array of shape (n_cells,)
        Log density of these cells.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistogramDensity
    >>> model = HistogramDensity(width=2.0).fit([[0.5], [1.5], [1.9], [3.0]])
    >>> np.exp(model.score_samples([[1.0], [2.5], [9.0]])).round(6).tolist()
    [0.375, 0.125, 0.0]
    """

    parametric = False

    bins: Annotated[int, Interval(Integral, 1, 10**7)] | Array = 10
    _: KW_ONLY
    width: Positive | None = None
    origin: Annotated[float, Interval(Real)] = 0.0

    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Count the rows in each cell.

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
        row_weights = unit_weights(check_weights(self, sample_weight, len(table)))
        weights = np.ones(len(table)) if row_weights is None else row_weights
        rows = table.astype(np.float64)
        counted = rows[weights > 0]
        self.bin_edges_ = [self._edges(column) for column in counted.T]
        places, inside = self._bin_indices(rows)
        kept = inside & (weights > 0)
        if not kept.any():
            raise DataError(
                "HistogramDensity: no row lies in a bin; bins must have edges around the rows."
            )
        cells, of_row = np.unique(places[kept], axis=0, return_inverse=True)
        mass = np.bincount(of_row.ravel(), weights[kept], len(cells))
        volume = sum(np.log(np.diff(edges))[cells[:, j]] for j, edges in enumerate(self.bin_edges_))
        self.cells_ = cells
        self.log_density_ = np.asarray(np.log(mass / weights.sum()) - volume, dtype=table.dtype)
        return self

    def _edges(self, column: Floats) -> Floats:
        low, high = float(column.min()), float(column.max())
        if self.width is not None:
            first = np.floor((low - self.origin) / self.width)
            count = np.floor((high - self.origin) / self.width) - first + 1
            if not count < _MAX_BINS:
                raise ParameterError(
                    f"HistogramDensity: width={self.width:g} makes {count:.3g} bins between "
                    f"{low:g} and {high:g}; increase width."
                )
            edges = np.asarray(self.origin + self.width * (first + np.arange(count + 1)))
            if not (np.diff(edges) > 0).all():
                raise ParameterError(
                    f"HistogramDensity: width={self.width:g} is below the spacing of floats near "
                    f"{high:g}; increase width, or subtract a constant from the column."
                )
            return edges
        if np.ndim(self.bins):
            edges = parameter_array("HistogramDensity", "bins", self.bins)
            if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
                raise ParameterError(
                    f"HistogramDensity: bins must be an integer >= 1 or at least two "
                    f"ascending edges; got {self.bins!r}."
                )
            return edges
        try:
            return np.histogram_bin_edges(column, bins=self.bins)
        except (ValueError, MemoryError) as error:
            raise ParameterError(
                f"HistogramDensity: bins={self.bins!r} cannot divide numbers between "
                f"{column.min():g} and {column.max():g}. Use fewer bins, or scale the columns."
            ) from error

    def _bin_indices(self, rows: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Return the bin of each row in each column, and whether the row is inside the edges.

        The last bin includes its right edge.
        """
        places = np.empty(rows.shape, dtype=np.int64)
        inside = np.ones(len(rows), dtype=bool)
        for j, edges in enumerate(self.bin_edges_):
            at = np.searchsorted(edges, rows[:, j], side="right") - 1
            at[rows[:, j] == edges[-1]] = len(edges) - 2
            inside &= (at >= 0) & (at < len(edges) - 1)
            places[:, j] = at
        return places, inside

    def score_samples(self, X: Table) -> Matrix:
        """Return the logarithm of the density at each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
            Minus infinity in empty cells and outside the edges.
        """
        rows = check_new(self, X).astype(np.float64)
        places, inside = self._bin_indices(rows)
        known = np.vstack([self.cells_, places])
        _, number = np.unique(known, axis=0, return_inverse=True)
        number = number.ravel()
        of_cell = np.full(number.max() + 1, -np.inf)
        of_cell[number[: len(self.cells_)]] = self.log_density_
        found = np.where(inside, of_cell[number[len(self.cells_) :]], -np.inf)
        return np.asarray(found, dtype=self.log_density_.dtype)

    def sample(self, n_samples: int = 1, random_state: object = None) -> Matrix:
        """Draw rows: choose a cell by its proportion, then a uniform point in it.

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
        rng = stream(seed_of(random_state))
        low = np.column_stack([e[self.cells_[:, j]] for j, e in enumerate(self.bin_edges_)])
        high = np.column_stack([e[self.cells_[:, j] + 1] for j, e in enumerate(self.bin_edges_)])
        share = np.exp(self.log_density_.astype(float) + np.log(high - low).sum(axis=1))
        cell = rng.choice(len(share), size=int(n_samples), p=share / share.sum())
        drawn = rng.uniform(low[cell], high[cell])
        return np.asarray(drawn, dtype=self.log_density_.dtype)

    def _check_loaded(self) -> None:
        d = self.n_features_in_
        fits = (
            isinstance(self.bin_edges_, list)
            and len(self.bin_edges_) == d
            and self.cells_.shape == (len(self.log_density_), d)
            and all(
                e.ndim == 1 and (np.diff(e) > 0).all() and ((c >= 0) & (c < len(e) - 1)).all()
                for e, c in zip(self.bin_edges_, self.cells_.T, strict=True)
            )
        )
        if not fits:
            raise DataError(
                "HistogramDensity: cells_, bin_edges_ and log_density_ are inconsistent."
            )
