"""Logistic regression: two classes, softmax, a reference class, or one class against the rest."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Fraction,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import ClassWeight, check_weights
from gramian.base.kinds import Classifier
from gramian.base.rows.chunks import GivenChunk
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.common.labelled_fit import LabelledFit, LabelledRows
from gramian.linear_model.glm.log_odds import LogOdds
from gramian.linear_model.glm.logistic_attributes import LogisticAttributes
from gramian.linear_model.glm.logistic_checks import check_probabilities
from gramian.linear_model.glm.logistic_chunks import fit_chunks
from gramian.linear_model.glm.logistic_columns import fit_each_column
from gramian.linear_model.glm.logistic_model import Label, MultiClass, fit_table
from gramian.linear_model.glm.solver_choice import SolverName


@params
class LogisticRegression(
    LabelledFit, LogisticAttributes, LogOdds, CallbackSupportMixin, Classifier
):
    """Logistic regression.

    The log-odds of the classes are linear in x. For two classes, with s(z) = 1 / (1 + exp(-z))::

        minimise  sum_i omega_i [-y_i ln s(z_i) - (1 - y_i) ln(1 - s(z_i))] + |w|^2 / (2 C),

    z_i = w . x_i + b, and for K classes the same with softmax in place of s (Hastie, Tibshirani and
    Friedman 2009, 4.4). The bias b is not penalised. The cost is convex, so every solver finds the
    same minimum. "auto" estimates the cost of each solver from the shape: Newton's method
    (reweighted least squares) for few unknowns; Newton on a sample, then L-BFGS with its Hessian as
    preconditioner, for many rows; dual coordinate descent (a row at a time) for wide data;
    otherwise L-BFGS, with a bound of the Hessian as preconditioner if the first steps without one
    are not enough. Dense X with many more columns than rows is first reduced to n coordinates. A
    step reads X once, or several times in line searches, conjugate gradients and dual sweeps. The
    scale of a column matters only through the penalty. Results are bitwise identical for any number
    of threads, provided that those of BLAS, which computes the Hessians of softmax, are.

    Parameters
    ----------
    C
        Inverse of the penalty strength; infinity means no penalty. Separable and quasi-separable
        data then have no finite solution, and a warning is issued.
    l1_ratio
        Fraction of an l1 penalty in place of the squared one, which makes weights exactly 0: the
        penalty is (l1_ratio |w|_1 + (1 - l1_ratio)/2 |w|^2) / C. With it the solver is proximal
        Newton on working sets (proximal gradients for softmax) and `tol` bounds the duality gap
        relative to the cost at w = 0.
    dual
        Ignored; present for scikit-learn compatibility.
    tol
        Stop when the norm of the mean cost's gradient is at most this.
    fit_intercept
        Whether to fit a bias b.
    intercept_scaling
        Ignored; present for scikit-learn compatibility.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.
    random_state
        Seed or generator for the random draws of "sgd"; it has no effect on the other solvers.
    solver
        "auto", or the name of a solver; "gradient" and "sgd" are textbook implementations. The
        minimum does not depend on the solver, so scikit-learn's "liblinear", "sag" and "saga" mean
        "auto".
    max_iter
        Maximum number of solver steps.
    verbose
        Whether to print a line for each iteration of Newton's and quasi-Newton methods.
    warm_start
        Whether to start from the coefficients of the previous fit.
    multi_class
        For three classes or more, "multinomial": softmax. "reference": softmax relative to one
        class, whose weights are 0. "ovr": each class against the rest, and the largest score wins.
    reference
        The label of the reference class; None means the last one.

    Attributes
    ----------
    class_prior_ : array (K,)
        The weighted proportion of each class in training.
    n_iter_ : array (1,), or (K,) for "ovr"
        Number of steps.
    objective_ : float
        The cost above at the end; for "ovr" the sum over the classes.
    solver_ : str
        The solver used.
    separable_ : bool
        True if there is no penalty and the classes are separable or quasi-separable (with rows on
        the hyperplane); the latter is tested up to 600 unknowns and a million values.

    See Also
    --------
    LogisticRegressionCV : chooses C.

    Examples
    --------
    >>> from gramian import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> model = LogisticRegression().fit(X, y)
    >>> model.predict([[0.5], [2.5]]).tolist()
    ['no', 'yes']
    >>> model.predict_proba([[1.5]]).round(3).tolist()
    [[0.5, 0.5]]
    """

    _: KW_ONLY
    C: Positive = 1.0
    l1_ratio: Fraction = 0.0
    dual: bool = False
    tol: NonNegative = 1e-4
    fit_intercept: bool = True
    intercept_scaling: Positive = 1.0
    class_weight: ClassWeight = None
    random_state: Seed = None
    solver: SolverName = "auto"
    max_iter: Count = 100
    verbose: bool | NonNegativeInt = 0
    warm_start: bool = False
    multi_class: MultiClass = "multinomial"
    reference: Label | None = None

    def _fit_labelled(self, rows: LabelledRows, data: dict[str, Any]) -> Self:
        fit_table(self, rows)
        return self

    @with_callbacks
    def fit_probabilities(
        self,
        X: Table,
        P: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        classes: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit to class probabilities instead of labels.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        P
            Probability of the second of two classes, shape (n,), or of each class, shape (n, K),
            each row summing to 1.
        sample_weight
            Weights >= 0.
        classes
            The labels, in the order of the columns of P; 0, 1, ... by default.

        Returns
        -------
        self

        Examples
        --------
        >>> model = LogisticRegression(C=float("inf"), tol=1e-9)
        >>> model.fit_probabilities([[0.0], [1.0]], [0.25, 0.75]).predict_proba([[0.0]]).round(4)
        array([[0.75, 0.25]])
        """
        return self._fit_probabilities(X, P, sample_weight, classes)

    def _fit_probabilities(
        self,
        X: Table,
        P: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        classes: npt.ArrayLike | None,
    ) -> Self:
        table = check_fit(self, X)
        if self.class_weight is not None or self.multi_class == "ovr":
            raise ParameterError(
                "LogisticRegression: class_weight and multi_class='ovr' need labels; got "
                "probabilities. Weight the rows with sample_weight, and omit both."
            )
        p = np.asarray(check_targets(self, P, table.shape[0], columns=True), float)
        p = p[:, 0] if p.ndim == 2 and p.shape[1] == 1 else p
        check_probabilities(p)
        K = 2 if p.ndim == 1 else p.shape[1]
        labels = np.arange(K) if classes is None else np.asarray(classes)
        if len(labels) != K or len(np.unique(labels)) != K:
            raise DataError(
                f"LogisticRegression: classes must be {K} different labels; got {labels.tolist()}."
            )
        weights = check_weights(self, sample_weight, table.shape[0])
        weights = np.ones(table.shape[0]) if weights is None else weights
        if K == 2 and p.ndim == 2:
            p = np.ascontiguousarray(p[:, 1])
        totals = weights @ (np.column_stack([1 - p, p]) if p.ndim == 1 else p)
        check_classes("LogisticRegression", labels, totals)
        fit_table(self, LabelledRows(table, p, labels, weights, totals))
        return self

    @with_callbacks
    def fit_chunks(
        self, chunks: Iterable[GivenChunk] | Parts, *, classes: npt.ArrayLike | None = None
    ) -> Self:
        """Fit to rows in chunks, without keeping them all in memory.

        Every step is one pass over the chunks; one pass before them counts the classes, and
        without a penalty one after them checks whether the classes are separable. The start is an
        approximate minimum over the first 65,536 rows, so that few steps remain.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again.
        classes
            All labels, if known.

        Returns
        -------
        self

        Examples
        --------
        >>> chunks = [([[0.0], [3.0]], [0, 1]), ([[1.0], [2.0]], [0, 1])]
        >>> model = LogisticRegression().fit_chunks(chunks)
        >>> bool(model.predict([[2.5]])[0] == 1)
        True
        """
        return fit_chunks(self, chunks, classes)

    def with_priors(self, priors: npt.ArrayLike) -> Self:
        """Return a copy for a population with other class proportions.

        The log-odds are a log likelihood ratio, which does not depend on the proportions, plus the
        log ratio of the priors (Alpaydin 2014, 10.4), so only the bias changes:

            b_k <- b_k + ln(new prior_k / prior_k in training)

        Parameters
        ----------
        priors
            The new class proportions, positive, in the order of `classes_`.

        Returns
        -------
        LogisticRegression

        Examples
        --------
        >>> model = LogisticRegression().fit([[0.0], [1.0], [0.5], [1.5]], [0, 1, 1, 0])
        >>> rare = model.with_priors([0.9, 0.1])
        >>> float((rare.intercept_ - model.intercept_)[0].round(4))        # ln(1/9)
        -2.1972
        """
        check_is_fitted(self)
        proportions = np.asarray(priors, dtype=float)
        fitting = proportions.shape == (len(self.classes_),)
        if not fitting or not (proportions > 0).all() or not np.isfinite(proportions).all():
            raise DataError(
                f"LogisticRegression: priors must be {len(self.classes_)} positive finite numbers, "
                f"one per class; got {np.asarray(priors).tolist()}."
            )
        shift = np.log(proportions / proportions.sum()) - np.log(self.class_prior_)
        other: Self = clone(self)
        for name in [k for k in vars(self) if k.endswith("_")]:
            setattr(other, name, getattr(self, name))
        shift = shift[1:] - shift[:1] if self.coef_.shape[0] == 1 else shift
        other.intercept_ = (self.intercept_ + shift).astype(self.intercept_.dtype)
        other.class_prior_ = proportions / proportions.sum()
        return other

    def fit_columns(
        self, X: Table, Y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> list[Self]:
        """Fit a model to each column of labels.

        With sparse X of many columns, the models are fitted together, and share each product with
        X; otherwise they are fitted in parallel.

        Parameters
        ----------
        X
            As for `fit`.
        Y
            Labels, (n, models), one column per model.
        sample_weight
            As for `fit`.

        Returns
        -------
        models : list
            A fitted copy of this estimator for each column.

        Examples
        --------
        >>> X, Y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
        >>> models = LogisticRegression(C=100).fit_columns(X, Y)
        >>> [model.predict([[1.0]]).tolist() for model in models]
        [[0], [1]]
        """
        columns = np.asarray(Y)
        if columns.ndim != 2:
            raise DataError(
                f"LogisticRegression: Y must have one column per model; got shape {columns.shape}."
            )
        return fit_each_column(self, X, columns, sample_weight)

    @staticmethod
    def _column_probabilities(models: list["LogisticRegression"], X: Data) -> Floats:
        """Return the probability of the second class of each model, by one product."""
        W = np.vstack([model.coef_ for model in models]).T
        b = np.concatenate([model.intercept_ for model in models])
        return np.asarray(expit(np.asarray(X @ np.ascontiguousarray(W), dtype=float) + b))

    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each class, in the order of `classes_`.

        With multi_class="ovr", the one-against-rest probabilities are divided by their sum.
        """
        check_is_fitted(self)
        if self.multi_class != "ovr" or self.coef_.shape[0] == 1:
            return super().predict_proba(X)
        each = expit(self.decision_function(X))
        return np.asarray(each / each.sum(axis=1, keepdims=True))
