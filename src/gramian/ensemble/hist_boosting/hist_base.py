"""Histogram gradient boosting: the base class of classifier and regressor.

The additive model z(x) = z_0 + eta sum_t f_t(x) is built tree by tree. With the derivatives g_i,
h_i of the loss at the current scores, tree t minimises

    sum_i [g_i f(x_i) + h_i f(x_i)^2 / 2] + (l2 / 2) sum_leaves v^2

greedily over its splits, exactly over the values v of its leaves (Friedman 2001; Chen and Guestrin
2016, eq. 3).
"""

import sys
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.model_selection import train_test_split

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.randomness import seed_of
from gramian.base.types import Floats, Matrix, Table, Weights
from gramian.ensemble.common.bins import BinnedTable, Bins
from gramian.ensemble.common.boosted_scores import BoostedScores
from gramian.ensemble.common.boosting_loss import MAX_WEIGHT, BoostingLoss
from gramian.ensemble.common.tree_sums import sum_of_scores
from gramian.ensemble.common.units import in_units, out_of_units, scale_exponent, tree_out_of_units
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees, Grown
from gramian.ensemble.hist_boosting.boosting_rows import Rows, drop_zero_weights, take_rows
from gramian.ensemble.hist_boosting.chunked_fit import fit_chunks
from gramian.ensemble.hist_boosting.growers import local_grower
from gramian.ensemble.hist_boosting.hist_parameters import HistParameters
from gramian.ensemble.hist_boosting.local_iterations import LocalIterations
from gramian.ensemble.hist_boosting.stopping import StoppingScores
from gramian.tree.structure.tree import Tree
from gramian.tree.structure.tree_sum import TreeSum


