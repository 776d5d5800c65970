"""Base class of naive Bayes on counts: smoothing, priors, and counts summed over batches."""

import warnings
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian import _native
from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.label_batches import (
    batch_classes,
    batch_codes,
    batch_weights,
)
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Classifier, Tags
from gramian.base.rows.class_scores import GenerativePrediction, check_priors
from gramian.base.rows.column_moments import narrow
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.native_table import native_table
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Table, Weights, is_sparse

_MIN_ALPHA = 1e-10


@params
class DiscreteNB(GenerativePrediction, Classifier):
    """Base class of naive Bayes on counts of features per class.

    Parameters
    ----------
    alpha
        Pseudo-count of every feature (Laplace or Lidstone smoothing), or one per column; 0 is
        maximum likelihood, where a feature never seen in a class rules out the class.
    force_alpha
        Whether to use an alpha below 1e-10 instead of raising it to 1e-10.
    fit_prior
        Whether to use the proportions in the training data as priors; if False, they are equal.
    class_prior
        Class probabilities; if None, see `fit_prior`.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    class_count_ : array (K,)
        The weight of the training rows of each class.
    class_log_prior_ : array (K,)
        The logarithms of the prior probabilities.
    """

    parametric = True

    _: KW_ONLY
    alpha: NonNegative | Array = 1.0
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: Array | None = None

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0; weight 2 counts as the row repeated twice.

        Returns
        -------
        self
        """
        table = self._check_part(X, first=True)
        codes, classes = batch_codes(self, y, table.shape[0], None)
        weights = batch_weights(self, sample_weight, table, first=True)
        self._start(len(classes), table)
        self._add(table, codes, weights)
        self.classes_ = classes
        self._update()
        return self

    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Fit to labelled rows in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass counts the classes, one
            the features.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import MultinomialNB
        >>> chunks = [([[2, 1, 0]], ["sports"]), ([[0, 1, 3]], ["law"])]
        >>> MultinomialNB().fit_chunks(chunks).predict([[1, 1, 0]]).tolist()
        ['sports']
        """
        rows = LabelChunks.of(self, chunks)
        counted = rows.total(_count_rows, type(self)._merge)
        assert counted is not None
        for name in ("class_count_", *self._counts):
            setattr(self, name, getattr(counted, name))
        self.classes_ = rows.classes
        self._update()
        return self

    _counts: ClassVar[tuple[str, ...]] = ("feature_count_",)
    tags: ClassVar[Tags] = {"classifier_tags.poor_score": True}

    @classmethod
    def _merge(cls, left: Self | None, right: Self | None) -> Self | None:
        """Add the counts of two parts; None is a part without rows."""
        if left is None or right is None:
            return right if left is None else left
        for name in ("class_count_", *cls._counts):
            setattr(left, name, _add_counts(getattr(left, name), getattr(right, name)))
        return left

    def partial_fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Update the model with more labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        classes
            All labels; required in the first call.
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        first = not hasattr(self, "classes_")
        known = batch_classes(self, classes)
        table = self._check_part(X, first=first)
        codes, known = batch_codes(self, y, table.shape[0], known)
        weights = batch_weights(self, sample_weight, table, first=False)
        if first:
            self._start(len(known), table)
        self._add(table, codes, weights)
        self.classes_ = known
        self._update()
        return self

    def _check_part(self, X: Table, *, first: bool) -> Data:
        """Return checked training rows."""
        table = check_fit(self, X) if first else check_new(self, X)
        return self._to_counts(table)

    def _check_new(self, X: Table) -> Data:
        return self._to_counts(check_new(self, X))

    def _to_counts(self, table: Data) -> Data:
        """Return the rows as counts."""
        raise NotImplementedError

    def _start(self, n_classes: int, table: Data) -> None:
        self.class_count_: Floats = np.zeros(n_classes)
        self.feature_count_: Floats = np.zeros((n_classes, table.shape[1]))

    def _add(self, table: Data, codes: Codes, weights: Weights | None) -> None:
        """Add the weights and the sums of the columns of each class to the counts."""
        counts, sums = np.zeros_like(self.class_count_), np.zeros_like(self.feature_count_)
        sparse = is_sparse(table)
        shifts, squares = (None, None) if sparse else (np.zeros_like(sums), np.zeros_like(sums))
        _native.class_sums(
            native_table(table), narrow(codes), weights, shifts, counts, sums, squares
        )
        with np.errstate(over="ignore"):  # raises an error below
            sums += self.feature_count_
        if not _native.all_finite(sums.ravel()):
            raise DataError(
                f"{type(self).__name__}: the sums of the columns of X overflow; scale the columns."
            )
        self.class_count_ = self.class_count_ + counts
        self.feature_count_ = sums

    def _update(self) -> None:
        """Set the fitted attributes from the counts."""
        name, K = type(self).__name__, len(self.class_count_)
        with np.errstate(divide="ignore"):  # a class without rows
            if self.class_prior is not None:
                priors = check_priors(name, "class_prior", self.class_prior, K, sum_one=False)
                self.class_log_prior_ = np.log(priors)
            elif self.fit_prior:
                self.class_log_prior_ = np.log(self.class_count_ / self.class_count_.sum())
            else:
                self.class_log_prior_ = np.full(K, -np.log(K))
            self._set_log_prob()

    def _set_log_prob(self) -> None:
        """Set the log probabilities of the features; log 0 is allowed."""
        raise NotImplementedError

    def _alpha(self, n_features: int) -> Any:
        """Return the pseudo-count, or one per column."""
        name = type(self).__name__
        alpha = parameter_array(name, "alpha", self.alpha)
        if alpha.ndim > 0 and alpha.shape != (n_features,):
            raise ParameterError(
                f"{name}: alpha must be a number, or one number for each of the {n_features} "
                f"columns; got shape {alpha.shape}."
            )
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ParameterError(f"{name}: alpha must be finite numbers >= 0; got {self.alpha!r}.")
        if not self.force_alpha and alpha.min() < _MIN_ALPHA:
            warnings.warn(
                f"{name}: alpha too small will result in numeric errors, setting alpha = "
                f"{_MIN_ALPHA:.1e}; force_alpha=True keeps it.",
                stacklevel=caller_level(),
            )
            return np.maximum(alpha, _MIN_ALPHA)
        return alpha


