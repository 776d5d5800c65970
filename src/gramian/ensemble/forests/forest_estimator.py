"""Growing forests, out-of-bag scores and permutation importances."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from numbers import Integral
from typing import Any, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.inputs.categorical import check_fit_columns
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Matrix, Table, Weights
from gramian.ensemble.common.sequence import MemberSequence
from gramian.ensemble.forests.forest_prediction import FittedForest, Floats
from gramian.tree.growth.forest_growth import GrowingForest
from gramian.tree.growth.grow import Targets, arrays_of, levels_of, options_of, tree_columns
from gramian.tree.pruning.pruning_path import pruned
from gramian.tree.structure.tree import Tree

_BATCH = 16  # trees between callbacks


class ForestEstimator(CallbackSupportMixin, FittedForest, MemberSequence):
    """Grows many trees."""

    # --- fitting ------------------------------------------------------------------------------

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Numeric and categorical features; missing values are allowed unless X is sparse.
        y : array of shape (n,) or (n, n_outputs)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; with bootstrap, rows are drawn in proportion to them.

        Returns
        -------
        self : object
            The fitted forest.
        """
        table = self._check_table(X)
        targets, weights = self._check_targets(table, y, sample_weight)
        self._grow(table, targets, weights)
        if self.oob_score:
            self._score_out_of_bag(table, targets, y)
        return self

    def _check_targets(
        self, table: Matrix, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Targets, Weights | None]:
        raise NotImplementedError

    def _score_out_of_bag(self, table: Matrix, targets: Targets, y: npt.ArrayLike) -> None:
        """Set the out-of-bag predictions and their score."""
        raise NotImplementedError

    @property
    def _balances_each_tree(self) -> bool:
        """Whether class weights balance each tree's sample."""
        return False

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        matrix, self._categories = check_fit_columns(self, X, self.categorical_features)
        if self.oob_score and not self.bootstrap:
            raise ParameterError(
                f"{type(self).__name__}: oob_score needs bootstrap=True; without it no tree has "
                "out-of-bag rows. Set bootstrap=True, or oob_score=False."
            )
        return matrix  # type: ignore[no-any-return]

    def _grow(self, X: Matrix, targets: Targets, weights: Weights | None) -> None:
        """Grow the trees that do not exist yet."""
        owner = type(self).__name__
        earlier = self.forest_ if self.warm_start and hasattr(self, "forest_") else None
        first = 0 if earlier is None else len(earlier)
        if self.n_estimators < first:
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be at least {first}, the number "
                "of trees already grown, when warm_start is True."
            )
        if self.n_estimators == first:
            warn(
                f"{owner}: Warm-start fitting without increasing n_estimators does not fit new "
                "trees.",
                UserWarning,
                stacklevel=caller_level(),
            )
        if earlier is None:
            self._seed = seed_of(self.random_state) % 2**63
        self._n_samples = X.shape[0]
        self._draws = self._n_draws(X.shape[0], weights)
        self._cumulative = np.cumsum(weights) if self.bootstrap and weights is not None else None
        tree_weights = None if self.bootstrap else weights
        total = float(X.shape[0]) if tree_weights is None else float(tree_weights.sum())
        total = float(self._draws) if self.bootstrap else total
        options = options_of(self, X.shape[1], X.shape[0], total, targets, seed=self._seed)
        levels = levels_of(self._categories)
        if earlier is not None and not earlier.is_compatible(targets, levels):
            raise DataError(
                f"{owner}: warm_start adds trees to those of the previous fit, but the classes, "
                "the number of outputs or the categories have changed; set warm_start=False."
            )
        growing = GrowingForest(self.n_estimators, levels, targets, options, earlier)

        def add(grown: Sequence[_native.GrownTree]) -> None:
            if self.ccp_alpha == 0:
                growing.add_grown(grown)
                return
            for tree in grown:
                arrays = arrays_of(tree, targets, options)
                growing.add_arrays(self._pruned(arrays, levels))

        batches = ceil((self.n_estimators - first) / _BATCH)
        task = Task.of(self, steps=batches, X=X, verbose=self.verbose)
        with threads_for(self.n_jobs):
            columns = tree_columns(X, levels, self.max_bins or 0, owner=owner)
            native_targets = targets.native(tree_weights)
            for begin in range(first, self.n_estimators, _BATCH):
                _native.grow_forest(
                    columns,
                    native_targets,
                    options,
                    self._draws,
                    self._cumulative,
                    self._balances_each_tree,
                    begin,
                    min(_BATCH, self.n_estimators - begin),
                    add,
                )
                if task.iteration(
                    lambda: {"forest_": growing.forest(copy=True)}, name="batch of trees"
                ):
                    break
            del columns
            self.forest_ = growing.forest(copy=False)
        task.done(lambda: {"forest_": self.forest_})

    def _pruned(self, arrays: dict[str, Any], levels: npt.NDArray[np.int32]) -> dict[str, Any]:
        tree = Tree(**arrays, levels=levels)
        return pruned(tree, self.ccp_alpha, type(self).__name__).arrays()

    def _n_draws(self, n_rows: int, weights: Weights | None) -> int:
        if not self.bootstrap:
            if self.max_samples is not None:
                raise ParameterError(
                    f"{type(self).__name__}: max_samples needs bootstrap=True; got "
                    f"max_samples={self.max_samples} with bootstrap=False."
                )
            return 0
        if self.max_samples is None:
            return n_rows
        if isinstance(self.max_samples, Integral):
            return int(self.max_samples)
        total = n_rows if weights is None else float(weights.sum())
        draws = self.max_samples * total
        if draws >= 2**31:
            raise ParameterError(
                f"{type(self).__name__}: max_samples={self.max_samples} of a total weight of "
                f"{total:.3g} means {draws:.3g} draws per tree, which must be less than 2**31."
            )
        return max(1, int(draws))

    # --- out of the bag -----------------------------------------------------------------------

    def _counts(self, tree: int) -> Floats:
        counts = np.empty(self._n_samples)
        _native.count_draws(self._seed, tree, self._draws, self._cumulative, counts)
        return counts

    @property
    def estimators_samples_(self) -> list[npt.NDArray[np.int32]]:
        """The rows of each tree's sample; a row drawn twice appears twice."""
        check_is_fitted(self)
        rows = np.arange(self._n_samples, dtype=np.int32)
        if not self.bootstrap:
            return [rows.copy() for _ in range(len(self.forest_))]
        counts = (self._counts(t).astype(np.intp) for t in range(len(self.forest_)))
        return [np.repeat(rows, c) for c in counts]

    def _in_bags(self) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
        for first in range(0, len(self.forest_), _BATCH):
            last = min(first + _BATCH, len(self.forest_))
            yield first, np.stack([self._counts(t) > 0 for t in range(first, last)]).view(np.uint8)

    def _out_of_bag(self, X: Matrix) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return each row's mean value over the trees that did not use it, and their number."""
        values = self.forest_.flat_values
        sums = np.zeros((X.shape[0], values.shape[1]))
        trees = np.zeros(X.shape[0], dtype=np.int64)
        with threads_for(self.n_jobs):
            leaves = self.forest_.apply(X) if sp.issparse(X) else None
            for first, in_bag in self._in_bags():
                if leaves is None:
                    self.forest_.walk.sums_out_of_bag(X, values, first, in_bag, sums, trees)
                    continue
                for t, seen in enumerate(in_bag, start=first):
                    rows = np.flatnonzero(seen == 0)
                    sums[rows] += values[self.forest_.roots[t] + leaves[rows, t]]
                    trees[rows] += 1
        mean = sums / np.maximum(trees, 1)[:, np.newaxis]
        return mean.reshape(X.shape[0], *self.forest_.nodes["value"].shape[1:]), trees

    def _out_of_bag_with_warning(self, X: Matrix) -> Floats:
        mean, trees = self._out_of_bag(X)
        if (trees == 0).any():
            warn(
                f"{type(self).__name__}: Some inputs do not have OOB scores: "
                f"{int((trees == 0).sum())} rows are in the sample of every tree; increase "
                "n_estimators.",
                UserWarning,
                stacklevel=caller_level(),
            )
        return mean

    def permutation_importance(
        self,
        X: Table,
        y: npt.ArrayLike,
        *,
        n_repeats: int = 5,
        random_state: Any = None,
        out_of_bag: bool = False,
    ) -> Bunch:
        """Return the decrease of accuracy, or of R^2, when the values of a feature are permuted.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        y : array of shape (n,), or (n, n_outputs) for regression
            Class labels or targets.
        n_repeats : int
            Number of permutations of each feature.
        random_state : int, RandomState, Generator or None
            Seed or generator for the permutations.
        out_of_bag : bool
            Whether to predict each row only with trees that did not use it (Breiman 2001, 10); X
            and y must then be those of `fit`.

        Returns
        -------
        result : Bunch
            ``importances`` (d, n_repeats), ``importances_mean``, ``importances_std``.
        """
        check_is_fitted(self)
        score = self._scorer(y)
        table: Any = self._new_table(X)
        if sp.issparse(table):  # columns are permuted one at a time
            table = table.toarray()
        if out_of_bag and (not self.bootstrap or table.shape[0] != self._n_samples):
            raise DataError(
                f"{type(self).__name__}: out_of_bag=True needs bootstrap=True and the "
                f"{self._n_samples} rows of fit; got {table.shape[0]} rows."
            )

        def predicted(rows: Matrix) -> Floats:
            return self._out_of_bag(rows)[0] if out_of_bag else self.forest_.mean(rows)

        baseline = score(predicted(table))
        seed = seed_of(random_state)
        drop = np.empty((table.shape[1], n_repeats))
        for j in range(table.shape[1]):
            permuted = table.copy()
            for repeat in range(n_repeats):
                permuted[:, j] = stream(seed, j * n_repeats + repeat).permutation(table[:, j])
                drop[j, repeat] = baseline - score(predicted(permuted))
        return Bunch(
            importances_mean=drop.mean(axis=1),
            importances_std=drop.std(axis=1),
            importances=drop,
        )

    def _scorer(self, y: npt.ArrayLike) -> Callable[[Floats], float]:
        """Return a function that scores the trees' mean values against y."""
        raise NotImplementedError
