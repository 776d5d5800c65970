"""What forests share: growing, walking, rows out of the bag, importances, proximity."""

from collections.abc import Callable, Iterator
from math import ceil
from numbers import Integral
from typing import Annotated, Any, ClassVar, TypeAlias
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.callbacks import CallbackSupportMixin, Task
from gramian.base.columns import Categories, check_fit_columns, check_new_columns
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Interval
from gramian.base.gate import Matrix, Weights
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of, stream
from gramian.base.threads import threads_for
from gramian.tree.export.onnx_model import Link, TreeSum
from gramian.tree.growth.forest_growth import GrowingForest
from gramian.tree.growth.grow import Targets, arrays_of, levels_of, n_features_of, options_of
from gramian.tree.pruning.pruning_path import pruned
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree import Tree

Floats: TypeAlias = npt.NDArray[np.float64]
MaxSamples: TypeAlias = (
    Annotated[int, Interval(Integral, 1)]
    | Annotated[float, Interval(float, 0, open_low=True)]
    | None
)
Bins: TypeAlias = Annotated[int, Interval(Integral, 2, 65534)] | None

_BATCH = 16  # trees grown by one native call
_FLOATS = (np.float64, np.float32)
_SMALL = 256  # rows of a table for which the gate would take longer than the walk


