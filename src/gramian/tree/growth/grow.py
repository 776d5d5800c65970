"""Growing trees with the parameters of an estimator, for trees and forests."""

from collections.abc import Callable, Sequence
from math import ceil, frexp, isinf, log2, sqrt
from numbers import Integral
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Array, Interval
from gramian.base.inputs.categorical import Categories
from gramian.base.kinds import Estimator
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Weights, is_sparse
from gramian.tree.structure.tree import FIELDS, Tree

MaxFeatures: TypeAlias = (
    Literal["sqrt", "log2", "third"]
    | Annotated[int, Interval(Integral, 1)]
    | Annotated[float, Interval(float, 0, 1, open_low=True)]
    | None
)
MinSplit: TypeAlias = (
    Annotated[int, Interval(Integral, 2)] | Annotated[float, Interval(float, 0, 1, open_low=True)]
)
MinLeaf: TypeAlias = (
    Annotated[int, Interval(Integral, 1)]
    | Annotated[float, Interval(float, 0, 1, open_low=True, open_high=True)]
)
MaxLeaves: TypeAlias = Annotated[int, Interval(Integral, 2)] | None
Depth: TypeAlias = Annotated[int, Interval(Integral, 0)] | None
CategoricalFeatures: TypeAlias = Literal["from_dtype"] | Array | None
CategoricalSplits: TypeAlias = Literal["group", "each", "one"]
ClassFunction: TypeAlias = Callable[[npt.NDArray[np.float64]], npt.ArrayLike]

NO_LIMIT = 2**62
_MAX_CLASSES = 2**16


class Targets(NamedTuple):
    """Targets of a tree: class codes, or values scaled to magnitude 1."""

    codes: npt.NDArray[np.uint16] | None
    values: npt.NDArray[np.float64] | None
    n_classes: int
    scale: float = 1.0  # a target is (value + center) * scale
    center: npt.NDArray[np.float64] | None = None

    @property
    def n_outputs(self) -> int:
        """Number of targets per row."""
        y: Any = self.values if self.codes is None else self.codes
        return int(y.shape[1])

    def native(self, weights: Weights | None) -> _native.TreeTargets:
        """Return the targets and row weights in the form of native code."""
        return _native.TreeTargets(self.codes, self.values, weights, self.n_classes)


def class_targets(owner: str, codes: npt.NDArray[np.intp], n_classes: int) -> Targets:
    """Return targets from class codes of shape (n, outputs)."""
    if n_classes > _MAX_CLASSES:
        raise DataError(
            f"{owner}: y has {n_classes} classes, but at most {_MAX_CLASSES} are supported. "
            "Use a regressor for a numeric target."
        )
    return Targets(np.ascontiguousarray(codes, dtype=np.uint16), None, n_classes)


def numeric_targets(
    owner: str, y: npt.NDArray[np.floating], weights: Weights | None, criterion: str
) -> Targets:
    """Return targets from numeric values of shape (n, outputs), scaled and centred.

    A power of two scales them to magnitude 1, so that squares neither overflow nor underflow. A
    mean far from zero is subtracted, so that sums keep their precision.
    """
    if criterion == "poisson" and ((y < 0).any() or not (y > 0).any(axis=0).all()):
        raise DataError(
            f"{owner}: y must not be negative, and its sum must be positive, for "
            "criterion='poisson'; use criterion='squared_error'."
        )
    largest = float(np.abs(y).max())
    scale = 2.0 ** frexp(largest)[1] if largest > 0 and not isinf(2.0 * largest) else 1.0
    values = y / scale
    center = np.average(values, axis=0, weights=weights)
    spread = np.abs(values - center).max(axis=0)
    if criterion == "poisson":
        center = np.zeros_like(center)
    else:
        center = np.where(np.abs(center) > 16 * spread, center, 0.0)
    return Targets(None, np.ascontiguousarray(values - center), 1, scale, center)


