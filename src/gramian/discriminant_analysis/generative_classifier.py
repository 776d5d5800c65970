"""Bayes classifier with a density estimator for each class."""

import copy
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, params
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import check_labels
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Classifier
from gramian.base.rows.class_scores import (
    ClassScorer,
    GenerativePrediction,
    JointScorer,
    check_priors,
)
from gramian.base.types import Data, Floats, Table, Weights
from gramian.distributions import Distribution


@dataclass(frozen=True)
class _IsDensity:
    """Accepts objects with `fit` and a log density of new rows."""

    def accepts(self, value: object) -> bool:
        return hasattr(value, "fit") and (
            hasattr(value, "score_samples") or hasattr(value, "log_prob")
        )

    def __str__(self) -> str:
        return "a density estimator with score_samples, or a distribution with log_prob"


@params
class GenerativeClassifier(GenerativePrediction, Classifier):
    """Bayes classifier with a density fitted to the rows of each class.

    With priors P_k and a density p_k fitted to the rows of class k alone,

        predict argmax_k log P_k + log p_k(x).

    Parameters
    ----------
    density
        Density estimator with `fit` and `score_samples`, such as `GaussianMixture` or a kernel
        density, copied for each class; or a distribution, a class with `log_prob` whose `fit`
        returns an instance. A one-dimensional distribution is fitted to each column separately, as
        in naive Bayes.
    priors
        Class probabilities, which sum to 1; None means the proportions in the training data.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    class_prior_ : array (K,)
        The prior probabilities.
    densities_ : list of K
        The fitted density of each class; for a one-dimensional distribution, a list with one per
        column.

    Examples
    --------
    >>> from gramian import GaussianMixture, GenerativeClassifier
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], [0, 0, 1, 1, 0, 0]
    >>> model = GenerativeClassifier(GaussianMixture(1)).fit(X, y)
    >>> model.predict([[0.5], [4.5]]).tolist()
    [0, 1]
    """

    parametric = False  # the density may be non-parametric: a kernel density stores its rows

    density: Annotated[Any, _IsDensity()]
    _: KW_ONLY
    priors: Array | None = None

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit a density to the rows of each class.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0, if the density supports them.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        if weights is not None:
            table, codes, weights = table[weights > 0], codes[weights > 0], weights[weights > 0]
        counts = np.bincount(codes, weights, len(classes)).astype(float)
        if (counts == 0).any():
            raise DataError(
                f"GenerativeClassifier: class {classes[counts.argmin()]} has no row of positive "
                "sample_weight; drop its rows, or give them weight."
            )
        priors: Floats = counts / counts.sum()
        if self.priors is not None:
            priors = check_priors(
                "GenerativeClassifier", "priors", self.priors, len(classes), sum_one=True
            )
        groups = [np.flatnonzero(codes == k) for k in range(len(classes))]
        self.densities_ = [
            self._fit_class(table[rows], None if weights is None else weights[rows])
            for rows in groups
        ]
        self.classes_, self.class_prior_ = classes, priors
        return self

    def _fit_class(self, rows: Data, weights: Weights | None) -> Any:
        """Return the density of one class."""
        if isinstance(self.density, type):
            if getattr(self.density, "event_ndim", 1) == 0:
                return [self._fit_density(column, weights) for column in rows.T]
            return self._fit_density(rows, weights)
        return self._fit_density(rows, weights)

    def _fit_density(self, values: npt.ArrayLike, weights: Weights | None) -> Any:
        keywords: dict[str, Any] = {}
        if weights is not None:
            if not has_fit_parameter(self.density, "sample_weight"):
                raise ParameterError(
                    f"GenerativeClassifier: {_name(self.density)} does not support "
                    "sample_weight; repeat the rows."
                )
            keywords["sample_weight"] = weights
        if isinstance(self.density, type):
            constructed: Any = self.density
            return constructed.fit(values, **keywords)
        is_estimator = hasattr(self.density, "get_params")
        learner = clone(self.density) if is_estimator else copy.deepcopy(self.density)
        fitted = learner.fit(values, **keywords)
        return learner if fitted is None else fitted

    def _scorer(self, sparse: bool) -> ClassScorer:
        with np.errstate(divide="ignore"):
            return _DensityScorer(np.log(self.class_prior_), self.densities_)

    def _check_loaded(self) -> None:
        if not len(self.densities_) == len(self.class_prior_) == len(self.classes_):
            raise DataError("GenerativeClassifier: densities_ must have one density per class.")
        for density in self.densities_:
            if isinstance(density, list | Distribution):
                self._check_distributions(density)
            else:
                check_is_fitted(density)

    def _check_distributions(self, distribution: Any) -> None:
        """Raise unless there is one distribution per column, or one for all columns."""
        columns = distribution if isinstance(distribution, list) else []
        one_dimensional = all(
            isinstance(one, Distribution) and not one.event_ndim for one in columns
        )
        width = len(columns) if isinstance(distribution, list) else np.size(distribution.mean)
        if not one_dimensional or width != self.n_features_in_:
            raise DataError(
                f"GenerativeClassifier: a class must have distributions of {self.n_features_in_} "
                "columns."
            )


class _DensityScorer(JointScorer):
    def __init__(self, log_prior: Floats, densities: list[Any]) -> None:
        self.log_prior, self.densities = log_prior, densities

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        columns = [_log_density(density, table) for density in self.densities]
        scores = np.stack(columns, axis=1).astype(np.float64) + self.log_prior
        return np.where(np.isnan(scores), -np.inf, scores)


def _log_density(density: Any, table: Data) -> Floats:
    if isinstance(density, list):
        parts = zip(density, table.T, strict=True)
        return np.asarray(sum(one.log_prob(column) for one, column in parts))
    has_samples = hasattr(density, "score_samples")
    found: Floats = density.score_samples(table) if has_samples else density.log_prob(table)
    return np.asarray(found)


def _name(density: Any) -> str:
    return density.__name__ if isinstance(density, type) else type(density).__name__
