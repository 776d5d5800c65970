"""Classification by ridge regression on targets +1 and -1."""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import check_label_sets, check_labels, holds_label_sets
from gramian.base.inputs.weights import ClassWeight, check_weights, weigh_classes, weigh_outputs
from gramian.base.kinds import Classifier, Tags
from gramian.base.routing import routed, to_splitter
from gramian.base.rows.moments import Rows
from gramian.base.scores import score_number
from gramian.base.types import Data, Matrix, Table, Weights
from gramian.linear_model.common.linear_prediction import check_model
from gramian.linear_model.ridge.ridge import check_alpha
from gramian.linear_model.ridge.ridge_base import RidgeBase, RidgeBaseCV
from gramian.linear_model.ridge.ridge_cv import choose_alpha
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.tikhonov import tikhonov


@params
class SignClassifier(Classifier):
    """Base class: regression on targets +1 for a class, or label, and -1 for the others.

    Parameters
    ----------
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.

    Attributes
    ----------
    coef_
        Array (d,) for two classes, else (K, d).
    intercept_
        Array (1,) or (K,).
    classes_
        The classes.
    multilabel_
        Whether y was multilabel.
    """

    parametric = True
    model_family = "boundary"
    takes_sparse: ClassVar[bool] = True
    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True}

    _: KW_ONLY
    class_weight: ClassWeight = None

    def decision_function(self, X: Table) -> Matrix:
        """Return the scores: (n,) for two classes, positive for the second; else (n, K)."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        scores: Matrix = table @ self.coef_.T + self.intercept_
        return scores

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Return the class with the largest score; if multilabel, 0 or 1 for each label."""
        scores = self.decision_function(X)
        if self.multilabel_:
            return (scores > 0).astype(np.int64)
        return self.classes_[_codes(scores)]

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels (n,), 0s and 1s (n, labels), dense or CSR, or a list of sets of labels.
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _fit(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None, **split_params: Any
    ) -> Self:
        table, signs, codes, weights = self._check(X, y, sample_weight)
        model = self._solve(table, signs, codes, weights, **split_params)
        check_model(self, model[:, :-1], model[:, -1])
        coef = np.ascontiguousarray(model[:, :-1].astype(table.dtype))
        self.coef_: Matrix = coef[0] if len(coef) == 1 else coef
        self.intercept_: Matrix = model[:, -1].astype(table.dtype)
        return self

    def _solve(
        self,
        X: Data,
        signs: Matrix,
        codes: npt.NDArray[Any],
        weights: Weights | None,
        **split_params: Any,
    ) -> Matrix:
        """Return coefficients and intercept of each sign, and store the other attributes."""
        raise NotImplementedError

    def _check(
        self, X: Table, y: npt.ArrayLike | None, sample_weight: npt.ArrayLike | None
    ) -> tuple[Data, Matrix, npt.NDArray[Any], Weights | None]:
        """Return X, the signs, y as codes or label columns, and the weights."""
        table = check_fit(self, X)
        n = table.shape[0]
        weights = check_weights(self, sample_weight, n)
        self.multilabel_ = holds_label_sets(y)
        codes: npt.NDArray[Any]
        if self.multilabel_:
            has, self.classes_ = check_label_sets(self, y, n)
            codes, signs = has.astype(np.intp), np.where(has, 1.0, -1.0)
        else:
            codes, self.classes_ = check_labels(self, y, n)
            positive_codes = (
                np.arange(len(self.classes_)) if len(self.classes_) > 2 else np.array([1])
            )
            signs = np.where(codes[:, None] == positive_codes, 1.0, -1.0)
        owner = type(self).__name__
        if self.multilabel_:
            both = [np.arange(2)] * codes.shape[1]
            weights = weigh_outputs(owner, self.class_weight, codes, both, weights)
        else:
            weights = weigh_classes(owner, self.class_weight, codes, self.classes_, weights)
        return table, signs, codes, weights


def _codes(scores: Matrix) -> npt.NDArray[np.intp]:
    return (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)


