"""Classification by ridge regression on signs."""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, Positive, Seed, params
from gramian.base.folds import Splits
from gramian.base.gate import check_fit, check_new
from gramian.base.kinds import Classifier
from gramian.base.moments import Rows
from gramian.base.targets import check_labels
from gramian.base.types import Data, Matrix, Weights
from gramian.base.weights import ClassWeight, check_weights, weigh_classes, weigh_outputs
from gramian.linear_model.common.linear_regressor import check_model
from gramian.linear_model.ridge.ridge import Solver, check_alpha
from gramian.linear_model.ridge.ridge_cv import Scoring, choose_alpha
from gramian.linear_model.ridge.ridge_problem import Problem
from gramian.linear_model.ridge.tikhonov import tikhonov


class SignRegressor(Classifier):
    """A classifier that fits +1 for a class and -1 for the others, or one sign per label."""

    takes_sparse: ClassVar[bool] = True
    coef_: Matrix
    intercept_: Matrix
    classes_: npt.NDArray[Any]
    multilabel_: bool

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def decision_function(self, X: npt.ArrayLike) -> Matrix:
        """Return the fitted signs: (n,) for two classes, positive for the second; else (n, K)."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        scores: Matrix = table @ self.coef_.T + self.intercept_
        return scores

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class of the largest score; for several labels, 0 or 1 of each."""
        scores = self.decision_function(X)
        if self.multilabel_:
            return (scores > 0).astype(np.int64)
        return self.classes_[_codes(scores)]

    def _check(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike | None,
        sample_weight: npt.ArrayLike | None,
        class_weight: Any,
    ) -> tuple[Data, Matrix, npt.NDArray[Any], Weights | None]:
        """Return X, the signs, y as codes or label columns, and the weights."""
        table = check_fit(self, X)
        n = table.shape[0]
        weights = check_weights(self, sample_weight, n)
        labels = None if y is None else np.asarray(y)
        self.multilabel_ = bool(
            labels is not None
            and labels.ndim == 2
            and labels.shape[1] > 1
            and type_of_target(labels) == "multilabel-indicator"
        )
        if self.multilabel_ and labels is not None:
            if len(labels) != n:
                raise DataError(
                    f"{type(self).__name__}: y has {len(labels)} rows but X has {n} rows "
                    "(inconsistent numbers of samples); give one target per row."
                )
            self.classes_ = np.arange(labels.shape[1])
            codes, signs = labels, np.where(labels > 0, 1.0, -1.0)
        else:
            codes, self.classes_ = check_labels(self, y, n)
            held = np.arange(len(self.classes_)) if len(self.classes_) > 2 else np.array([1])
            signs = np.where(codes[:, None] == held, 1.0, -1.0)
        owner = type(self).__name__
        if self.multilabel_:
            both = [np.arange(2)] * codes.shape[1]
            weights = weigh_outputs(owner, class_weight, codes.astype(np.intp), both, weights)
        else:
            weights = weigh_classes(owner, class_weight, codes, self.classes_, weights)
        return table, signs, codes, weights

    def _take(self, model: Matrix, dtype: Any) -> None:
        check_model(self, model[:, :-1], model[:, -1])
        coef = np.ascontiguousarray(model[:, :-1].astype(dtype))
        self.coef_ = coef[0] if len(coef) == 1 else coef
        self.intercept_ = model[:, -1].astype(dtype)


def _codes(scores: Matrix) -> npt.NDArray[np.intp]:
    return (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)