class ForestEstimator(CallbackSupportMixin, Estimator):
    """Grows and holds many trees."""

    n_estimators: int
    bootstrap: bool
    oob_score: Any
    n_jobs: int | None
    random_state: Any
    warm_start: bool
    max_samples: Any
    categorical_features: Any
    max_bins: int | None
    max_features: Any
    ccp_alpha: float

    splitter: ClassVar[str] = "best"
    takes_nan = takes_categories = True
    parametric = False

    forest_: Forest
    _categories: Categories

    # --- fitting ------------------------------------------------------------------------------

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        matrix, self._categories = check_fit_columns(self, X, self.categorical_features)
        if self.oob_score and not self.bootstrap:
            raise ParameterError(
                f"{type(self).__name__}: oob_score needs bootstrap=True, which leaves rows out of "
                "each tree's bag; set it, or leave oob_score out."
            )
        return matrix  # type: ignore[no-any-return]

    def _grow(
        self, X: Matrix, targets: Targets, weights: Weights | None, *, balanced: bool = False
    ) -> None:
        """Grow the trees that are still lacking."""
        owner = type(self).__name__
        kept = self.forest_ if self.warm_start and hasattr(self, "forest_") else None
        first = 0 if kept is None else len(kept)
        if self.n_estimators < first:
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be at least the {first} trees "
                "there are when warm_start is True."
            )
        if kept is None:
            self._seed = seed_of(self.random_state) % 2**63
        self._n_samples = len(X)
        self._draws = self._n_draws(len(X))
        self._cumulative = np.cumsum(weights) if self.bootstrap and weights is not None else None
        own_weights = None if self.bootstrap else weights
        total = float(len(X)) if own_weights is None else float(own_weights.sum())
        total = float(self._draws) if self.bootstrap else total
        options = options_of(self, X.shape[1], len(X), total, targets, seed=self._seed)
        levels = levels_of(self._categories)
        if kept is not None and not kept.is_compatible(targets, levels):
            raise DataError(
                f"{owner}: warm_start adds trees to those of the fit before, but the classes, the "
                "number of outputs or the categories have changed; set warm_start=False to fit "
                "anew."
            )
        growing = GrowingForest(self.n_estimators, levels, targets, options, kept)
        task = Task.of(self, steps=ceil((self.n_estimators - first) / _BATCH), X=X)
        with threads_for(self.n_jobs):
            columns = _native.TreeColumns(X, levels, self.max_bins or 0)
            for begin in range(first, self.n_estimators, _BATCH):
                grown = _native.grow_forest(
                    columns,
                    targets.codes,
                    targets.values,
                    own_weights,
                    targets.n_classes,
                    options,
                    self._draws,
                    self._cumulative,
                    balanced,
                    begin,
                    min(_BATCH, self.n_estimators - begin),
                )
                if self.ccp_alpha > 0:
                    for tree in grown:
                        arrays = arrays_of(tree, targets, options)
                        growing.add_arrays(self._pruned(arrays, levels))
                else:
                    growing.add_grown(grown)
                del grown
                if task.turn(lambda: {"forest_": growing.forest(copy=True)}, name="trees"):
                    break
            self.forest_ = growing.forest(copy=False)
        task.done(lambda: {"forest_": self.forest_})

    def _pruned(self, arrays: dict[str, Any], levels: npt.NDArray[np.int32]) -> dict[str, Any]:
        return pruned(Tree(**arrays, levels=levels), self.ccp_alpha).arrays()

    def _n_draws(self, n_rows: int) -> int:
        if not self.bootstrap:
            if self.max_samples is not None:
                raise ParameterError(
                    f"{type(self).__name__}: max_samples is for bootstrap=True; leave it out."
                )
            return 0
        if self.max_samples is None:
            return n_rows
        if isinstance(self.max_samples, Integral):
            return int(self.max_samples)
        return max(1, round(float(self.max_samples) * n_rows))

    # --- walking ------------------------------------------------------------------------------

    def _new_table(self, X: npt.ArrayLike) -> Matrix:
        """Check new data; a few rows of floats take a short way through the gate."""
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and 0 < len(X) <= _SMALL
            and X.dtype in _FLOATS
            and X.flags.c_contiguous
            and hasattr(self, "forest_")
            and X.shape[1] == self.n_features_in_
            and not hasattr(self, "feature_names_in_")
            and not self.forest_.nodes["levels"].any()
            and _native.all_finite(X.ravel())
        ):
            return X
        check_is_fitted(self, "forest_")
        return check_new_columns(self, X, self._categories)  # type: ignore[no-any-return]

    def _mean(self, X: npt.ArrayLike) -> Floats:
        table = self._new_table(X)
        if self.n_jobs is None:
            return self.forest_.mean(table)
        with threads_for(self.n_jobs):
            return self.forest_.mean(table)

    def _staged_means(self, X: npt.ArrayLike) -> Iterator[Floats]:
        """Yield the means of the first 1, 2, ... trees."""
        table, forest = self._new_table(X), self.forest_
        total = np.zeros((len(table), *forest.nodes["value"].shape[1:]))
        leaves = forest.apply(table)
        for t in range(len(forest)):
            total += forest.nodes["value"][forest.roots[t] + leaves[:, t]]
            yield total / (t + 1)

    def apply(self, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the leaf that each row ends in, in each tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        leaves : int64 array of shape (n, n_estimators)
        """
        table = self._new_table(X)
        return self.forest_.apply(table).astype(np.int64)

    def decision_path(self, X: npt.ArrayLike) -> tuple[sp.csr_matrix, npt.NDArray[np.int64]]:
        """Return the nodes that each row goes through.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        path : CSR matrix of shape (n, n_nodes)
            1 where a row goes through a node; the nodes of the trees one after the other.
        n_nodes_ptr : int64 array of shape (n_estimators + 1,)
            Where the nodes of each tree begin.
        """
        table = self._new_table(X)
        paths = [tree.decision_path(table) for tree in self.forest_]
        return sp.csr_matrix(sp.hstack(paths)), self.forest_.roots.copy()

    @property
    def feature_importances_(self) -> Floats:
        """How much each column lowered the criterion: the mean of its share in each tree."""
        check_is_fitted(self)
        return self.forest_.importances()

    @property
    def feature_counts_(self) -> npt.NDArray[np.int64]:
        """How many splits ask for each column; 0: the forest does without it."""
        check_is_fitted(self)
        asked = self.forest_.nodes["feature"]
        return np.bincount(asked[asked >= 0], minlength=self.n_features_in_).astype(np.int64)

    def _tree_sum(self) -> TreeSum:
        """Return the forest as a sum of trees, for `gramian.to_onnx`."""
        link: Link = "probabilities" if is_classifier(self) else "identity"
        return TreeSum(list(self.forest_), scale=1 / len(self.forest_), link=link)

    def proximity(self, X: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> Floats:
        """Return how often two rows end in the same leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Rows.
        Y : array or frame of shape (m, d), optional
            Other rows; None stands for X.

        Returns
        -------
        p : array of shape (n, m)
            The share of the trees in which row i of X and row j of Y share a leaf.
        """
        left = self._leaf_indicators(X)
        right = left if Y is None else self._leaf_indicators(Y)
        shared: Floats = (left @ right.T).toarray() / len(self.forest_)
        return shared

    def _leaf_indicators(self, X: npt.ArrayLike) -> sp.csr_array:
        leaves = self.forest_.apply(self._new_table(X)) + self.forest_.roots[:-1]
        n, trees = leaves.shape
        ends = np.arange(0, n * trees + 1, trees)
        ones = np.ones(n * trees)
        return sp.csr_array((ones, leaves.ravel(), ends), shape=(n, int(self.forest_.roots[-1])))

    def _tree_estimator(self, kind: Any, t: int) -> Any:
        """Return tree t as an estimator of its own."""
        check_is_fitted(self)
        mine = self.get_params(deep=False)
        names = kind().get_params(deep=False).keys() & mine.keys()
        tree = kind(**{name: mine[name] for name in names}, splitter=self.splitter)
        shared = ("classes_", "n_classes_", "n_outputs_", "n_features_in_", "feature_names_in_")
        for name in (*shared, "_single", "_categories"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        tree.max_features_ = n_features_of(self.max_features, self.n_features_in_)
        tree.tree_ = self.forest_[t]
        return tree

    # --- out of the bag -----------------------------------------------------------------------

    def _counts(self, tree: int) -> Floats:
        counts = np.empty(self._n_samples)
        _native.count_draws(self._seed, tree, self._draws, self._cumulative, counts)
        return counts

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.intp]]:
        """The rows of each tree's sample, a row that was drawn twice being there twice."""
        check_is_fitted(self)
        rows = np.arange(self._n_samples)
        if not self.bootstrap:
            return [rows.copy() for _ in range(len(self.forest_))]
        counts = (self._counts(t).astype(np.intp) for t in range(len(self.forest_)))
        return [np.repeat(rows, c) for c in counts]

    def _in_bags(self) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
        for first in range(0, len(self.forest_), _BATCH):
            last = min(first + _BATCH, len(self.forest_))
            yield first, np.stack([self._counts(t) > 0 for t in range(first, last)]).view(np.uint8)

    def _out_of_bag(self, X: Matrix) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return the mean value of each row over the trees that did not see it, and how many."""
        values = self.forest_.flat_values
        sums = np.zeros((len(X), values.shape[1]))
        trees = np.zeros(len(X), dtype=np.int64)
        with threads_for(self.n_jobs):
            for first, in_bag in self._in_bags():
                self.forest_.walk.sums_out_of_bag(X, values, first, in_bag, sums, trees)
        mean = sums / np.maximum(trees, 1)[:, np.newaxis]
        return mean.reshape(len(X), *self.forest_.nodes["value"].shape[1:]), trees

    def _out_of_bag_with_warning(self, X: Matrix) -> Floats:
        mean, trees = self._out_of_bag(X)
        if (trees == 0).any():
            warn(
                f"{type(self).__name__}: {int((trees == 0).sum())} rows are in every tree's bag "
                "and have no prediction out of it; raise n_estimators.",
                UserWarning,
                stacklevel=4,
            )
        return mean

    def _permuted(
        self,
        X: npt.ArrayLike,
        score: Callable[[Floats], float],
        n_repeats: int,
        random_state: Any,
        out_of_bag: bool,
    ) -> Bunch:
        table = self._new_table(X)
        if out_of_bag and (not self.bootstrap or len(table) != self._n_samples):
            raise DataError(
                f"{type(self).__name__}: out_of_bag=True needs bootstrap=True and the "
                f"{self._n_samples} rows of fit; got {len(table)} rows."
            )

        def predicted(rows: Matrix) -> Floats:
            return self._out_of_bag(rows)[0] if out_of_bag else self.forest_.mean(rows)

        whole = score(predicted(table))
        seed = seed_of(random_state)
        drop = np.empty((table.shape[1], n_repeats))
        for j in range(table.shape[1]):
            mixed = table.copy()
            for repeat in range(n_repeats):
                mixed[:, j] = stream(seed, j * n_repeats + repeat).permutation(table[:, j])
                drop[j, repeat] = whole - score(predicted(mixed))
        return Bunch(
            importances_mean=drop.mean(axis=1),
            importances_std=drop.std(axis=1),
            importances=drop,
        )