class HistGradientBoosting(CallbackSupportMixin, HistParameters, BoostedScores):
    """Histogram gradient boosting; the subclasses provide the loss."""

    takes_nan = takes_categories = takes_infinity = True
    parametric = False

    is_categorical_: npt.NDArray[np.bool_] | None
    _seed: int
    _exponent: int

    # --- what differs between classifier and regressor ----------------------------------------

    @abstractmethod
    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check training targets and encode them as numbers."""

    @abstractmethod
    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check and encode validation targets."""

    @abstractmethod
    def _total_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        """Multiply sample weights by class weights, if there are any."""

    @abstractmethod
    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        """Decode targets to the original labels or values, for scorers."""

    # --- the fit -------------------------------------------------------------------------------

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows; NaN is a missing value.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 are ignored.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Validation rows for early stopping.
        sample_weight_val : array of shape (m,), optional
            Weights of the validation rows.

        Returns
        -------
        self : object
            The fitted model.
        """
        earlier_trees = getattr(self, "_trees", None) if self.warm_start else None
        table, categories = check_fit_columns(self, X, self.categorical_features)
        targets = self._encode(y, len(table))
        weights = check_weights(self, sample_weight, len(table))
        if self.l2_regularization == 0:
            weights = unit_weights(weights, MAX_WEIGHT)
        check_size(self, "sample_weight", weights, MAX_WEIGHT)
        rows = drop_zero_weights(Rows(table, targets, self._total_weights(weights, targets)))
        loss = self._loss()
        continues = earlier_trees is not None and hasattr(self, "_seed")
        scale = scale_exponent(rows.y, loss, penalised=self.l2_regularization > 0)
        self._exponent = self._units if continues else scale
        rows = rows._replace(y=in_units(rows.y, self._units))
        self._check_targets_and_loss(loss, rows.y)
        held_out = self._held_out(X_val, y_val, sample_weight_val, categories)
        self._seed = self._seed if continues else seed_of(self.random_state)
        auto_stops = held_out is not None or (len(rows.X) > 10_000 and self._can_score(loss))
        stops = auto_stops if self.early_stopping == "auto" else bool(self.early_stopping)
        if stops and held_out is None and self.validation_fraction is not None:
            rows, held_out = self._split(rows)

        self._categories = categories
        categorical = np.array([levels is not None for levels in categories])
        self.is_categorical_ = categorical if categorical.any() else None
        self.do_early_stopping_ = stops
        self.n_trees_per_iteration_ = loss.n_scores
        levels = np.array([0 if c is None else len(c) for c in categories], dtype=np.int32)
        if continues:
            trees = self._earlier_trees(earlier_trees, levels, loss)
        else:
            trees = BoostedTrees.empty(loss.n_scores, levels)
            self._start = loss.initial_scores(rows.y, rows.weights)
            self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        self._boost(rows, held_out if stops else None, loss, trees, stops)
        return self

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any]) -> Self:
        """Fit to rows in chunks; only their 8-bit codes are kept in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. Columns are numeric; those of
            `categorical_features` are category codes. There are three passes: over the targets;
            over a sample of 200,000 rows for the bins and the rows held out for early stopping;
            and over all rows. The model is identical to that of `fit`. On a cluster
            (`gramian.scale.fit`) each worker keeps the codes of its rows and sends only
            histograms; there "auto" means no early stopping.

        Returns
        -------
        self : object
            The fitted model.
        """
        fit_chunks(self, chunks)
        return self

    def _boost(
        self,
        rows: Rows,
        held_out: Rows | None,
        loss: BoostingLoss,
        trees: BoostedTrees,
        stops: bool,
    ) -> None:
        """Add trees until max_iter, or until the score no longer improves."""
        coded: Any = rows.X
        if not isinstance(coded, BinnedTable):
            bins = Bins.of(coded, rows.weights, self._categories, self.max_bins, self._seed)
            coded = BinnedTable(bins, *bins.codes(coded))
        bins, grower = coded.bins, local_grower(self, coded, loss)
        score = np.tile(self._start[:, None], (1, len(rows.y)))
        if trees.n_iter:
            trees.add_scores(rows.X, score)
        score_val = None
        if held_out is not None:
            score_val = np.tile(self._start[:, None], (1, len(held_out.y)))
            trees.add_scores(held_out.X, score_val)

        iterations = LocalIterations(
            loss, rows, score, grower, self.learning_rate, self.l2_regularization
        )
        task = Task.of(self, steps=self.max_iter, X=rows.X, y=rows.y)
        grown: list[Grown] = []
        self._trees = trees
        scores = StoppingScores(self, loss, rows, held_out) if stops else None
        if scores and not trees.n_iter:
            scores.record(score, score_val)
        for iteration in range(trees.n_iter, self.max_iter):
            grown += iterations.grow_trees(self._seed, iteration, self.leaf_steps)
            if score_val is not None and held_out is not None:
                newest = BoostedTrees.empty(loss.n_scores, trees.levels)
                newest.with_trees(grown[-loss.n_scores :], bins).add_scores(held_out.X, score_val)
            if scores and scores.by_scorer:
                self._trees = trees.with_trees(grown, bins)
            stop = scores is not None and scores.record(score, score_val)
            self._report(iteration, scores)
            if task.iteration(lambda: self._state(trees.with_trees(grown, bins))) or stop:  # noqa: B023
                break
        del iterations, grower, coded  # free memory for the trees
        self._trees = trees.with_trees(grown, bins)
        self._check_finite_trees()
        task.done(lambda: self._state(self._trees))

    def _check_finite_trees(self) -> None:
        """Raise if the scores have grown beyond all bounds."""
        if not np.isfinite(self._trees.value).all():
            raise ParameterError(
                f"{type(self).__name__}: boosting diverged, since each tree corrects the scores by "
                f"too much; got learning_rate={self.learning_rate!r}. Lower it, or divide y by a "
                "constant if its numbers are very large."
            )

    def _state(self, trees: BoostedTrees) -> dict[str, Any]:
        names = (
            "_start",
            "_exponent",
            "_categories",
            "n_features_in_",
            "feature_names_in_",
            "classes_",
        )
        kept = {name: getattr(self, name) for name in names if hasattr(self, name)}
        kept["_exponent"] = self._units
        return {**kept, "_trees": trees, "n_trees_per_iteration_": trees.n_scores}

    def _report(self, iteration: int, scores: StoppingScores | None) -> None:
        if not self.verbose:
            return
        text = f"{type(self).__name__}, tree {iteration + 1}"
        if scores is not None:
            text += f": training score {self.train_score_[-1]:.6g}"
            if len(self.validation_score_):
                text += f", validation score {self.validation_score_[-1]:.6g}"
        sys.stdout.write(text + "\n")

    # --- checks --------------------------------------------------------------------------------

    def _check_targets_and_loss(self, loss: BoostingLoss, y: Floats) -> None:
        owner = type(self).__name__
        check_size(self, "y", y, 1e30)
        if problem := loss.problem_with(y):
            raise DataError(f"{owner}: {problem}; the smallest y is {y.min():g}.")
        needs_value = self.early_stopping is True and self.scoring == "loss"
        if needs_value and not self._can_score(loss):
            raise ParameterError(
                f"{owner}: early stopping with scoring='loss' needs a loss with values, but "
                "a function "
                "returns only gradient and hessian; set scoring to a scorer or its name."
            )

    def _can_score(self, loss: BoostingLoss) -> bool:
        return self.scoring != "loss" or loss.has_value

    def _held_out(
        self, X_val: Any, y_val: Any, sample_weight_val: Any, categories: Categories
    ) -> Rows | None:
        owner = type(self).__name__
        if not has_validation_rows(owner, X_val, y_val, sample_weight_val):
            return None
        if self.early_stopping is False:
            raise DataError(
                f"{owner}: X_val needs early stopping, but early_stopping is False; omit "
                "X_val or set "
                "early_stopping to 'auto' or True."
            )
        try:
            table = check_new_columns(self, X_val, categories)
        except DataError as error:
            raise DataError(f"{owner}: X_val does not match X. {error}") from None
        try:
            targets = self._encode_new(y_val, len(table))
        except DataError as error:
            raise DataError(f"{owner}: y_val does not match X_val or y. {error}") from None
        weights = check_weights(self, sample_weight_val, len(table))
        return Rows(table, in_units(targets, self._units), weights)

    def _split(self, rows: Rows) -> tuple[Rows, Rows]:
        """Hold out rows for early stopping, stratified by class."""
        by_class = rows.y if is_classifier(self) else None
        indices = np.arange(len(rows.y))
        try:
            train, held_out = train_test_split(
                indices,
                test_size=self.validation_fraction,
                stratify=by_class,
                random_state=self._seed % 2**32,
            )
        except ValueError as error:
            raise DataError(
                f"{type(self).__name__}: cannot hold out rows for early stopping (n_samples="
                f"{len(indices)}): {error} Pass X_val, set validation_fraction=None, or set "
                "early_stopping=False."
            ) from None
        return take_rows(rows, np.sort(train)), take_rows(rows, np.sort(held_out))

    def _earlier_trees(
        self, trees: BoostedTrees | None, levels: npt.NDArray[np.int32], loss: BoostingLoss
    ) -> BoostedTrees:
        owner = type(self).__name__
        assert trees is not None
        if not np.array_equal(trees.levels, levels) or trees.n_scores != loss.n_scores:
            raise DataError(
                f"{owner}: with warm_start the columns, categories and classes must equal those of "
                "the previous fit; set warm_start=False to start over."
            )
        if self.max_iter < trees.n_iter:
            raise ParameterError(
                f"{owner}: max_iter={self.max_iter} must be larger than or equal to "
                f"n_iter_={trees.n_iter} when warm_start==True."
            )
        return trees

    # --- the fitted model ----------------------------------------------------------------------

    @property
    def n_iter_(self) -> int:
        """Number of iterations."""
        return self._trees.n_iter

    @property
    def predictors_(self) -> list[list[Tree]]:
        """The trees: a list of iterations, each with one `gramian.tree.Tree` per score."""
        scale, loss = self._units, self._loss()
        iterations = self._trees.trees()
        return [[tree_out_of_units(t, scale, loss) for t in trees] for trees in iterations]

    def _tree_sum(self) -> TreeSum:
        """Return the model as a sum of trees, for `gramian.to_onnx`."""
        trees = [tree for iteration in self.predictors_ for tree in iteration]
        loss = self._loss()
        return sum_of_scores(loss, out_of_units(self._start, self._units, loss), trees)

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of the total gain due to each feature."""
        return self._trees.feature_importances()

    @property
    def feature_counts_(self) -> npt.NDArray[np.int64]:
        """Number of splits on each feature."""
        return self._trees.feature_counts()

    def apply(self, X: Table) -> npt.NDArray[np.int32]:
        """Return the leaf that each row reaches in every tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        leaves : array of shape (n, n_iter_, n_trees_per_iteration_)
        """
        table = self._table(X)
        return self._trees.leaves(table)

    def _table(self, X: Table) -> Matrix:
        table: Matrix = check_new_columns(self, X, getattr(self, "_categories", [None]))
        return table

    def _scores(self, table: Matrix) -> Floats:
        """Return the raw scores, of shape (n_scores, n)."""
        scores = np.tile(self._start[:, None], (1, len(table)))
        self._trees.add_scores(table, scores)
        return out_of_units(scores, self._units, self._loss())

    def _staged_scores(self, table: Matrix) -> Iterator[Floats]:
        scores, loss = np.tile(self._start[:, None], (1, len(table))), self._loss()
        for number in range(len(self._trees.roots) - 1):
            score = number % self._trees.n_scores
            tree = self._trees.tree(number)
            values = tree.value.reshape(-1, 1)
            tree.walk.sums(table, values, 1.0, scores[score].reshape(-1, 1))
            if score == self._trees.n_scores - 1:
                yield out_of_units(scores.copy(), self._units, loss)