def _count_rows(rows: LabelChunks) -> DiscreteNB | None:
    """Return an estimator with the counts of one part."""
    model = None
    for X, codes, weights in rows:
        estimator: Any = rows.chunks.estimator
        table = estimator._to_counts(X)
        if model is None:
            model = clone(estimator)
            model.n_features_in_ = X.shape[1]
            model._start(len(rows.classes), table)
        model._add(table, codes, weights)
    return model


def _add_counts(left: Any, right: Any) -> Any:
    """Add counts, which may have different numbers of categories."""
    if isinstance(left, list):
        return [_add_counts(a, b) for a, b in zip(left, right, strict=True)]
    if left.ndim == 2 and left.shape[1] != right.shape[1]:
        most = max(left.shape[1], right.shape[1])
        left, right = (np.pad(a, ((0, 0), (0, most - a.shape[1]))) for a in (left, right))
    return left + right


def check_counts(name: str, table: Data) -> Data:
    """Return the table; raise if a value is negative."""
    values = table.data if is_sparse(table) else table
    if values.size and values.min() < 0:
        bad = np.argwhere(values < 0)[0]
        place = "" if is_sparse(table) else f", row {bad[0]}, column {bad[1]}"
        raise DataError(
            f"Negative values in data passed to {name} (input X){place}; counts must be >= 0. Use "
            "GaussianNB for columns of any sign."
        )
    return table


def log_ratio(counts: Floats, totals: Floats) -> Floats:
    """Return log(counts / totals), overwriting counts; minus infinity if both are 0."""
    with np.errstate(divide="ignore"):
        logs = np.log(counts, out=counts)
    logs -= np.log(np.where(totals > 0, totals, 1.0))
    return logs
