"""Quadratic discriminant analysis."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Fraction, Learner, NonNegative, params
from gramian.base.inputs.gate import check_new
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.class_scores import (
    ClassScorer,
    NativeScorer,
    check_priors,
    match_precision,
)
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.types import Floats, Matrix, Table
from gramian.discriminant_analysis.covariances import (
    check_finite_moments,
    principal_axes,
    structured,
)
from gramian.discriminant_analysis.discriminant_base import DiscriminantAnalysis
from gramian.discriminant_analysis.labelled_rows import LabelledChunks, LabelledTable
from gramian.discriminant_analysis.leave_one_out import quadratic_leave_one_out
from gramian.discriminant_analysis.quadratic_form import QuadraticForm, equal_points

_LOG_2PI = np.log(2 * np.pi)


@params
class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """Quadratic discriminant analysis: Gaussian classes, each with its own covariance.

    With mean m_k, covariance S_k (divided by the number of rows) and prior P_k of class k,

        log P(C_k | x) = -(x - m_k)' S_k^-1 (x - m_k) / 2 - log|S_k| / 2 + log P_k + constant,

    so the boundary of two classes is a quadric. One native pass computes the covariances of all
    classes; prediction needs no table of scores. Costs O(n d^2) to fit and O(n K d^2) to predict.
    Reference: Hastie, Tibshirani and Friedman 2009, 4.3.

    Parameters
    ----------
    solver
        "svd" supports `reg_param`; "eigen" supports `shrinkage` and `covariance_estimator`. Both
        decompose the covariances.
    shrinkage
        Fraction of each covariance replaced by a multiple of the identity; "auto": chosen by Ledoit
        and Wolf (2004).
    priors
        Class probabilities; None means the proportions in the training data.
    reg_param
        Fraction of the variances along the axes of each class that is replaced by 1.
    store_covariance
        Whether to store `covariance_`.
    tol
        Axes of a class with a variance of at most this count as null directions. With
        singular="drop" it is relative to the largest variance of the class if that is below 1.
    covariance_estimator
        Estimator with `fit` and `covariance_`, fitted to each class, instead of `shrinkage`.
    covariance
        "full"; "diagonal": uncorrelated columns; "isotropic": the mean variance for all columns of
        a class; "tied": one full covariance for all classes.
    singular
        Action if a class has directions without variance: "error", or "drop" them and use the other
        `rank_` directions of that class.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    covariance_ : list of K arrays (d, d)
        The covariances, if `store_covariance`.
    means_ : array (K, d)
        The class means.
    priors_ : array (K,)
        The prior probabilities.
    rotations_ : list of K arrays (d, rank)
        The axes of each class.
    scalings_ : list of K arrays (rank,)
        The variances along these axes.
    rank_ : array (K,)
        Number of axes of each class.
    n_parameters_ : int
        Number of parameters of the decision: d (d + 3) / 2 + 1 for each class but one, if full.

    Examples
    --------
    >>> from gramian import QuadraticDiscriminantAnalysis
    >>> X = [[-1.0], [0.0], [1.0], [-6.0], [0.0], [6.0]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["in", "in", "in", "out", "out", "out"])
    >>> model.predict([[-4.0], [0.5], [4.0]]).tolist()
    ['out', 'in', 'out']
    """

    shrinkage_solvers = "solver='eigen'"

    _: KW_ONLY
    solver: Literal["svd", "eigen"] = "svd"
    shrinkage: Literal["auto"] | Fraction | None = None
    priors: Array | None = None
    reg_param: Fraction = 0.0
    store_covariance: bool = False
    tol: NonNegative = 1e-4
    covariance_estimator: Learner | None = None
    covariance: Literal["full", "diagonal", "isotropic", "tied"] = "full"
    singular: Literal["error", "drop"] = "error"

    def _fit_rows(self, rows: LabelledTable | LabelledChunks) -> Self:
        classes = rows.classes
        name = "QuadraticDiscriminantAnalysis"
        self._check_shrinkage()
        moments = rows.moments()
        self._check_classes(moments, rows.class_counts, classes)
        check_finite_moments(self, np.array([part.gram for part in moments.classes]))
        covariances = rows.covariances(self, moments, self.shrinkage, self.covariance_estimator)
        proportions = moments.weights / moments.weights.sum()
        if self.covariance == "tied":
            pooled = sum(p * S for p, S in zip(proportions, covariances, strict=True))
            covariances = [np.asarray(pooled)] * len(classes)
        priors = proportions
        if self.priors is not None:
            priors = check_priors(name, "priors", self.priors, len(classes), sum_one=False)
        self._set_classes(classes, moments.means, covariances, priors)
        return self

    @classmethod
    def from_parameters(
        cls,
        means: npt.ArrayLike,
        covariances: npt.ArrayLike,
        priors: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        **settings: Any,
    ) -> Self:
        """Return the Bayes classifier for known Gaussian classes.

        Parameters
        ----------
        means : array of shape (K, d)
            The class means.
        covariances : array of shape (K, d, d)
            The class covariances.
        priors : array of shape (K,)
            The class probabilities.
        classes : array of shape (K,), optional
            The labels, sorted; None means 0 .. K - 1.
        settings
            Parameters of the class.

        Returns
        -------
        model : QuadraticDiscriminantAnalysis
            A fitted model.

        Examples
        --------
        >>> from gramian import QuadraticDiscriminantAnalysis
        >>> known = {"means": [[0], [2]], "covariances": [[[1]], [[1]]], "priors": [0.5, 0.5]}
        >>> rule = QuadraticDiscriminantAnalysis.from_parameters(**known)
        >>> rule.predict([[0.9], [1.1]]).tolist()
        [0, 1]
        """
        model = cls(**settings)
        m, S = np.asarray(means, dtype=np.float64), np.asarray(covariances, dtype=np.float64)
        if m.ndim != 2 or S.shape != (*m.shape, m.shape[1]):
            raise ParameterError(
                "QuadraticDiscriminantAnalysis: means must have shape (K, d) and covariances "
                f"(K, d, d); got {m.shape} and {S.shape}."
            )
        P = check_priors(cls.__name__, "priors", priors, len(m), sum_one=True)
        labels = np.arange(len(m)) if classes is None else np.asarray(classes)
        model.n_features_in_ = m.shape[1]
        model._set_classes(labels, m, list(S), P)
        return model

    def _check_classes(self, moments: ClassMoments, counts: Any, classes: Any) -> None:
        name = "QuadraticDiscriminantAnalysis"
        if len(classes) < 2 or (moments.weights > 0).sum() < 2:
            raise DataError(
                f"{name}: The number of classes has to be greater than one; got "
                f"{int((moments.weights > 0).sum())} class. Add rows of another class."
            )
        too_few = (counts < 2) | (moments.weights == 0)
        if too_few.any() and self.covariance != "tied":
            raise DataError(
                f"{name}: y has only 1 sample in class {classes[too_few.argmax()]} (or none of "
                "positive weight), covariance is ill defined. Add rows, drop the class, or set "
                "covariance='tied'."
            )

    def _set_classes(
        self, classes: Any, means: Floats, covariances: list[Floats], priors: Floats
    ) -> None:
        K, d = means.shape
        structure = "full" if self.covariance == "tied" else self.covariance
        constructed = [structured(S, structure) for S in covariances]
        self.rotations_: list[Floats] = []
        self.scalings_: list[Floats] = []
        for k, S in enumerate(constructed):
            if self.covariance == "tied" and k > 0:
                self.rotations_.append(self.rotations_[0])
                self.scalings_.append(self.scalings_[0])
                continue
            values, vectors = principal_axes(S)
            values, vectors = values[::-1], vectors[:, ::-1]
            if self.solver == "svd":
                values = (1 - self.reg_param) * values + self.reg_param
            limit = self.tol
            if self.singular == "drop":  # small units must not drop every axis
                limit *= min(1.0, float(values[0]))
            rank = int((values > limit).sum())
            if rank < d and self.singular == "error":
                raise DataError(self._rank_message(classes[k], rank, d))
            self.rotations_.append(np.ascontiguousarray(vectors[:, :rank]))
            self.scalings_.append(values[:rank].copy())
        self.rank_ = np.array([len(s) for s in self.scalings_])
        if self.store_covariance:
            pairs = zip(self.rotations_, self.scalings_, strict=True)
            self.covariance_ = [product(R * s, R.T) for R, s in pairs]
        self.means_, self.priors_, self.classes_ = means, priors, classes
        per_class = {"isotropic": 1, "diagonal": d, "tied": 0}.get(
            self.covariance, d * (d + 1) // 2
        )
        self.n_parameters_ = (K - 1) * (per_class + d + 1)

    def _rank_message(self, label: Any, rank: int, d: int) -> str:
        what = "shrinkage" if self.solver == "eigen" else "reg_param"
        return (
            f"QuadraticDiscriminantAnalysis: The covariance matrix of class {label} is not full "
            f"rank, {rank} of {d}: the other variances are not above tol={self.tol:g}. Scale the "
            f"columns if their values are small; if they are collinear, increase {what}, use more "
            "rows than columns, or set singular='drop'."
        )

    def _roots(self) -> tuple[Floats, bool]:
        """Return W_k of |W_k (x - m_k)|^2, lower triangular if no axis was dropped."""
        d = self.means_.shape[1]
        known = 1 if self.covariance == "tied" else len(self.means_)
        full = bool((self.rank_ == d).all())
        roots = np.zeros((known, int(self.rank_.max()), d))
        for k in range(known):
            R, s = self.rotations_[k], self.scalings_[k]
            W = (R / np.sqrt(s)).T
            if full:  # W = Q T, and the triangular T gives the same squares
                with lapack.threads_for_size(W.size):
                    W = np.asarray(np.linalg.qr(W[:, ::-1], mode="r"))[::-1, ::-1]
            roots[k, : len(W)] = W
        return roots, full

    def _offsets(self) -> Floats:
        log_det = np.array([np.log(s).sum() for s in self.scalings_])
        dropped = self.means_.shape[1] - self.rank_  # axes without a factor of sqrt(2 pi)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.priors_) - 0.5 * (log_det - dropped * _LOG_2PI))

    def _scorer(self, sparse: bool) -> ClassScorer:
        offsets, means = self._offsets(), np.ascontiguousarray(self.means_, dtype=np.float64)
        roots, lower = self._roots()
        native = _native.ClassScores.quadratic(offsets, means, roots, lower=lower)
        return NativeScorer(native, len(offsets))

    def predict_joint_log_proba(self, X: Table) -> Matrix:
        """Return log P(C_k) + log p(x | C_k), with densities along the kept axes of a class.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        scores : array of shape (m, K)
        """
        table, scorer = self._checked(X)
        shared = 0.5 * _LOG_2PI * self.means_.shape[1]
        return match_precision(scorer.joint(table) - shared, table)

    def decision_function(self, X: Table) -> Matrix:
        """Return the discriminants of the classes; for two classes, the log odds of the second.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        scores : array of shape (m,) or (m, K)
        """
        table, scorer = self._checked(X)
        scores = scorer.joint(table)
        scores = scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores
        return np.asarray(scores, dtype=table.dtype)

    def coefficients(self) -> QuadraticForm:
        """Return the discriminants as polynomials, g_k(x) = x' W_k x + w_k' x + w0_k.

        Returns
        -------
        QuadraticForm
            ``quadratic`` of shape (K, d, d), W_k = -S_k^-1 / 2; ``linear`` of shape (K, d);
            ``constant`` of shape (K,).
        """
        check_is_fitted(self)
        pairs = zip(self.rotations_, self.scalings_, strict=True)
        inverse = np.array([(R / s) @ R.T for R, s in pairs])
        linear = np.einsum("kij,kj->ki", inverse, self.means_)
        constant = self._offsets() - 0.5 * (linear * self.means_).sum(axis=1)
        return QuadraticForm(-0.5 * inverse, linear, constant)

    def boundaries(self, first: int = 0, second: int = 1) -> Floats:
        """Return the points where two classes are equally probable, for one column: at most two.

        Parameters
        ----------
        first, second : int
            Indices of the classes in ``classes_``.

        Returns
        -------
        points : array, sorted
        """
        check_is_fitted(self)
        if self.means_.shape[1] != 1:
            raise DataError(
                "QuadraticDiscriminantAnalysis: boundaries needs a model with one column; got "
                f"{self.means_.shape[1]}. For more columns, plot them with "
                "gramian.decision.plot_decision_regions."
            )
        return equal_points(self.coefficients(), first, second)

    def leave_one_out(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Floats:
        """Return the posterior of each row by the model fitted to all other rows, in closed form.

        Requires covariance="full", without `reg_param` or `shrinkage`.

        Parameters
        ----------
        X, y, sample_weight
            The training rows with their labels and weights.

        Returns
        -------
        p : array of shape (n, K)
        """
        table = check_new(self, X)
        plain = not self.reg_param and not self.shrinkage and self.covariance_estimator is None
        if self.covariance != "full" or not plain:
            raise ParameterError(
                "QuadraticDiscriminantAnalysis: leave_one_out needs covariance='full' and no "
                "reg_param, shrinkage or covariance_estimator. Use "
                "sklearn.model_selection.LeaveOneOut."
            )
        return quadratic_leave_one_out(table, *self._leave_one_out_inputs(table, y, sample_weight))

    def _check_loaded(self) -> None:
        K, d = len(self.classes_), self.n_features_in_
        ranks = [len(s) for s in self.scalings_]
        fits = [R.shape for R in self.rotations_] == [(d, rank) for rank in ranks]
        fits = fits and len(ranks) == K and np.array_equal(self.rank_, ranks)
        if self.means_.shape != (K, d) or self.priors_.shape != (K,) or not fits:
            raise DataError("QuadraticDiscriminantAnalysis: the fitted arrays must match classes_.")