def options_of(
    estimator: Estimator,
    n_features: int,
    n_rows: int,
    total_weight: float,
    targets: Targets,
    *,
    seed: int,
) -> _native.GrowOptions:
    """Convert the parameters of an estimator to options of the native code."""
    options = _native.GrowOptions()
    function = estimator.criterion if callable(estimator.criterion) else None
    name = "function" if function else estimator.criterion
    name = "entropy" if name == "log_loss" else name
    options.criterion = getattr(_native.TreeCriterion, name)
    if function:
        options.set_function(criterion_of_weights(type(estimator).__name__, function))
    options.category_splits = getattr(_native.CategorySplits, estimator.categorical_splits)
    options.plain_sum = getattr(estimator, "combine", "mean") == "sum"
    depth = estimator.max_depth
    options.max_depth = NO_LIMIT if depth is None else int(depth)
    options.max_leaf_nodes = int(estimator.max_leaf_nodes or 0)
    options.min_samples_leaf = _rows(estimator.min_samples_leaf, n_rows, 1)
    options.min_samples_split = _rows(estimator.min_samples_split, n_rows, 2)
    options.max_features = n_features_of(estimator.max_features, n_features)
    options.min_weight_leaf = estimator.min_weight_fraction_leaf * total_weight
    squared = name == "squared_error"
    least = estimator.min_impurity_decrease / targets.scale
    options.min_impurity_decrease = least / targets.scale if squared else least
    options.max_purity = getattr(estimator, "max_purity", 1.0)
    options.random_split = getattr(estimator, "splitter", "best") == "random"
    monotone = estimator.monotonic_cst
    if monotone is not None:
        options.monotone = monotonic_signs(estimator, monotone, n_features)
    options.seed = seed % 2**64
    return options


def _rows(number: float, n_rows: int, least: int) -> int:
    """Convert an integer or a fraction to a number of rows."""
    return int(number) if isinstance(number, Integral) else max(least, ceil(number * n_rows))


