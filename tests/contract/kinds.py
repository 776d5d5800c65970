"""Small estimators of the kinds that the catalogue has no class of yet, or only large ones.

Every contract test runs on them too, so that a family of such a kind needs no change of the tests:
one that classifies and transforms, a clusterer without `predict`, a transformer that can be
inverted, a density, an outlier detector, and one that holds the state of a foreign library.
"""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.catalogue import Entry
from gramian.base.conversions import dense_of
from gramian.base.errors import ModelFileError
from gramian.base.fields import KW_ONLY, Count, Fraction, Positive, params
from gramian.base.inputs.gate import check_finite, check_fit, check_new, check_size
from gramian.base.inputs.targets import check_labels, check_targets
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import (
    Classifier,
    Clusterer,
    Density,
    OutlierDetector,
    Regressor,
    Transformer,
)
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.moments import Rows


@params
class Discriminant(ClassNamePrefixFeaturesOutMixin, Classifier, Transformer):
    """Classifies by the nearest mean in the directions that separate the classes best.

    Parameters
    ----------
    n_components
        Number of directions; at most one less than the classes.

    Examples
    --------
    >>> Discriminant().fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]).predict([[4.0]])
    array([1])
    """

    parametric = True
    model_family = "generative"

    n_components: Count | None = None

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Find the directions."""
        table = check_fit(self, X)
        check_size(self, "X", table)
        codes, self.classes_ = check_labels(self, y, table.shape[0])
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        moments = ClassMoments.of(table, codes, len(self.classes_), weights)
        within, between = moments.within(), moments.between()
        spread, axes = scipy.linalg.eigh(within)
        kept = spread > 1e-10 * max(spread[-1], np.finfo(float).tiny)
        white = axes[:, kept] / np.sqrt(spread[kept])
        gains, turned = np.linalg.eigh(white.T @ between @ white)
        most = max(1, min(self.n_components or len(gains), len(self.classes_) - 1))
        best = np.argsort(gains)[::-1][:most]
        self.scalings_ = (white @ turned)[:, best].astype(table.dtype)
        self.mean_ = moments.total().means.astype(table.dtype)
        self.means_ = (moments.means.astype(table.dtype) - self.mean_) @ self.scalings_
        self._n_features_out = self.scalings_.shape[1]
        return self

    def transform(self, X: npt.ArrayLike) -> Any:
        """Return the coordinates of each row in the directions."""
        table = check_new(self, X)
        return ((table - self.mean_) @ self.scalings_).astype(table.dtype)

    def predict(self, X: npt.ArrayLike) -> Any:
        """Return the class of the nearest mean."""
        table = check_new(self, X)
        rows = (table - self.mean_) @ self.scalings_
        squares = ((rows[:, None] - self.means_) ** 2).sum(axis=2)
        return self.classes_[squares.argmin(axis=1)]


@params
class Chains(Clusterer):
    """Joins rows that are near each other, directly or through others; it cannot predict.

    Parameters
    ----------
    eps
        The largest distance of two rows that are joined.

    Examples
    --------
    >>> Chains(eps=1.5).fit([[0.0], [1.0], [9.0]]).labels_
    array([0, 0, 1], dtype=int32)
    """

    eps: Positive = 0.5
    parametric: ClassVar[bool | None] = False

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Find the clusters."""
        table = check_fit(self, X)
        check_size(self, "X", table)
        tree = cKDTree(table)
        near = tree.sparse_distance_matrix(tree, self.eps, output_type="coo_matrix")
        near.data[:] = 1.0  # also between equal rows
        self.labels_ = connected_components(near, directed=False)[1].astype(np.int32)
        return self


