"""Linear discriminant analysis."""

import warnings
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, eigh, lstsq
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, Count, Fraction, Learner, NonNegative, params
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import Classes
from gramian.base.kinds import Tags, Transformer
from gramian.base.rows.class_scores import (
    ClassScorer,
    check_priors,
    linear_scorer,
)
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.runtime import lapack
from gramian.base.runtime.blas import product
from gramian.base.types import Floats, Matrix, Table
from gramian.discriminant_analysis.covariances import (
    Structure,
    check_finite_moments,
    positive_signs,
    structured,
)
from gramian.discriminant_analysis.discriminant_base import DiscriminantAnalysis
from gramian.discriminant_analysis.labelled_rows import LabelledChunks, LabelledTable
from gramian.discriminant_analysis.leave_one_out import linear_leave_one_out

_MIN_GRAM_TOL = 1e-6  # below it, squared singular values are rounding errors


@params
class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, DiscriminantAnalysis, Transformer
):
    """Linear discriminant analysis: Gaussian classes with a common covariance.

    With the pooled covariance S of the rows about their class means m_k and priors P_k,

        log P(C_k | x) = m_k' S^-1 x - m_k' S^-1 m_k / 2 + log P_k + constant,

    so the boundaries are hyperplanes; for two classes, their normal is w = S^-1 (m_1 - m_0).
    `transform` projects rows on at most K - 1 directions with the largest ratio of between-class to
    within-class scatter (Fisher 1936). With equal priors and covariance="isotropic" the prediction
    is the nearest class mean.

    Fitting takes two passes, for the class means and the scatter about them, O(n d^2), and one
    eigenproblem of size d. With more columns than rows the rows are decomposed. Reference: Hastie,
    Tibshirani and Friedman 2009, 4.3.

    Parameters
    ----------
    solver
        "svd": whiten by the within-class scatter and drop its null directions. "lsqr": solve with
        the covariance. "eigen": generalised eigenproblem. The last two support `shrinkage` and
        `covariance_estimator`.
    shrinkage
        Fraction of each class covariance replaced by a multiple of the identity; "auto": chosen by
        Ledoit and Wolf (2004).
    priors
        Class probabilities; None means the proportions in the training data.
    n_components
        Number of directions of `transform`; None means all, at most min(K - 1, d).
    store_covariance
        Whether to store `covariance_` with solver="svd" too.
    tol
        With solver="svd", drop directions in which the within-class standard deviation of the
        standardised rows is below this.
    covariance_estimator
        Estimator with `fit` and `covariance_`, fitted to each class, instead of `shrinkage`.
    covariance
        "full"; "diagonal": uncorrelated columns; "isotropic": the mean variance for all columns.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    coef_ : array (K, d), or (1, d) for two classes
        Weights of the columns.
    intercept_ : array (K,) or (1,)
        Intercepts.
    covariance_ : array (d, d)
        Within-class covariance, weighted by the priors; with solver="svd" only if
        `store_covariance`.
    explained_variance_ratio_ : array (n_components,)
        Fraction of the between-class scatter along each direction.
    means_ : array (K, d)
        The class means.
    priors_ : array (K,)
        The prior probabilities.
    scalings_ : array (d, rank)
        The directions.
    xbar_ : array (d,)
        Mean of the class means, weighted by the priors; not for solver="eigen".
    rank_ : int
        Number of within-class directions that were kept.
    n_parameters_ : int
        Number of parameters of the decision: d + 1 for each class but one.

    Examples
    --------
    >>> from gramian import LinearDiscriminantAnalysis
    >>> X = [[0.0, 1.0], [1.0, 0.0], [4.0, 5.0], [5.0, 4.0]]
    >>> model = LinearDiscriminantAnalysis(covariance="isotropic").fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[1.0, 2.0], [4.0, 3.0]]).tolist(), model.transform(X).shape
    (['a', 'b'], (4, 1))
    """

    tags: ClassVar[Tags] = {"target_tags.required": True}
    min_rows = 2
    shrinkage_solvers = "'lsqr' or 'eigen'"

    solver: Literal["svd", "lsqr", "eigen"] = "svd"
    shrinkage: Literal["auto"] | Fraction | None = None
    priors: Array | None = None
    n_components: Count | None = None
    store_covariance: bool = False
    tol: NonNegative = 1e-4
    covariance_estimator: Learner | None = None
    _: KW_ONLY
    covariance: Structure = "full"

    def _fit_rows(self, rows: LabelledTable | LabelledChunks) -> Self:
        classes = rows.classes
        self._check_sizes(rows.n_rows, rows.n_features, classes)
        self._check_shrinkage()
        columns = rows.columns()
        check_finite_moments(self, columns.total().squares)
        if (columns.weights == 0).any():
            raise DataError(
                f"LinearDiscriminantAnalysis: class {classes[columns.weights.argmin()]} has no "
                "row of positive sample_weight; drop its rows, or give them weight."
            )
        self.priors_ = self._priors(columns.weights)
        self.means_ = columns.means
        self.classes_ = classes
        if self.solver == "svd":
            coef, intercept = self._solve_svd(rows, columns)
        else:
            coef, intercept = self._solve_covariance(rows)
        if len(classes) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        dtype = rows.table.dtype if isinstance(rows, LabelledTable) else np.float64
        self.coef_, self.intercept_ = coef.astype(dtype), intercept.astype(dtype)
        self.n_parameters_ = max(1, len(classes) - 1) * (rows.n_features + 1)
        self._n_features_out = self._max_components(rows.n_features)
        return self

    def _max_components(self, n_features: int) -> int:
        most = min(len(self.classes_) - 1, n_features)
        return most if self.n_components is None else self.n_components

    def _check_sizes(self, n: int, d: int, classes: Classes) -> None:
        name = "LinearDiscriminantAnalysis"
        if n <= len(classes):
            raise DataError(
                f"{name}: the number of samples must be more than the number of classes; got "
                f"n_samples={n} and {len(classes)} classes. Add rows."
            )
        most = min(len(classes) - 1, d)
        if self.n_components is not None and self.n_components > most:
            raise ParameterError(
                f"{name}: n_components cannot be larger than min(n_features, n_classes - 1) = "
                f"{most}; got {self.n_components}."
            )

    def _priors(self, weights: Floats) -> Floats:
        if self.priors is None:
            return np.asarray(weights / weights.sum())
        name = "LinearDiscriminantAnalysis"
        priors = check_priors(name, "priors", self.priors, len(weights), sum_one=False)
        if abs(priors.sum() - 1.0) > 1e-5:
            warnings.warn(
                "The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=caller_level()
            )
            priors = priors / priors.sum()
        return priors

    def _solve_svd(
        self, rows: LabelledTable | LabelledChunks, columns: ColumnMoments
    ) -> tuple[Floats, Floats]:
        """Return the coefficients and intercepts of the classes."""
        total: float = columns.weights.sum()
        d = self.means_.shape[1]
        std = np.sqrt(columns.squares.sum(axis=0) / total)
        if self.covariance == "isotropic":
            std = np.full(d, np.sqrt(np.mean(std**2)))
        std[std == 0] = 1.0
        spread, axes = self._within(rows, std, total)
        kept = spread > self.tol
        self.rank_ = int(kept.sum())
        whiten = (axes[kept] / std).T / spread[kept]
        self._set_directions(whiten, total)
        centred = self.means_ - self.xbar_
        reduced: Floats = centred @ self.scalings_
        coef: Floats = reduced @ self.scalings_.T
        at_middle = 0.5 * (reduced**2).sum(axis=1) + coef @ self.xbar_
        if self.store_covariance:
            self.covariance_ = self._pooled_covariance(rows)
        return coef, self._log_priors() - at_middle

    def _set_directions(self, whiten: Floats, total: float) -> None:
        """Set the directions between the class means, given the whitening matrix."""
        K, d = self.means_.shape
        self.xbar_ = self.priors_ @ self.means_
        scale = np.sqrt(total * self.priors_ / max(1, K - 1))[:, None]
        _, sizes, rotation = lapack.svd(scale * ((self.means_ - self.xbar_) @ whiten))
        squares = sizes**2 / max(float((sizes**2).sum()), np.finfo(np.float64).tiny)
        self.explained_variance_ratio_ = squares[: self._max_components(d)]
        found = sizes > self.tol * (sizes[0] if len(sizes) else 0.0)
        scalings = whiten @ rotation[found].T
        self.scalings_ = scalings * positive_signs(scalings)

    def _within(
        self, rows: LabelledTable | LabelledChunks, std: Floats, total: float
    ) -> tuple[Floats, Floats]:
        """Return the within-class spread of standardised rows, and its directions."""
        d = rows.n_features
        if self.covariance != "full":
            return (std > 0).astype(float), np.eye(d)
        if d <= rows.n_rows and self.tol >= _MIN_GRAM_TOL:
            scatter = rows.within_scatter(self.means_)
            values, vectors = lapack.eigh(scatter / total / np.outer(std, std))
            return np.sqrt(np.maximum(values[::-1], 0.0)), vectors[:, ::-1].T
        return rows.within_axes(self.means_, std, total)

    def _pooled_covariance(self, rows: LabelledTable | LabelledChunks) -> Floats:
        """Return the within-class covariance, weighted by the priors."""
        covariances = rows.covariances(
            self, rows.moments(), self.shrinkage, self.covariance_estimator
        )
        pooled = sum(p * S for p, S in zip(self.priors_, covariances, strict=True))
        return structured(np.asarray(pooled), self.covariance)

    def _solve_covariance(self, rows: LabelledTable | LabelledChunks) -> tuple[Floats, Floats]:
        """Return the coefficients and intercepts of the classes."""
        self.covariance_ = self._pooled_covariance(rows)
        self.xbar_ = self.priors_ @ self.means_
        centred = self.means_ - self.xbar_  # centred, to avoid cancellation
        self.rank_ = _correlation_rank(self.covariance_)
        scale, correlation = _correlation(self.covariance_)
        if self.rank_ < len(scale):  # the least-norm solution is for unscaled columns
            scale, correlation = np.ones_like(scale), self.covariance_
        if self.solver == "lsqr":
            cut = np.finfo(np.float64).eps * len(correlation)  # smaller values are noise
            right = np.vstack([centred, self.xbar_]).T / scale[:, None]
            with lapack.threads_for_size(correlation.size):
                solved = lstsq(correlation, right, cond=cut)
            both: Floats = (solved[0] / scale[:, None]).T
            values, vectors = lapack.eigh(correlation)
            kept = values > cut * values[-1]
            self._set_directions(vectors[:, kept] / scale[:, None] / np.sqrt(values[kept]), 1.0)
        else:
            total = rows.total(self, self.shrinkage, self.covariance_estimator)
            plain = self.shrinkage != "auto" and self.covariance_estimator is None
            total = structured(total, self.covariance) if plain else total
            between = (total - self.covariance_) / scale / scale[:, None]
            try:
                if self.rank_ < rows.n_features:  # a factorisation would give noise
                    raise LinAlgError
                with lapack.threads_for_size(correlation.size):
                    values, vectors = eigh(between, correlation)
            except LinAlgError:
                raise DataError(
                    "LinearDiscriminantAnalysis: the within-class covariance is singular, of "
                    f"rank {self.rank_}; set shrinkage, or use solver='svd', which drops the "
                    "null directions."
                ) from None
            order = np.argsort(values)[::-1]
            ratios = values[order] / values.sum() if values.sum() else values[order]
            self.explained_variance_ratio_ = ratios[: self._max_components(rows.n_features)]
            scalings = vectors[:, order] / scale[:, None]
            self.scalings_ = scalings * positive_signs(scalings)
            both = np.vstack([centred, self.xbar_]) @ self.scalings_ @ self.scalings_.T
        coef, shared = both[:-1], both[-1]
        constant = -0.5 * (centred * coef).sum(axis=1)
        if len(centred) == 2:
            return coef, self._log_priors() + constant - coef @ self.xbar_
        # scikit-learn's discriminants, S^-1 m_k, include a part common to all classes.
        constant = constant - centred @ shared - 0.5 * self.xbar_ @ shared
        return coef + shared, self._log_priors() + constant

    def _log_priors(self) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.priors_))

    def transform(self, X: Table) -> Matrix:
        """Project rows on the directions that separate the classes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        Z : array of shape (m, n_components)
        """
        table = check_new(self, X)
        scalings: Floats = self.scalings_[:, : self._n_features_out]
        start = 0.0 if self.solver == "eigen" else self.xbar_ @ scalings
        return np.asarray(product(table, scalings) - start, dtype=table.dtype)

    def decision_function(self, X: Table) -> Matrix:
        """Return the scores of the classes; for two classes, the log odds of the second.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        scores : array of shape (m,) or (m, K)
        """
        table = check_new(self, X)
        scores = linear_scorer(self.intercept_, self.coef_, sparse=False).joint(table)
        scores = scores[:, 0] if len(self.classes_) == 2 else scores
        return np.asarray(scores, dtype=table.dtype)

    def leave_one_out(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Floats:
        """Return the posterior of each row by the model fitted to all other rows, in closed form.

        Leaving out a row is a rank-one change of the pooled scatter, so one fit is enough.
        Requires solver="svd", covariance="full" and no null directions.

        Parameters
        ----------
        X, y, sample_weight
            The training rows with their labels and weights.

        Returns
        -------
        p : array of shape (n, K)
        """
        table = check_new(self, X)
        if self.solver != "svd" or self.covariance != "full" or self.rank_ < table.shape[1]:
            raise ParameterError(
                "LinearDiscriminantAnalysis: leave_one_out needs solver='svd', covariance='full' "
                f"and no null direction; got {self.solver!r}, {self.covariance!r} and rank "
                f"{self.rank_} of {table.shape[1]}. Use sklearn.model_selection.LeaveOneOut."
            )
        return linear_leave_one_out(table, *self._leave_one_out_inputs(table, y, sample_weight))

    def _scorer(self, sparse: bool) -> ClassScorer:
        if len(self.classes_) != 2:
            # Without the part common to all classes, which is large if the columns are far from 0.
            coef: Floats = self.coef_ - self.priors_ @ self.coef_
            means, centre = self.means_, self.priors_ @ self.means_
            constant: Floats = self._log_priors() - 0.5 * ((means - centre) * coef).sum(axis=1)
            return linear_scorer(constant - coef @ centre, coef, sparse=False)
        offsets = np.array([0.0, self.intercept_[0]])
        coef = np.vstack([np.zeros_like(self.coef_), self.coef_])
        return linear_scorer(offsets, coef, sparse=False)

    def _check_loaded(self) -> None:
        K, d = len(self.classes_), self.n_features_in_
        outputs = 1 if K == 2 else K
        if self.coef_.shape != (outputs, d) or self.intercept_.shape != (outputs,):
            raise DataError("LinearDiscriminantAnalysis: coef_ and intercept_ must match classes_.")
        if self.means_.shape != (K, d) or self.priors_.shape != (K,):
            raise DataError("LinearDiscriminantAnalysis: means_ and priors_ must match classes_.")
        if len(self.scalings_) != d:
            raise DataError(
                "LinearDiscriminantAnalysis: scalings_ must have one row per column of X."
            )


def _correlation(covariance: Floats) -> tuple[Floats, Floats]:
    """Return the standard deviations of the columns, and the correlation matrix."""
    spread = np.sqrt(np.diag(covariance))
    scale = np.where(spread > 0, spread, 1.0)
    return scale, np.asarray(covariance / scale / scale[:, None])


def _correlation_rank(covariance: Floats) -> int:
    """Return the rank of the correlation matrix, which does not depend on the column scales."""
    noise = 10 * len(covariance) * np.finfo(np.float64).eps
    return int(np.linalg.matrix_rank(_correlation(covariance)[1], noise, hermitian=True))
