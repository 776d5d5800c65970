"""Bayes classifier with kernel densities of the classes."""

from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Count, Positive, params
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Classifier
from gramian.base.types import Floats, Matrix, Table
from gramian.neighbors.density.kernel_sums import BandedKernelSums
from gramian.neighbors.density.kernels import KERNELS, KernelName, check_bandwidth, rule_of_thumb

_LARGE = 1e150  # prior probabilities per weight above which sums may overflow
_UNDERFLOW = 1e-200  # sums relative to the nearest row below which classes have underflowed


@params
class KernelDensityClassifier(Classifier):
    """Bayes classifier whose class densities are kernel estimates.

    With N_k rows of class k (the sum of their weights) and prior probabilities pi_k,

        g_k(x) = pi_k / (N_k h^d) sum_i in class k K(|x - x_i| / h),

    and x belongs to the class with the greatest g_k. With the class proportions as priors, g_k is
    the sum of the kernel over the rows of the class. One pass over the rows near x covers all
    classes. Far from all rows, the nearest ones decide.

    Parameters
    ----------
    bandwidth
        Bandwidth h of all classes; "scott" and "silverman" assume columns of unit variance.
    kernel
        A kernel of `KernelDensity`. If a kernel of bounded support reaches no row, the priors are
        returned.
    priors
        Class probabilities; None uses the class proportions in the training data.
    leaf_size
        Leaf size of the tree; a leaf contains at most five times as many rows, or 80 if more.

    Attributes
    ----------
    classes_ : array of shape (K,)
        The labels, sorted.
    class_prior_ : array of shape (K,)
        The prior probabilities.
    bandwidth_ : float
        The bandwidth in use.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian import KernelDensityClassifier
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"]
    >>> model = KernelDensityClassifier(bandwidth=1.0).fit(X, y)
    >>> model.predict([[2.0], [3.0]]).tolist(), model.predict_proba([[2.5]]).round(3).tolist()
    (['a', 'b'], [[0.5, 0.5]])
    """

    parametric = False
    model_family = "generative"
    derived_attributes: ClassVar[tuple[str, ...]] = ("_sums",)

    _: KW_ONLY
    bandwidth: Positive | Literal["scott", "silverman"] = 1.0
    kernel: KernelName = "gaussian"
    priors: Array | None = None
    leaf_size: Count = 40

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Store the rows and build the tree.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            The labels.
        sample_weight : array of shape (n,), default=None
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        codes, classes = check_labels(self, y, len(table))
        weights = unit_weights(check_weights(self, sample_weight, len(table)))
        mass = np.bincount(codes, weights, len(classes)).astype(float)
        if isinstance(self.bandwidth, str):
            self.bandwidth_ = rule_of_thumb(self.bandwidth, float(mass.sum()), table.shape[1])
        else:
            self.bandwidth_ = float(self.bandwidth)
        check_bandwidth("KernelDensityClassifier", self.bandwidth_)
        self.class_prior_ = self._priors(mass)
        self._class_mass = mass
        self.classes_: Classes = classes
        self._fit_X, self._codes, self._weights = table, codes.astype(np.int32), weights
        self._sums = self._pack()
        return self

    def _priors(self, mass: Floats) -> Floats:
        if self.priors is None:
            return np.asarray(mass / mass.sum())
        priors = parameter_array("KernelDensityClassifier", "priors", self.priors)
        if priors.shape != mass.shape or not (priors >= 0).all() or not priors.sum() > 0:
            raise ParameterError(
                f"KernelDensityClassifier: priors must contain {len(mass)} numbers >= 0, "
                "one per class; "
                f"got {self.priors!r}."
            )
        return np.asarray(priors / priors.sum())

    def _pack(self) -> BandedKernelSums:
        rows = np.ascontiguousarray(self._fit_X, dtype=np.float64)
        members = np.eye(len(self.classes_))[self._codes]
        return BandedKernelSums.of(rows, self._weights, self.leaf_size, members)

    def _check_loaded(self) -> None:
        check_stored(self, "_fit_X", self._fit_X, self.n_features_in_)
        n, K = len(self._fit_X), len(self.classes_)
        self._weights = check_weights(self, self._weights, n)
        check_bandwidth("KernelDensityClassifier", self.bandwidth_)
        codes = self._codes
        if (
            codes.shape != (n,)
            or not ((codes >= 0) & (codes < K)).all()
            or self.class_prior_.shape != (K,)
            or self._class_mass.shape != (K,)
        ):
            raise DataError("KernelDensityClassifier: class codes and classes are inconsistent.")

    def predict_proba(self, X: Table) -> Matrix:
        """Return the posterior probabilities of the classes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, K)
        """
        at = self._queries(X)
        if self._sums is None:  # read from a model file
            self._sums = self._pack()
        sums = self._sums.at(at, KERNELS[self.kernel], np.array([self.bandwidth_]))
        present = self._class_mass > 0
        with np.errstate(over="ignore"):
            ratio = np.divide(
                self.class_prior_, self._class_mass, out=np.zeros(len(present)), where=present
            )
        if ratio.max() > _LARGE:
            return np.asarray(np.exp(self._log_posterior(at)), dtype=self._fit_X.dtype)
        joint = sums.values[:, 0, 0, 1:] * ratio
        total = joint.sum(axis=1, keepdims=True)
        p = joint / np.where(total > 0, total, 1.0)
        low = total[:, 0] < _UNDERFLOW  # the nearest rows are of a class without prior probability
        if low.any():
            p[low] = np.exp(self._log_posterior(at[low]))
        return np.asarray(p, dtype=self._fit_X.dtype)

    def predict_log_proba(self, X: Table) -> Matrix:
        """Return the log posterior probabilities, finite for kernels of unbounded support.

        The density of each class is summed separately, relative to the nearest row of the class, so
        that no class underflows because the rows of another are much nearer.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        log_p : array of shape (m, K)
        """
        return np.asarray(self._log_posterior(self._queries(X)), dtype=self._fit_X.dtype)

    def _queries(self, X: Table) -> Floats:
        queries = check_new(self, X)
        check_size(self, "X", queries)
        return np.ascontiguousarray(queries, dtype=np.float64)

    def _log_posterior(self, at: Floats) -> Floats:
        rows, h = np.asarray(self._fit_X, dtype=np.float64), np.array([self.bandwidth_])
        joint = np.full((len(at), len(self.classes_)), -np.inf)
        for k in np.flatnonzero((self.class_prior_ > 0) & (self._class_mass > 0)):
            own = self._codes == k
            weights = None if self._weights is None else self._weights[own]
            sums = BandedKernelSums.of(np.ascontiguousarray(rows[own]), weights, self.leaf_size)
            log_density = sums.at(at, KERNELS[self.kernel], h).log_weights[:, 0]
            joint[:, k] = log_density + np.log(self.class_prior_[k]) - np.log(self._class_mass[k])
        total = logsumexp(joint, axis=1, keepdims=True)
        reached = np.isfinite(total)
        with np.errstate(divide="ignore"):
            prior = np.log(self.class_prior_)
        return np.where(reached, joint - np.where(reached, total, 0.0), prior)

    def predict(self, X: Table) -> Classes:
        """Return the class with the highest posterior probability.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        labels : array of shape (m,)
        """
        p = self.predict_proba(X)
        labels: Classes = self.classes_[p.argmax(axis=1)]
        return labels
