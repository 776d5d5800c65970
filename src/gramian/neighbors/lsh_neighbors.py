"""Approximate neighbours by locality-sensitive hashing."""

from numbers import Integral, Real
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, Interval, Jobs, Positive, Seed, params
from gramian.base.inputs.gate import check_fit
from gramian.base.randomness import seed_of
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Data, Matrix, Table
from gramian.neighbors.neighbors_estimator import KNeighbors
from gramian.neighbors.structures.lp_space import LpSpace, row_lengths
from gramian.neighbors.structures.lsh_tables import (
    Functions,
    HashSearch,
    HashTables,
    Kind,
    bucket_bits,
    default_functions,
    draw_functions,
)
from gramian.neighbors.structures.radius_results import Indices
from gramian.neighbors.structures.search import ExhaustiveSearch

_SAMPLE_ROWS = 256  # rows on which the recall is measured
# Cost of a row in nanoseconds, a + b * features, for a row found in a bucket and for a row of an
# exhaustive search. Rough, measured with 64 columns; only their ratio matters, for the choice.
_FOUND = (15.0, 0.15)
_ANY = (0.4, 0.02)

_SPACES = {"euclidean": LpSpace(2.0), "cosine": LpSpace(2.0, "half square", unit=True)}


@params
class LSHNeighbors(KNeighbors):
    """Find most of the nearest rows by locality-sensitive hashing.

    Each of L tables assigns every row to a bucket by K hash functions that are likely to agree for
    near rows: sides of random hyperplanes, for which rows at an angle t agree with probability
    1 - t / pi (Charikar 2002), or cells floor((a.x + b) / w) along Gaussian directions a (Datar,
    Immorlica, Indyk and Mirrokni 2004). A query searches its own bucket of every table and then
    neighbouring buckets (multi-probe: Lv et al. 2007), computes the distance to all rows found
    there and returns the k nearest of them, sorted by (distance, index).

    `fit` chooses the number of buckets searched: it increases the number until a sample of the rows
    finds the fraction `recall` of its true neighbours. Building costs O(n d L K), a query O(d L K)
    and O(d) for each row compared. If neighbours are hardly nearer than other rows, as in
    high-dimensional noise, or if there are few rows, hashing would cost more than an exhaustive
    search, which is then used instead. A query that has found fewer than k rows continues, if
    necessary over all rows.

    Parameters
    ----------
    n_neighbors
        Default k of the queries, also used to measure the recall.
    metric
        The distance. With "cosine" a row of zeros is at distance 1 from all nonzero rows.
    hashing
        Type of the hash functions.
    n_tables
        Number of tables, L. With more tables, each needs fewer buckets; a table takes 4 n bytes.
    n_functions
        Number of functions, K, at most 32 (24 for hyperplanes). None gives about four rows per
        bucket.
    width
        Cell width w of p-stable functions; None for about twice the spread of the rows along a
        direction.
    n_probes
        Number of buckets that a query searches, over all tables; None chooses the number needed for
        `recall`, or the exhaustive search.
    recall
        The fraction of true neighbours to find, on average.
    random_state
        Seed or generator for the hash functions.
    n_jobs
        Number of threads; None and -1 use the whole pool. Results do not depend on it.

    Attributes
    ----------
    n_probes_ : int or None
        Buckets searched per query; None if every row is compared.
    recall_ : float
        Fraction of true neighbours found for a sample of the fitted rows.
    n_candidates_ : float
        Mean number of rows compared with a query of the sample.
    n_samples_fit_ : int
        Number of rows.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.neighbors import LSHNeighbors
    >>> X = np.random.default_rng(0).normal(size=(20000, 4))
    >>> model = LSHNeighbors(n_neighbors=3, recall=0.9, random_state=0).fit(X)
    >>> model.recall_ >= 0.9, model.n_candidates_ < 1000
    (True, True)
    >>> model.kneighbors(X[:1], return_distance=False)[0, 0]
    np.int64(0)
    """

    _: KW_ONLY
    n_neighbors: Count = 5
    metric: Literal["euclidean", "cosine"] = "euclidean"
    hashing: Kind = "hyperplane"
    n_tables: Count = 16
    n_functions: Annotated[int, Interval(Integral, 1, 32)] | None = None
    width: Positive | None = None
    n_probes: Count | None = None
    recall: Annotated[float, Interval(Real, 0, 1, open_low=True)] = 0.95
    random_state: Seed = None
    n_jobs: Jobs = None

    takes_sparse = False
    derived_attributes = ("_tables",)

    @property
    def algorithm_(self) -> str:
        """Search algorithm in use: "lsh", or "brute" if hashing would cost more."""
        check_is_fitted(self)
        return "brute" if self.n_probes_ is None else "lsh"

    def fit(self, X: Table, y: object = None) -> Self:
        """Hash the rows into buckets and choose the number of buckets a query searches.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : object
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit_X = check_fit(self, X)
        n = len(self._fit_X)
        per_table = default_functions(n) if self.n_functions is None else self.n_functions
        if self.hashing == "hyperplane" and per_table > 24:
            raise ParameterError(
                f"LSHNeighbors: n_functions must be at most 24 for hyperplanes, which give "
                f"2^n_functions buckets; got {per_table}."
            )
        points = self._search_space_rows(self._fit_X)
        with threads_for(self.n_jobs):
            functions = draw_functions(
                points,
                self.hashing,
                self.n_tables,
                per_table,
                self.width,
                seed_of(self.random_state),
            )
            self._directions, self._offsets, self._width, self._multipliers = functions
            self._tables: HashTables | None = HashTables.build(points, functions)
            self.n_probes_, self.recall_, self.n_candidates_ = self._enough_probes(self._tables)
        self.n_samples_fit_ = n
        return self

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if self.n_probes_ is not None and not Interval(Integral, 1).accepts(self.n_probes_):
            raise DataError(
                f"LSHNeighbors: n_probes_ must be an integer >= 1; got {self.n_probes_!r}."
            )
        bucket_bits(len(self._fit_X), self._functions())

    def _functions(self) -> Functions:
        return Functions(self._directions, self._offsets, self._width, self._multipliers)

    def _enough_probes(self, tables: HashTables) -> tuple[int | None, float, float]:
        """Return the number of buckets, the recall on a sample of rows, and the rows compared.

        The number is None if an exhaustive search costs less.
        """
        n = len(tables.X)
        k = min(self.n_neighbors + 1, n)  # every row of the sample finds itself
        if k == 1:
            return self.n_probes or 1, 1.0, 1.0
        sample = np.ascontiguousarray(tables.X[:: -(-n // _SAMPLE_ROWS)])
        true, _ = ExhaustiveSearch(tables.X, LpSpace(2.0)).nearest(sample, k)

        def measure(probes: int) -> tuple[int, float, float]:
            distances, _, n_compared = tables.nearest(sample, k, probes)
            found = np.count_nonzero(distances <= true[:, -1:], axis=1)
            return probes, float((found - 1).mean() / (k - 1)), n_compared

        if self.n_probes is not None:
            return measure(self.n_probes)
        reached, too_few = measure(1), 0
        while reached[1] < self.recall:
            too_few = reached[0]
            if self._costs_more(reached[2], tables.X) or too_few > 4 * n:
                return None, 1.0, float(n)
            reached = measure(2 * too_few)
        while reached[0] - too_few > 1 + reached[0] // 10:  # nearly the smallest number
            middle = measure((too_few + reached[0]) // 2)
            if middle[1] >= self.recall:
                reached = middle
            else:
                too_few = middle[0]
        return (None, 1.0, float(n)) if self._costs_more(reached[2], tables.X) else reached

    def _costs_more(self, n_compared: float, X: Matrix) -> bool:
        """Return whether comparing this many rows from buckets costs more than all rows."""
        n, d = X.shape
        return bool(n_compared * (_FOUND[0] + _FOUND[1] * d) > n * (_ANY[0] + _ANY[1] * d))

    def _search_space_rows(self, X: Matrix) -> Matrix:
        """Return rows whose Euclidean neighbours are the neighbours under the metric.

        For the cosine: unit vectors, with one more coordinate that is 1 if all others are 0, so
        that a row of zeros is at distance 1 from all nonzero rows.
        """
        rows: Matrix = _SPACES[self.metric].rows(X)
        if self.metric == "euclidean":
            return rows
        return np.column_stack([rows, (row_lengths(X) == 0).astype(X.dtype)])

    def _search(self) -> Any:
        if self._tables is None:  # read from a model file
            self._tables = HashTables.build(self._search_space_rows(self._fit_X), self._functions())
        if self.n_probes_ is None:
            return ExhaustiveSearch(self._tables.X, LpSpace(2.0))
        return HashSearch(self._tables, self.n_probes_)

    def _nearest(
        self, queries: Data | None, n_neighbors: int | None = None
    ) -> tuple[Matrix, Indices]:
        at = None if queries is None else self._search_space_rows(queries)
        distances, indices = super()._nearest(at, n_neighbors)
        return _SPACES[self.metric].to_metric(distances), indices
