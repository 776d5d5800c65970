"""Base class of oblique trees: parameters, growth over projections, prediction."""

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import PolynomialFeatures
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.randomness import seed_of
from gramian.base.types import Floats, Matrix, Weights
from gramian.tree.growth.directions import direction_fitter
from gramian.tree.growth.grow import CategoricalFeatures, Targets
from gramian.tree.growth.oblique_growth import Growth, Sample, grow
from gramian.tree.growth.threshold_search import Criterion, split_options
from gramian.tree.numeric_columns import NumericColumns


@params
class ObliqueParameters:
    """Splits of an oblique tree, and stopping rules.

    Parameters
    ----------
    n_candidates
        Number of random directions per node.
    max_split_features
        Maximum number of features in one split, chosen by forward selection (at random for
        "random"); None for all.
    axis_parallel
        Whether splits on single features are candidates too.
    shape
        "linear" for straight boundaries; "quadratic" adds squares and products of features
        (conics).
    max_depth
        Maximum number of splits above a leaf; None for no limit.
    min_samples_split
        Minimum weight of a node that is split.
    min_samples_leaf
        Minimum weight of a leaf.
    random_state
        Seed or generator for the random directions.

    Attributes
    ----------
    tree_ : Tree
        The tree over the projections; its feature j is row j of ``directions_`` times x.
    directions_ : array of shape (n_splits, d)
        The directions w, over features and levels, and squares and products if quadratic.
    """

    _: KW_ONLY
    n_candidates: Count = 50
    max_split_features: Count | None = None
    axis_parallel: bool = True
    shape: Literal["linear", "quadratic"] = "linear"
    max_depth: NonNegativeInt | None = None
    min_samples_split: Annotated[int, Interval(Integral, 2)] = 2
    min_samples_leaf: Count = 1
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: Seed = None


class ObliqueTree(ObliqueParameters, NumericColumns):
    """Grows and stores one oblique tree."""

    if TYPE_CHECKING:  # a parameter of the classes below
        split: Any
    directions_: Floats

    def _grow(
        self, X: Matrix, targets: Targets, weights: Weights | None, criterion: Criterion
    ) -> None:
        growth = Growth(
            direction_fitter(type(self).__name__, self.split),
            self.n_candidates,
            self.max_split_features,
            self.axis_parallel,
            np.inf if self.max_depth is None else self.max_depth,
            self.min_samples_split,
            split_options(criterion, self.min_samples_leaf),
            seed_of(self.random_state),
        )
        rows = self._expanded(self._fit_numeric(X, weights))
        weights = np.ones(len(X)) if weights is None else weights.astype(np.float64)
        sample = Sample(rows, targets, weights).at(np.flatnonzero(weights))
        self.tree_, self.directions_ = grow(sample, growth)

    def _expanded(self, rows: Floats) -> Floats:
        if self.shape == "linear":
            return rows
        with np.errstate(over="ignore"):
            conics = np.asarray(PolynomialFeatures(2, include_bias=False).fit_transform(rows))
        if not np.isfinite(conics).all():
            raise DataError(
                f"{type(self).__name__}: the squares of X are too large; scale the columns, see "
                "sklearn.preprocessing.StandardScaler."
            )
        return conics

    def _new_table(self, X: npt.ArrayLike) -> Floats:
        """Check rows and return their projections: the features that the tree splits on."""
        check_is_fitted(self)
        return np.ascontiguousarray(self._expanded(self._new_numeric(X)) @ self.directions_.T)

    def _split_names(self, names: Sequence[str], decimals: int) -> list[str]:
        """Return each direction as text, a sum of features."""
        names = self._numeric_names(names)
        if self.shape == "quadratic":
            powers = PolynomialFeatures(2, include_bias=False).fit(np.zeros((1, len(names))))
            names = [str(name) for name in powers.get_feature_names_out(list(names))]
        return [
            " + ".join(
                name if v == 1 else f"{v:.{max(decimals, 1)}g} {name}"
                for name, v in zip(names, w, strict=True)
                if v != 0
            ).replace("+ -", "- ")
            for w in self.directions_
        ]

    def _leaves(self, rows: Floats) -> npt.NDArray[np.int64]:
        rows, tree = self._expanded(rows), self.tree_
        at = np.zeros(len(rows), dtype=np.int64)
        moving = np.arange(len(rows))
        # Level by level, so that only the needed projections are computed.
        while len(moving := moving[tree.n_children[at[moving]] > 0]):
            node = at[moving]
            z = np.einsum("ij,ij->i", rows[moving], self.directions_[tree.feature[node]])
            at[moving] = tree.first_child[node] + (z > tree.threshold[node])
        return at
