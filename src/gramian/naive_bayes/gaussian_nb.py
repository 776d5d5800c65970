"""Gaussian naive Bayes."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Array, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.label_batches import (
    batch_classes,
    batch_codes,
    batch_weights,
)
from gramian.base.inputs.targets import Classes
from gramian.base.kinds import Classifier
from gramian.base.rows.class_scores import (
    ClassScorer,
    GenerativePrediction,
    JointScorer,
    NativeScorer,
    check_priors,
    linear_scorer,
)
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.label_moments import columns_of
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Table


@params
class GaussianNB(GenerativePrediction, Classifier):
    """Naive Bayes with a normal distribution for each column of each class.

    The columns are assumed to be independent given the class, so that

        log P(C_k | x) = log P(C_k) + sum_j log N(x_j; theta_kj, var_kj) + constant.

    One pass over the rows collects the weight, means and sums of squares of every class; further
    rows can be merged (`partial_fit`), and the result does not depend on the batches. Variances are
    maximum-likelihood estimates plus `var_smoothing` times the largest variance of a column. With
    equal priors and one variance for all, it predicts the nearest centroid. Costs O(n d) to fit and
    O(n K d) to predict. Reference: Mitchell 1997, 6.9.

    Parameters
    ----------
    priors
        Class probabilities, which sum to 1; None means the proportions in the training data.
    var_smoothing
        Fraction of the largest variance of all columns that is added to every variance.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    class_count_ : array (K,)
        The weight of the training rows of each class.
    class_prior_ : array (K,)
        The prior probabilities.
    theta_ : array (K, d)
        The means.
    var_ : array (K, d)
        The variances, smoothed.
    epsilon_ : float
        Value added to each variance.

    Examples
    --------
    >>> from gramian import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [2.0], [9.0], [11.0]], ["a", "a", "b", "b"])
    >>> model.theta_.ravel().tolist(), model.predict([[4.0], [7.0]]).tolist()
    ([1.0, 10.0], ['a', 'b'])
    """

    parametric = True
    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    priors: Array | None = None
    var_smoothing: NonNegative = 1e-9

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
        table = check_fit(self, X)
        codes, classes = batch_codes(self, y, table.shape[0], None)
        weights = batch_weights(self, sample_weight, table, first=True)
        moments = ColumnMoments.of(table, codes, len(classes), weights)
        self._set_model(table, classes, moments)
        return self

    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Fit to labelled rows in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. One pass counts the classes, one computes the
            moments.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import GaussianNB
        >>> chunks = [([[0.0], [9.0]], ["a", "b"]), ([[2.0], [11.0]], ["a", "b"])]
        >>> GaussianNB().fit_chunks(chunks).theta_.ravel().tolist()
        [1.0, 10.0]
        """
        rows = LabelChunks.of(self, chunks)
        moments = rows.total(columns_of, ColumnMoments.merge)
        self._set_model(np.empty((0, 0)), rows.classes, moments)
        return self

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
        table = check_fit(self, X) if first else check_new(self, X)
        codes, known = batch_codes(self, y, table.shape[0], known)
        weights = batch_weights(self, sample_weight, table, first=False)
        moments = ColumnMoments.of(table, codes, len(known), weights)
        if not first:
            squares = self.class_count_[:, None] * np.maximum(self.var_ - self.epsilon_, 0.0)
            moments = ColumnMoments(self.class_count_, self.theta_, squares).merge(moments)
        self._set_model(table, known, moments)
        return self

    def _set_model(self, table: Data, classes: Classes, moments: ColumnMoments) -> None:
        total = moments.total()
        if not np.isfinite(total.squares).all():
            check_size(self, "X", table)
            raise DataError("GaussianNB: sums of squares of X overflow; scale the columns.")
        priors = moments.weights / total.weights[0]
        if self.priors is not None:
            priors = check_priors("GaussianNB", "priors", self.priors, len(classes), sum_one=True)
        weights = np.where(moments.weights > 0, moments.weights, 1.0)[:, None]
        self.classes_ = classes
        self.class_count_ = moments.weights
        self.class_prior_ = priors
        self.theta_ = moments.means
        self.epsilon_ = float(self.var_smoothing * total.squares.max() / total.weights[0])
        self.var_ = moments.squares / weights + self.epsilon_

    def _scorer(self, sparse: bool) -> ClassScorer:
        with np.errstate(divide="ignore"):
            log_prior = np.log(self.class_prior_)  # minus infinity for a class without rows
        variances = np.maximum(self.var_, np.finfo(np.float64).tiny)
        offsets = log_prior - 0.5 * np.log(2 * np.pi * variances).sum(axis=1)
        if sparse:
            return _SparseScorer(offsets, self.theta_, 1 / variances)
        means = np.ascontiguousarray(self.theta_, dtype=np.float64)
        native = _native.ClassScores.diagonal(offsets, means, 1 / variances)
        return NativeScorer(native, len(offsets))

    def _check_loaded(self) -> None:
        K, d = len(self.classes_), self.n_features_in_
        shapes = {"class_count_": (K,), "class_prior_": (K,), "theta_": (K, d), "var_": (K, d)}
        check_shapes(self, shapes)


class _SparseScorer(JointScorer):
    """Scores as a linear function of x and of its squares, for sparse rows."""

    def __init__(self, offsets: Floats, means: Floats, precisions: Floats) -> None:
        coefficients = precisions * means
        self.linear_part = linear_scorer(
            offsets - 0.5 * (coefficients * means).sum(axis=1), coefficients, sparse=True
        )
        self.quadratic_part = linear_scorer(np.zeros(len(offsets)), -0.5 * precisions, sparse=True)

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        rows = sp.csr_array(table)
        double = sp.csr_array((rows.data.astype(np.float64), rows.indices, rows.indptr), rows.shape)
        squares = sp.csr_array((double.data**2, rows.indices, rows.indptr), rows.shape)
        return self.linear_part.joint(double) + self.quadratic_part.joint(squares)


def check_shapes(estimator: Classifier, shapes: dict[str, tuple[int, ...]]) -> None:
    """Raise unless fitted arrays are float64 and have these shapes."""
    for name, shape in shapes.items():
        value = getattr(estimator, name)
        if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype != np.float64:
            raise DataError(
                f"{type(estimator).__name__}: {name} must be a float64 array of shape {shape}."
            )