@params
class Axes(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Turns rows to the axes of their greatest variance, and back.

    Parameters
    ----------
    n_components
        Number of axes; None: all.

    Examples
    --------
    >>> Axes(1).fit([[0.0, 0.0], [1.0, 1.0]]).get_feature_names_out()
    array(['axes0'], dtype=object)
    """

    parametric = True

    n_components: Count | None = None

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Find the axes."""
        table = check_fit(self, X)
        check_size(self, "X", table)
        moments = Rows.of(table, np.empty((len(table), 0)), None).summarise()
        axes = np.linalg.eigh(moments.centred())[1][:, ::-1].T
        axes *= np.where(axes[:, :1] < 0, -1, 1)
        self.components_ = np.ascontiguousarray(axes[: self.n_components], dtype=table.dtype)
        self.mean_ = moments.means.astype(table.dtype)
        self._n_features_out = len(self.components_)
        return self

    def transform(self, X: npt.ArrayLike) -> Any:
        """Return the coordinates on the axes."""
        table = check_new(self, X)
        return ((table - self.mean_) @ self.components_.T).astype(table.dtype)

    def inverse_transform(self, X: npt.ArrayLike) -> Any:
        """Return the rows with these coordinates."""
        check_is_fitted(self)
        rows = dense_of("Axes", "X", X)
        if rows.ndim != 2 or rows.shape[1] != len(self.components_):
            raise ValueError(f"Axes: X must have {len(self.components_)} columns.")
        check_finite("Axes", "X", rows)
        return rows @ self.components_ + self.mean_


@params
class Bell(Density):
    """One normal distribution with the same variance in every direction.

    Examples
    --------
    >>> Bell().fit([[-1.0], [1.0]]).score_samples([[0.0]]).round(3)
    array([-0.919])
    """

    parametric = True

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Take mean and variance."""
        table = check_fit(self, X)
        check_size(self, "X", table)
        self.mean_ = table.mean(axis=0, dtype=np.float64)
        squares = (table - self.mean_) ** 2
        self.variance_ = max(float(squares.mean()), 1e-100)
        return self

    def score_samples(self, X: npt.ArrayLike) -> Any:
        """Return the logarithm of the density at each row."""
        table = check_new(self, X)
        squares = ((table - self.mean_) ** 2).sum(axis=1) / self.variance_
        constant = table.shape[1] * np.log(2 * np.pi * self.variance_)
        return (-(squares + constant) / 2).astype(table.dtype)

    def score(self, X: npt.ArrayLike, y: object = None) -> float:
        """Return the log-likelihood of all rows."""
        return float(self.score_samples(X).sum())


@params
class Ball(OutlierDetector):
    """Calls a row an outlier that is outside a ball about the mean.

    Parameters
    ----------
    nu
        Fraction of the training rows outside.

    Examples
    --------
    >>> Ball().fit([[0.0], [1.0], [2.0]]).predict([[1.0], [9.0]])
    array([ 1, -1])
    """

    parametric = True

    nu: Fraction = 0.1

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Find the centre and the radius."""
        table = check_fit(self, X)
        check_size(self, "X", table)
        self.center_ = table.mean(axis=0, dtype=np.float64)
        self.offset_ = float(np.quantile(self.score_samples(X), self.nu))
        return self

    def score_samples(self, X: npt.ArrayLike) -> Any:
        """Return the negative distance from the centre."""
        table = check_new(self, X)
        away = (table - self.center_).astype(np.float64)
        return -np.sqrt((away**2).sum(axis=1)).astype(table.dtype)

    def decision_function(self, X: npt.ArrayLike) -> Any:
        """Return the distance to the sphere, negative outside."""
        scores = self.score_samples(X)
        return scores - scores.dtype.type(self.offset_)

    def predict(self, X: npt.ArrayLike) -> Any:
        """Return 1 inside and -1 outside."""
        return np.where(self.decision_function(X) < 0, -1, 1)


class Layer:
    """Stands for a module of a foreign library: made of named arrays, unknown to model files."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.weight, self.bias = state["layer.weight"], state["layer.bias"]

    def __call__(self, X: Any) -> Any:
        return X @ self.weight + self.bias


@params
class Wrapped(Regressor):
    """Least squares held by an object of another library, which is rebuilt from named arrays.

    Parameters
    ----------
    fit_intercept
        Whether there is a constant.

    Examples
    --------
    >>> Wrapped().fit([[0.0], [1.0]], [1.0, 3.0]).predict([[2.0]]).round(6)
    array([5.])
    """

    parametric = True

    _: KW_ONLY
    fit_intercept: bool = True
    derived_attributes: ClassVar[tuple[str, ...]] = ("_layer",)

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Fit by least squares."""
        table = check_fit(self, X)
        targets = check_targets(self, y, table.shape[0])
        check_size(self, "X", table, 1e100)
        check_size(self, "y", targets, 1e100)
        mean = table.mean(axis=0, dtype=np.float64) * self.fit_intercept
        level = targets.mean() * self.fit_intercept
        slope = np.linalg.lstsq(table - mean, targets - level, rcond=None)[0]
        dtype = table.dtype.type
        bias = dtype(level - mean @ slope)
        self.state_ = {"layer.weight": slope.astype(dtype), "layer.bias": np.array(bias)}
        self._restore()
        return self

    def _check_loaded(self) -> None:
        if self.state_["layer.weight"].shape != (self.n_features_in_,):
            raise ModelFileError("the layer must have a weight for each column.")

    def _restore(self) -> None:
        self._layer = Layer(self.state_)

    def predict(self, X: npt.ArrayLike) -> Any:
        """Return the layer's output."""
        check_is_fitted(self)
        return self._layer(check_new(self, X, dtype=self.state_["layer.weight"].dtype))


EXAMPLES = (
    Entry("tests.contract.kinds.Axes", "transformer"),
    Entry("tests.contract.kinds.Ball", "outlier"),
    Entry("tests.contract.kinds.Bell", "density"),
    Entry("tests.contract.kinds.Chains", "clusterer"),
    Entry("tests.contract.kinds.Discriminant", "classifier"),
    Entry("tests.contract.kinds.Wrapped", "regressor"),
)
