"""Model trees: linear models in the leaves, smoothed towards those of their ancestors."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Fraction, Interval, NonNegative, params
from gramian.base.inputs.targets import check_target_size, check_targets
from gramian.base.kinds import Regressor
from gramian.base.types import Floats, Matrix, Table, Weights
from gramian.tree.growth.grow import (
    NO_LIMIT,
    CategoricalFeatures,
    Depth,
    grown_tree,
    numeric_targets,
)
from gramian.tree.growth.threshold_search import split_options
from gramian.tree.numeric_columns import NumericColumns
from gramian.tree.structure.descent import visits
from gramian.tree.structure.tree import Tree

AtLeastTwo = Annotated[int, Interval(Integral, 2)]


@params
class ModelTreeRegressor(Regressor, NumericColumns):
    """M5: a regression tree with a linear model in every leaf.

    A node is split where the standard deviation of y decreases most,

        SDR = sd(S) - sum_j w_j/w sd(S_j),     w the weight of the rows,

    until few rows or little deviation are left. Every node then gets a least-squares model in the
    features that its subtree splits on. From the leaves up, a subtree is replaced by its node's
    model if that does not increase the root mean square of the residuals times (n + v)/(n - v),
    where v counts the coefficients, for a subtree those of its leaves and its thresholds. A
    prediction p of the leaf is smoothed towards the root, at each step from a node of n rows to its
    parent with prediction q:

        p' = (n p + k q) / (n + k).

    All models are linear, so the smoothed models are too: one per leaf. Growth costs O(d n) per
    level, the models O(n d^2). Quinlan 1992; Wang and Witten 1997.

    Parameters
    ----------
    min_samples_split
        Minimum weight of a node that is split (M5: 4).
    min_samples_leaf
        Minimum weight of a leaf.
    min_deviation
        Fraction of the root's standard deviation below which a node becomes a leaf.
    prune
        Whether subtrees may be replaced by linear models.
    smoothing
        Smoothing constant k; 0 for no smoothing.
    max_depth
        Maximum number of splits above a leaf; None for no limit.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``value`` contains the means.
    coef_ : array of shape (n_nodes, d)
        Coefficients of the smoothed models, over features and levels; used in leaves.
    intercept_ : array of shape (n_nodes,)
        Intercepts of the models.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.tree import ModelTreeRegressor
    >>> x = np.linspace(-2, 2, 41)
    >>> y = np.where(x < 0, -x, 10 + 2 * x)
    >>> model = ModelTreeRegressor(smoothing=0).fit(x[:, None], y)
    >>> model.get_n_leaves(), model.predict([[-1.5], [1.0]]).round(6).tolist()
    (2, [1.5, 12.0])
    """

    _: KW_ONLY
    min_samples_split: AtLeastTwo = 4
    min_samples_leaf: Count = 2
    min_deviation: Fraction = 0.05
    prune: bool = True
    smoothing: NonNegative = 15.0
    max_depth: Depth = None
    categorical_features: CategoricalFeatures = "from_dtype"

    def _fit(self, table: Matrix, y: npt.ArrayLike, weights: Weights | None) -> None:
        """Grow the tree, fit the models, prune and smooth."""
        values = np.asarray(check_targets(self, y, len(table)), dtype=np.float64)
        check_target_size(self, table, values)
        rows = self._fit_numeric(table, weights)
        weights = np.ones(len(table)) if weights is None else weights
        positive = weights > 0
        rows, values, weights = rows[positive], values[positive], weights[positive]
        self._dtype = table.dtype.name
        tree = self._grow(rows, values, weights)
        models, squares, sizes = _fit_models(tree, rows, values, weights)
        if self.prune:
            cut = _nodes_to_prune(tree, squares, sizes)
            tree, models = _cut_models(tree, models, cut)
        smooth = _smooth_models(tree, models, self.smoothing)
        self.tree_ = tree
        self.coef_, self.intercept_ = smooth[:, :-1].copy(), smooth[:, -1].copy()

    def predict(self, X: Table) -> npt.NDArray[np.floating[Any]]:
        """Predict with the smoothed model of each row's leaf.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        rows = self._new_table(X)
        leaves = self.tree_.apply(rows)
        values = np.einsum("ij,ij->i", self.coef_[leaves], rows) + self.intercept_[leaves]
        rounded: npt.NDArray[np.floating[Any]] = values.astype(self._dtype)
        return rounded

    def _check_loaded(self) -> None:
        super()._check_loaded()
        n = self.tree_.node_count
        if np.shape(self.coef_)[:1] != (n,) or np.shape(self.intercept_) != (n,):
            raise DataError("ModelTreeRegressor: each node of the tree must have a model.")

    def _leaves(self, rows: Floats) -> npt.NDArray[np.int64]:
        return self.tree_.apply(rows).astype(np.int64)

    def _new_table(self, X: npt.ArrayLike) -> Floats:
        check_is_fitted(self)
        return self._new_numeric(X)

    def _split_names(self, names: Sequence[str], decimals: int) -> list[str]:
        """Return the names of the features that the tree splits on."""
        return self._numeric_names(names)

    def _grow(self, X: Floats, y: Floats, w: Floats) -> Tree:
        """Grow by standard-deviation reduction."""
        targets = numeric_targets(type(self).__name__, y[:, None], w, "squared_error")
        options = split_options("deviation", self.min_samples_leaf)
        options.max_depth = NO_LIMIT if self.max_depth is None else self.max_depth
        options.max_features = X.shape[1]
        levels = np.zeros(X.shape[1], dtype=np.int32)
        tree = grown_tree(X, levels, targets, w, options, owner="ModelTreeRegressor")
        enough = max(self.min_deviation * tree.impurity[0], 1e-12 * float(np.abs(y).max()))
        tree = tree.cut((tree.weight < self.min_samples_split) | (tree.impurity <= enough))
        with np.errstate(over="ignore", under="ignore"):
            return replace(tree, impurity=tree.impurity**2)