@params(first=("fit_intercept", "copy_X", "max_iter", "tol", "class_weight"))
class RidgeClassifier(RidgeBase, SignClassifier):
    """Classifier by ridge regression on targets +1 and -1.

    Fits +1 for a class and -1 for the others by `Ridge`, one target per class (a single one for
    two classes), and predicts the class with the largest fitted value: linear discrimination by
    squared error (Hastie, Tibshirani and Friedman 2009, 4.2). All classes share one Gram matrix
    and one factorisation. A 0/1 matrix as y means multilabel classification.

    Parameters
    ----------
    solver
        As in `Ridge`.
    positive
        Whether to require coefficients >= 0.

    Attributes
    ----------
    solver_
        The solver used, see `Ridge`.

    Examples
    --------
    >>> from gramian import RidgeClassifier
    >>> RidgeClassifier().fit([[0], [1], [4], [5]], ["a", "a", "b", "b"]).predict([[0.5], [4.5]])
    array(['a', 'b'], dtype='<U1')
    """

    alpha: NonNegative = 1.0

    def _solve(
        self,
        X: Data,
        signs: Matrix,
        codes: npt.NDArray[Any],
        weights: Weights | None,
        **split_params: Any,
    ) -> Matrix:
        alpha = check_alpha(type(self).__name__, self.alpha, signs.shape[1])
        fit = tikhonov(
            Rows.of(X, signs, weights),
            RidgeProblem(alpha, None, bool(self.fit_intercept), penalize_intercept=False),
            solver=self.solver,
            positive=bool(self.positive),
            tol=self.tol,
            max_iter=self.max_iter,
            owner=type(self).__name__,
        )
        once = np.ones(signs.shape[1], dtype=np.int64)
        self.solver_, self.n_iter_ = fit.solver, once if fit.n_iter is None else fit.n_iter
        return fit.model

    def _fits_columns_jointly(self, n_classes: npt.NDArray[np.int64]) -> bool:
        """Return whether one joint fit equals a fit per column: true if all have two classes."""
        return self.class_weight is None and int(n_classes.max()) <= 2


@params(first=("fit_intercept", "scoring", "cv", "class_weight"))
class RidgeClassifierCV(RidgeBaseCV, SignClassifier):
    """`RidgeClassifier` with alpha chosen by exact cross-validation, as in `RidgeCV`.

    Parameters
    ----------
    scoring
        Scorer for left-out rows; None uses the mean squared error of the +1 and -1 targets
        (leave-one-out) or accuracy (folds), as in scikit-learn.
    store_cv_results
        Whether to store the squared errors of left-out rows (their scores, with `scoring`).

    Attributes
    ----------
    cv_results_
        Array (n, targets, alphas), if stored.

    Examples
    --------
    >>> from gramian import RidgeClassifierCV
    >>> model = RidgeClassifierCV().fit([[0], [1], [4], [5]], ["a", "a", "b", "b"])
    >>> model.predict([[4.5]]), model.alpha_
    (array(['b'], dtype='<U1'), 1.0)
    """

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` go to the splitter."""
        return to_splitter(self)

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Choose alpha and fit the classifier.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels (n,), 0s and 1s (n, labels), dense or CSR, or a list of sets of labels.
        sample_weight
            Weights >= 0 of the rows.
        **params
            Further arguments of the splitter, such as ``groups``; needs scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, **routed(self, "fit", params).splitter["split"])

    def _solve(
        self,
        X: Data,
        signs: Matrix,
        codes: npt.NDArray[Any],
        weights: Weights | None,
        **split_params: Any,
    ) -> Matrix:
        search = choose_alpha(
            self,
            X,
            codes,
            weights,
            score_predictions=_accuracy,
            targets=signs,
            split_params=split_params,
        )
        self.alpha_, self.best_score_ = search.alpha, search.score
        if self.store_cv_results and search.results is not None:
            self.cv_results_ = search.results.astype(X.dtype)
        return search.model


class FixedScores(ClassifierMixin, BaseEstimator):
    """Predicts from precomputed scores, so that a scorer can use them."""

    def __init__(self, classes: Any = None) -> None:
        self.classes = classes

    def fit(self, X: Table, y: npt.ArrayLike | None = None) -> Self:
        """Do nothing."""
        return self

    @property
    def classes_(self) -> Any:
        """The codes of the classes, or of each label."""
        return self.classes

    def decision_function(self, X: Matrix) -> Matrix:
        """Return the scores."""
        return X

    def predict(self, X: Matrix) -> Matrix:
        """Return the codes of the largest scores."""
        return (X > 0).astype(np.int64) if isinstance(self.classes, list) else _codes(X)

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _accuracy(scoring: Any, scores: Matrix, y: Matrix, w: Weights | None, _: str) -> float:
    scorer = get_scorer("accuracy" if scoring is None else scoring)
    if y.ndim == 1 and scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    n_classes = 2 if scores.ndim == 1 else scores.shape[1]
    two = np.array([0, 1])
    fixed = FixedScores(np.arange(n_classes) if y.ndim == 1 else [two] * y.shape[1])
    weight = {} if w is None else {"sample_weight": w}
    found = scorer(fixed, scores, y, **weight)
    return score_number("RidgeClassifierCV", "scoring", found)