def n_features_of(max_features: float | str | None, n_features: int) -> int:
    """Convert max_features to the number of features that a node considers."""
    if max_features is None:
        return n_features
    if max_features == "sqrt":
        return max(1, int(sqrt(n_features)))
    if max_features == "log2":
        return max(1, int(log2(n_features)))
    if max_features == "third":
        return max(1, n_features // 3)
    if isinstance(max_features, Integral):
        return min(int(max_features), n_features)
    return max(1, int(float(max_features) * n_features))


def monotonic_signs(estimator: Estimator, monotone: npt.ArrayLike, n_features: int) -> list[int]:
    """Check monotonicity constraints: -1, 0 or 1 for each feature."""
    signs = np.asarray(monotone)
    if signs.shape != (n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ParameterError(
            f"{type(estimator).__name__}: monotonic_cst must contain -1, 0 or 1 for each of the "
            f"{n_features} features; got {monotone!r}."
        )
    return [int(s) for s in signs] if signs.any() else []


def levels_of(categories: Categories) -> npt.NDArray[np.int32]:
    """Return the number of levels of each feature, 0 for a numeric one."""
    return np.array([0 if c is None else max(1, len(c)) for c in categories], dtype=np.int32)


def tree_columns(
    X: Data, levels: npt.NDArray[np.int32], max_bins: int = 0, *, owner: str
) -> _native.TreeColumns | _native.SparseTreeColumns:
    """Prepare the columns of a checked table, once for all trees.

    A sparse table has no categories and no missing values, and its columns are not binned.
    """
    if not is_sparse(X):
        return _native.TreeColumns(X, levels, max_bins)
    if not np.isfinite(X.data).all():
        raise DataError(
            f"{owner}: Input X contains NaN, and X is sparse; trees support missing values "
            "only in dense "
            "tables. Impute first, see sklearn.impute, or pass X.toarray()."
        )
    if not X.data.all():  # native code expects no explicit zeros
        X = X.copy()
        X.eliminate_zeros()
    return _native.SparseTreeColumns(native_table(X))


def grown_tree(
    X: Data,
    levels: npt.NDArray[np.int32],
    targets: Targets,
    weights: Weights | None,
    options: _native.GrowOptions,
    *,
    owner: str,
) -> Tree:
    """Grow one tree; errors name the owner."""
    columns = tree_columns(X, levels, owner=owner)
    grown = _native.grow_tree(columns, targets.native(weights), options, 0, alone=True)
    del columns
    return tree_of(grown, levels, targets, options)


def tree_of(
    grown: _native.GrownTree,
    levels: npt.NDArray[np.int32],
    targets: Targets,
    options: _native.GrowOptions,
) -> Tree:
    """Convert a grown tree to a `Tree`, with values in the units of the targets."""
    return Tree(**arrays_of(grown, targets, options), levels=levels)


def arrays_of(
    grown: _native.GrownTree, targets: Targets, options: _native.GrowOptions
) -> dict[str, npt.NDArray[Any]]:
    """Copy a grown tree into the arrays of `Tree`, without the levels."""
    arrays = empty_arrays(grown.n_nodes, grown.n_words, targets)
    write_trees([grown], arrays, targets, options)
    return arrays


def write_trees(
    trees: Sequence[_native.GrownTree],
    arrays: dict[str, npt.NDArray[Any]],
    targets: Targets,
    options: _native.GrowOptions,
) -> None:
    """Copy trees into concatenated arrays, with values in the units of the targets."""
    _native.write_trees(
        trees,
        arrays,
        center=targets.center,
        scale=targets.scale,
        squared=options.criterion == _native.TreeCriterion.squared_error,
    )


def empty_arrays(n_nodes: int, n_words: int, targets: Targets) -> dict[str, npt.NDArray[Any]]:
    """Return uninitialised arrays for a `Tree` of this many nodes, except the levels."""
    shapes: dict[str, tuple[int, ...]] = {
        "bits": (n_words,),
        "value": (n_nodes, targets.n_outputs, targets.n_classes),
    }
    return {
        name: np.empty(shapes.get(name, (n_nodes,)), dtype=dtype)
        for name, dtype in FIELDS.items()
        if name != "levels"
    }


def in_original_units(
    arrays: dict[str, npt.NDArray[Any]], targets: Targets, *, squared: bool
) -> dict[str, npt.NDArray[Any]]:
    """Convert a tree's arrays to the original units of the targets."""
    if targets.center is None:
        return arrays
    value = (arrays["value"] + targets.center[:, np.newaxis]) * targets.scale
    with np.errstate(over="ignore", under="ignore"):  # squares may overflow
        impurity = arrays["impurity"] * targets.scale
        impurity = impurity * targets.scale if squared else impurity
    return arrays | {"value": value, "impurity": impurity}


def criterion_of_weights(
    owner: str, function: ClassFunction
) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    """Convert a function of class proportions into one of class weights, for native code."""

    def of_weights(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        proportions = counts / counts.sum(axis=1, keepdims=True)
        impurity = np.ascontiguousarray(function(proportions), dtype=np.float64)
        if impurity.shape != (len(proportions),) or not np.isfinite(impurity).all():
            raise ParameterError(
                f"{owner}: criterion must return one finite impurity per row of class "
                f"proportions; got an array of shape {impurity.shape} for {len(proportions)} rows."
            )
        return impurity

    return of_weights


def check_concave(owner: str, function: ClassFunction, n_classes: int) -> None:
    """Raise unless a user's impurity is concave and 0 at pure nodes."""
    impurity = criterion_of_weights(owner, function)
    corners = np.eye(n_classes)
    if (np.abs(impurity(corners)) > 1e-9).any():
        raise ParameterError(
            f"{owner}: criterion must be 0 for a single class; got {impurity(corners).tolist()}."
        )
    mixtures = np.random.default_rng(0).dirichlet(np.ones(n_classes), size=(2, 64))
    a, b = np.concatenate([mixtures, [corners, corners[::-1]]], axis=1)
    half = impurity((a + b) / 2)
    low = (impurity(a) + impurity(b)) / 2
    if (half < low - 1e-9).any():
        at = int(np.argmax(low - half))
        raise ParameterError(
            f"{owner}: criterion must be concave, so that no split raises the impurity; it "
            f"is below its chord between {a[at].round(3).tolist()} and {b[at].round(3).tolist()}."
        )
