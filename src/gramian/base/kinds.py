"""The kinds of estimator: scikit-learn's mixins over one base, all abstract.

A final class is made by ``@params`` over one of these kinds, or over two, as a discriminant
analysis that classifies and transforms: ``class LinearDiscriminant(Classifier, Transformer)``. The
input that it accepts is declared by class variables; any other of scikit-learn's tags by one line
of the class, its base or its mixin: ``tags: ClassVar[Tags] = {"target_tags.multi_output": True}``.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    DensityMixin,
    OutlierMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils import get_tags

from gramian.base.fitting import guard_fits
from gramian.base.scores import accuracy, r_squared
from gramian.base.types import Table

ModelFamily: TypeAlias = Literal["generative", "discriminative", "boundary"]

# The path of a tag, and its value or a function of the estimator that returns it, for a tag that
# depends on parameters: {"input_tags.pairwise": lambda self: self.metric == "precomputed"}.
Tags: TypeAlias = Mapping[str, Any]


class Estimator(BaseEstimator):
    """Base class of every estimator of gramian."""

    takes_sparse: ClassVar[bool] = False  # CSR as it is, not made dense
    takes_nan: ClassVar[bool] = False  # missing values as they are
    takes_infinity: ClassVar[bool] = False  # counts as the largest number of its type
    takes_categories: ClassVar[bool] = False  # categorical columns, see base/inputs/categorical.py

    # Whether the number of parameters is fixed by the columns and the settings (a hyperplane, k
    # centres) or grows with the rows (a tree, neighbours); None where it is that of the members
    # (`_learners` returns the default ones). Each estimator or the base of its family declares it.
    parametric: ClassVar[bool | None]

    # Attributes that follow from the others: a model file leaves them out, so that what native
    # code walks through, or an object of another library, never comes from a file. See `_restore`.
    derived_attributes: ClassVar[tuple[str, ...]] = ()

    _doc_link_module = "gramian"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Restore the object if a fit raises, also in subclasses that users write."""
        super().__init_subclass__(**kwargs)
        guard_fits(cls, inherited=False)

    def _check_loaded(self) -> None:
        """Raise ValueError if fitted attributes read from a file contradict each other.

        Whoever hands fitted arrays to native code, or follows indices that they hold, checks here
        what `fit` guarantees; parameters have been checked.
        """

    def _restore(self) -> None:
        """Rebuild `derived_attributes` from the others, the last step of loading a model file.

        Here they become None, for estimators that build them when they are first needed.
        """
        for name in self.derived_attributes:
            setattr(self, name, None)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.takes_sparse
        tags.input_tags.allow_nan = self.takes_nan
        tags.input_tags.categorical = tags.input_tags.string = self.takes_categories
        return tags


class DeclaredTags:
    """Sets scikit-learn's tags to what the class, its bases and its mixins declare as `tags`.

    Every kind has it. It comes before scikit-learn's mixins, which set tags of their own; a class
    that is an `Estimator` of no kind inherits it as ``class Embedding(DeclaredTags, Estimator)``.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        for base in reversed(type(self).__mro__):
            for path, value in vars(base).get("tags", {}).items():
                *sections, name = path.split(".")
                owner = getattr(tags, *sections) if sections else tags
                setattr(owner, name, value(self) if callable(value) else value)
        return tags


def input_tag(estimator: Any, name: str) -> bool:
    """Return an input tag of a given estimator; False if it has no tags."""
    known = hasattr(estimator, "__sklearn_tags__")
    return known and bool(getattr(get_tags(estimator).input_tags, name))


class Classifier(DeclaredTags, ClassifierMixin, Estimator):
    """Predicts a class of ``classes_``."""

    # How the classifier is built: from a model of each class's rows ("generative"), a model of the
    # posteriors alone ("discriminative"), or of the boundary alone ("boundary"); None where it is
    # that of the members. Each classifier or the base of its family declares it; whether there are
    # posteriors is whether it has `predict_proba`.
    model_family: ClassVar[ModelFamily | None]

    def score(
        self: Any, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return the accuracy: the fraction of the rows whose class is predicted.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows.
        y : array of shape (m,) or (m, outputs)
            Their labels; of several outputs, all must be right.
        sample_weight : array of shape (m,), default=None
            How often each row counts.

        Returns
        -------
        accuracy : float
        """
        return accuracy(type(self).__name__, y, self.predict(X), sample_weight)


class LogProbabilities:
    """Adds `predict_log_proba` to a classifier that has `predict_proba`."""

    def predict_log_proba(self: Any, X: Table) -> Any:
        """Return the logarithm of `predict_proba`, minus infinity where that is 0.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows.

        Returns
        -------
        log_p : array of shape (m, n_classes), or a list of them for several outputs
        """
        p = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(part) for part in p] if isinstance(p, list) else np.log(p)


class Regressor(DeclaredTags, RegressorMixin, Estimator):
    """Predicts a number, or several."""

    def score(
        self: Any, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return R², 1 minus the ratio of the squared errors to those of predicting the mean.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d)
            The rows.
        y : array of shape (m,) or (m, outputs)
            Their targets.
        sample_weight : array of shape (m,), default=None
            How often each row counts.

        Returns
        -------
        r2 : float
        """
        return r_squared(type(self).__name__, y, self.predict(X), sample_weight)


class Clusterer(DeclaredTags, ClusterMixin, Estimator):
    """Assigns each training row to a cluster, in ``labels_``; `predict` is optional."""


class Transformer(DeclaredTags, TransformerMixin, Estimator):
    """Maps rows to new rows; float32 stays float32."""

    tags: ClassVar[Tags] = {"transformer_tags.preserves_dtype": ["float64", "float32"]}


class Density(DeclaredTags, DensityMixin, Estimator):
    """Estimates a density: `score_samples` returns its logarithm at each row."""


class OutlierDetector(DeclaredTags, OutlierMixin, Estimator):
    """Predicts 1 for inliers and -1 for outliers, by the sign of `decision_function`."""