def _fit_models(tree: Tree, X: Floats, y: Floats, w: Floats) -> tuple[Floats, Floats, Floats]:
    """Return each node's model (weights, constant), squared errors and number of coefficients.

    The errors are in units of the largest distance of y from its mean.
    """
    d = X.shape[1]
    used = np.zeros((tree.node_count, d), dtype=bool)  # features that the subtree splits on
    for node in range(tree.node_count - 1, -1, -1):
        if tree.n_children[node]:
            used[node, tree.feature[node]] = True
        if node:
            used[tree.parent[node]] |= used[node]
    models = np.zeros((tree.node_count, d + 1))
    squares, sizes = np.zeros(tree.node_count), np.ones(tree.node_count)
    spread = float(np.abs(y - y.mean()).max()) or 1.0
    for node, rows, _ in visits(tree, X):
        columns = np.flatnonzero(used[node])
        n, v = float(w[rows].sum()), len(columns) + 1
        if v >= n:  # more coefficients than rows: a constant
            columns, v = columns[:0], 1
        inputs = X[np.ix_(rows, columns)]
        center = w[rows] @ inputs / n
        root = np.sqrt(w[rows])
        mean = float(w[rows] @ y[rows] / n)
        inputs = (inputs - center) * root[:, None]
        unit = np.abs(inputs).max(axis=0, initial=0.0)  # each column in its own units
        unit[unit == 0] = 1.0
        slope = np.linalg.lstsq(inputs / unit, (y[rows] - mean) * root, rcond=1e-10)[0]
        with np.errstate(over="ignore", invalid="ignore"):
            slope = slope / unit
            constant = float(mean - center @ slope)
        if not (np.isfinite(slope).all() and np.isfinite(constant)):
            slope, constant, v = np.zeros(len(columns)), mean, 1  # too steep: the slope overflows
        models[node, columns], models[node, -1] = slope, constant
        residual = y[rows] - X[rows] @ models[node, :-1] - models[node, -1]
        squares[node], sizes[node] = w[rows] @ (residual / spread) ** 2, v
    return models, squares, sizes


def _nodes_to_prune(tree: Tree, squares: Floats, sizes: Floats) -> npt.NDArray[np.bool_]:
    """Mark the nodes whose model has an expected error no larger than their pruned subtree's."""
    squares, sizes = squares.copy(), sizes.copy()
    cut = np.zeros(tree.node_count, dtype=bool)
    for node in np.flatnonzero(tree.n_children)[::-1]:
        children = tree.first_child[node] + np.arange(2)
        below, size = squares[children].sum(), sizes[children].sum() + 1  # one for the threshold
        n = tree.weight[node]
        own = _expected_error(n, squares[node], sizes[node])
        cut[node] = own <= _expected_error(n, below, size) + 1e-9
        if not cut[node]:
            squares[node], sizes[node] = below, size
    return cut


def _expected_error(n: float, squares: float, v: float) -> float:
    """Return the root mean square times (n + v)/(n - v), corrected for v fitted coefficients."""
    factor = (n + v) / (n - v) if n > v else 10.0
    return float(factor * np.sqrt(squares / n))


def _cut_models(tree: Tree, models: Floats, cut: npt.NDArray[np.bool_]) -> tuple[Tree, Floats]:
    """Cut a tree and drop the models of the removed nodes."""
    gone = np.zeros(tree.node_count, dtype=bool)
    for node in range(1, tree.node_count):
        above = tree.parent[node]
        gone[node] = gone[above] or cut[above]
    return tree.cut(cut), models[~gone]


def _smooth_models(tree: Tree, models: Floats, k: float) -> Floats:
    """Mix each node's model with those of its ancestors.

    Up from a leaf, p' = (n p + k q)/(n + k) with q the parent's raw model; this equals a weighted
    mean of the models on the path from the root.
    """
    smooth = models.copy()
    for leaf in np.flatnonzero(tree.n_children == 0).tolist():
        answer, node = models[leaf].copy(), leaf
        while node > 0:
            n, above = tree.weight[node], int(tree.parent[node])
            answer = (n * answer + k * models[above]) / (n + k)
            node = above
        smooth[leaf] = answer
    return smooth