@params
class RidgeClassifier(SignRegressor):
    """Ridge regression on class signs.

    Fits +1 for a class and -1 for the others by `Ridge`, one target per class (one in all for
    two classes), and predicts the class of the largest fitted value: linear discrimination by
    squared error (Hastie, Tibshirani and Friedman 2009, 4.2). All classes share one Gram matrix
    and one factorisation. A table of 0s and 1s as y is several labels.

    Parameters
    ----------
    alpha
        Strength of the penalty.
    fit_intercept
        Whether there is an intercept.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    max_iter
        Turns of conjugate gradients at most.
    tol
        Relative residual at which conjugate gradients stop.
    class_weight
        Weight of each class, or "balanced" for weights inverse to the classes' counts.
    solver
        As for `Ridge`.
    positive
        Whether to require coefficients >= 0.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.

    Attributes
    ----------
    coef_
        Array (d,) for two classes, else (K, d).
    intercept_
        Array (1,) or (K,).
    classes_
        The classes.
    multilabel_
        Whether y held several labels.
    n_iter_
        Turns of conjugate gradients per target; 1 where the answer is direct.
    solver_
        The route taken, see `Ridge`.

    Examples
    --------
    >>> from gramian import RidgeClassifier
    >>> RidgeClassifier().fit([[0], [1], [4], [5]], ["a", "a", "b", "b"]).predict([[0.5], [4.5]])
    array(['a', 'b'], dtype='<U1')
    """

    alpha: NonNegative = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    max_iter: Count | None = None
    tol: NonNegative = 1e-4
    class_weight: ClassWeight = None
    solver: Solver = "auto"
    positive: bool = False
    random_state: Seed = None

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the signs.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels (n,), or 0s and 1s (n, labels).
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table, signs, _, weights = self._check(X, y, sample_weight, self.class_weight)
        alpha = check_alpha(type(self).__name__, self.alpha, signs.shape[1])
        fit = tikhonov(
            Rows.of(table, signs, weights),
            Problem(alpha, None, bool(self.fit_intercept), penalise_intercept=False),
            solver=self.solver,
            positive=bool(self.positive),
            tol=self.tol,
            max_iter=self.max_iter,
            owner=type(self).__name__,
        )
        self._take(fit.model, table.dtype)
        once = np.ones(signs.shape[1], dtype=np.int64)
        self.solver_, self.n_iter_ = fit.solver, once if fit.n_iter is None else fit.n_iter
        return self


@params
class RidgeClassifierCV(SignRegressor):
    """`RidgeClassifier` with alpha chosen by exact cross-validation, as in `RidgeCV`.

    Parameters
    ----------
    alphas
        Strengths of the penalty to try, > 0.
    fit_intercept
        Whether there is an intercept.
    scoring
        What left-out rows are judged by; None for the mean squared error of the signs
        (leave-one-out) or accuracy (folds), as in scikit-learn.
    cv
        None for leave-one-out, a number of folds, a splitter, or a list of (train, test).
    class_weight
        Weight of each class, or "balanced".
    store_cv_results
        Whether to keep the squared errors of left-out rows (their scores, with `scoring`).

    Attributes
    ----------
    alpha_
        The best alpha.
    best_score_
        Its score.
    cv_results_
        Array (n, targets, alphas), if stored.
    coef_
        Array (d,) for two classes, else (K, d).
    intercept_
        Array (1,) or (K,).
    classes_
        The classes.
    multilabel_
        Whether y held several labels.

    Examples
    --------
    >>> from gramian import RidgeClassifierCV
    >>> model = RidgeClassifierCV().fit([[0], [1], [4], [5]], ["a", "a", "b", "b"])
    >>> model.predict([[4.5]]), model.alpha_
    (array(['b'], dtype='<U1'), 1.0)
    """

    alphas: Positive | Array = (0.1, 1.0, 10.0)
    _: KW_ONLY
    fit_intercept: bool = True
    scoring: Scoring = None
    cv: Splits = None
    class_weight: ClassWeight = None
    store_cv_results: bool = False

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Choose alpha and fit the signs of all rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels (n,), or 0s and 1s (n, labels).
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table, signs, codes, weights = self._check(X, y, sample_weight, self.class_weight)
        choice = choose_alpha(self, table, codes, weights, judge=_accuracy, targets=signs)
        self.alpha_, self.best_score_ = choice.alpha, choice.score
        if self.store_cv_results and choice.results is not None:
            self.cv_results_ = choice.results.astype(table.dtype)
        self._take(choice.model, table.dtype)
        return self


class SpokenClass(ClassifierMixin, BaseEstimator):
    """Says the class of scores it is given: lets a scorer judge scores already made."""

    def __init__(self, classes: Any = None) -> None:
        self.classes = classes

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing."""
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
    said = SpokenClass(np.arange(n_classes) if y.ndim == 1 else [two] * y.shape[1])
    weight = {} if w is None else {"sample_weight": w}
    return float(scorer(said, scores, y, **weight))
