"""Classification by the nearest class centroid."""

from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Classifier, LogProbabilities
from gramian.base.types import CSR, Data, Floats, Matrix, Table, is_sparse

_CELLS = 4_000_000  # maximum number of differences held in memory at a time


@params
class NearestCentroid(LogProbabilities, Classifier):
    """Classify by the nearest class centroid.

    Two classes C and X with the means mu_C, mu_X are separated by the bisector of the means,

        f(x) = (mu_C - mu_X) . (x - (mu_C + mu_X) / 2),

    which predicts C if f > 0. If the means differ, at least one training row of each class is
    classified correctly: the mean of f over C is |mu_C - mu_X|^2 / 2, over X its negative. For
    equal spherical Gaussian classes it is the Bayes rule. Fitting takes one pass over the rows.

    Parameters
    ----------
    metric
        "euclidean" for means as centroids, "manhattan" for medians of the columns.
    shrink_threshold
        Threshold for shrinking the centroids towards the overall mean, in units of the columns'
        standard deviations (Tibshirani et al. 2002); None for no shrinkage.
    priors
        Class probabilities: "uniform", "empirical" (proportions in the training data), or an array.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    centroids_ : array (K, d)
        The centroids.
    class_prior_ : array (K,)
        The prior probabilities of the classes.
    within_class_std_dev_ : array (d,)
        The pooled standard deviation of each column within the classes.
    deviations_ : array (K, d)
        Distances of the centroids from the overall mean, in standard errors, after shrinkage.

    Examples
    --------
    >>> from gramian import NearestCentroid
    >>> model = NearestCentroid().fit([[0.0], [2.0], [9.0], [11.0]], ["a", "a", "b", "b"])
    >>> model.centroids_.ravel().tolist(), model.predict([[5.0], [6.0]]).tolist()
    ([1.0, 10.0], ['a', 'b'])
    """

    parametric = True
    model_family = "generative"
    takes_sparse: ClassVar[bool] = True

    metric: Literal["euclidean", "manhattan"] = "euclidean"
    _: KW_ONLY
    shrink_threshold: NonNegative | None = None
    priors: Literal["uniform", "empirical"] | Array = "uniform"

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Compute the centroids of the classes.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows; not supported for medians.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        codes, classes = check_labels(self, y, table.shape[0])
        row_weights = check_weights(self, sample_weight, table.shape[0])
        weights = np.ones(len(codes)) if row_weights is None else row_weights
        mass = np.bincount(codes, weights, len(classes)).astype(float)
        if len(classes) < 2 or (mass > 0).sum() < 2:
            raise DataError(
                f"NearestCentroid: The number of classes has to be greater than one; got "
                f"{int((mass > 0).sum())} class. Add rows of another class."
            )
        if self.metric == "manhattan":
            centroids = self._medians(table, codes, len(classes), row_weights)
        else:
            members = sp.csr_array(
                (weights, (codes, np.arange(len(codes)))), shape=(len(classes), len(codes))
            )
            sums = members @ table
            sums = sums.toarray() if is_sparse(sums) else np.asarray(sums)
            centroids = sums / np.where(mass > 0, mass, 1.0)[:, None]
        self.within_class_std_dev_ = self._spread(table, codes, centroids, weights, len(classes))
        overall, error = self._standard_errors(table, mass, weights)
        deviations = np.divide(
            centroids - overall, error, out=np.zeros_like(error), where=error > 0
        )
        if self.shrink_threshold:
            least = float(self.shrink_threshold)
            deviations = np.sign(deviations) * np.maximum(np.abs(deviations) - least, 0)
            centroids = overall + error * deviations
        self.deviations_ = deviations
        self.class_prior_ = self._proportions(mass)
        self.classes_: Classes = classes
        self.centroids_: Matrix = centroids.astype(table.dtype)
        return self

    def _medians(
        self, table: Data, codes: npt.NDArray[np.intp], K: int, weights: Floats | None
    ) -> Floats:
        if weights is not None:
            raise ParameterError(
                "NearestCentroid: metric='manhattan' does not support sample_weight; repeat "
                "the rows, or "
                "use metric='euclidean'."
            )
        dense = table.toarray() if is_sparse(table) else table
        return np.array([np.median(dense[codes == k], axis=0) for k in range(K)])

    def _spread(
        self,
        table: Data,
        codes: npt.NDArray[np.intp],
        centroids: Floats,
        weights: Floats,
        K: int,
    ) -> Floats:
        """Return the pooled standard deviation of each column within the classes."""
        if is_sparse(table):
            total = self._sparse_squares(table, codes, centroids, weights)
        else:
            total = np.zeros(table.shape[1])
            step = max(1, _CELLS // table.shape[1])
            for first in range(0, len(codes), step):
                part = slice(first, first + step)
                total += weights[part] @ np.square(table[part] - centroids[codes[part]])
        return np.asarray(np.sqrt(total / max(weights.sum() - K, 1.0)))

    def _sparse_squares(
        self, table: CSR, codes: npt.NDArray[np.intp], centroids: Floats, weights: Floats
    ) -> Floats:
        """Return the columns' weighted squares about the centroids, keeping the table sparse.

        Sums over the stored entries, plus the squared class centroid for the zeros.
        """
        entries = sp.coo_array(table)
        rows, columns = entries.coords
        omega, code = weights[rows], codes[rows]
        apart = entries.data - centroids[code, columns]
        total = np.bincount(columns, omega * apart**2, table.shape[1])
        there = sp.csr_array((omega, (code, columns)), shape=centroids.shape).toarray()
        mass = np.bincount(codes, weights, len(centroids))
        absent = np.maximum(mass[:, None] - there, 0.0)
        return np.asarray(total + (absent * centroids**2).sum(axis=0))

    def _standard_errors(self, table: Data, mass: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Return the overall mean, and the standard errors of the centroids plus their median."""
        if self.shrink_threshold and not (self.within_class_std_dev_ > 0).any():
            raise DataError(
                "NearestCentroid: all columns are constant within the classes, so their "
                "standard deviation is 0 and shrink_threshold must be None."
            )
        overall = np.asarray(weights @ table) / weights.sum()
        s = self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        error = np.sqrt(1 / np.where(mass > 0, mass, 1.0) - 1 / weights.sum())[:, None] * s
        return overall, error

    def _proportions(self, mass: Floats) -> Floats:
        if isinstance(self.priors, str):
            return (
                mass / mass.sum()
                if self.priors == "empirical"
                else np.full(len(mass), 1 / len(mass))
            )
        proportions = parameter_array("NearestCentroid", "priors", self.priors)
        if (
            proportions.shape != mass.shape
            or not (proportions >= 0).all()
            or not proportions.sum() > 0
        ):
            raise ParameterError(
                f"NearestCentroid: priors must contain {len(mass)} numbers >= 0, one per "
                "class; got "
                f"{self.priors!r}."
            )
        return np.asarray(proportions / proportions.sum())

    def decision_function(self, X: Table) -> Matrix:
        """Return minus half the squared distance to each centroid, plus the log prior.

        Shape (n, K), up to a constant shared by all classes of a row; for two classes the
        difference, second minus first: the f above. For metric="manhattan" the distance itself
        replaces half its square.
        """
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.centroids_.dtype)
        C = self.centroids_.astype(float)
        with np.errstate(divide="ignore"):  # equal priors add nothing, not even rounding errors
            log_prior = np.log(self.class_prior_ / self.class_prior_.max())
        if self.metric == "manhattan":
            dense = table.toarray() if is_sparse(table) else table
            score = -cdist(dense.astype(float), C, "cityblock") + log_prior
        else:  # -|x - c|^2 / 2 up to a constant, about the midpoint m of the centroids
            middle: Matrix = C.mean(axis=0)
            apart = C - middle
            at_middle = np.einsum("kj,kj->k", middle + apart / 2, apart)
            score = np.asarray(table @ apart.T, dtype=float) - at_middle + log_prior
        score = score[:, 1] - score[:, 0] if len(C) == 2 else score
        return np.asarray(score, dtype=self.centroids_.dtype)

    def predict(self, X: Table) -> Classes:
        """Return the class with the nearest centroid."""
        z = self.decision_function(X)
        codes = (z > 0).astype(np.intp) if z.ndim == 1 else z.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels

    def predict_proba(self, X: Table) -> Matrix:
        """Return the posterior of Gaussian classes of unit variance around the centroids."""
        z = self.decision_function(X)
        return np.asarray(softmax(np.column_stack([0 * z, z]) if z.ndim == 1 else z, axis=1))
