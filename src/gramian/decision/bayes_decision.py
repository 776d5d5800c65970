"""Decisions of least expected cost from the probabilities of any classifier."""

from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import EntryError, array_of
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Instance,
    Learner,
    NonNegative,
    check_params,
    params,
)
from gramian.base.folds import Splits
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Classifier, Tags
from gramian.base.models import Model
from gramian.base.types import Floats, Table
from gramian.decision.risk import Actions, check_costs, least_risk, risk_of

_ENOUGH_FOR_ISOTONIC = 1000
Label = Annotated[Any, Instance((str, int, float), "a string or a number")]


@params
class BayesDecision(Classifier):
    """Choose the action of least expected cost from the probabilities of a classifier.

    The conditional risk of action i is

        R(a_i | x) = sum_k costs[i, k] P(classes_[k] | x),

    and the action of least risk is chosen, or the row is rejected if that costs less. Actions need
    not be classes: there may be more or fewer ("treat", "test again", "send home").

    The decisions are only as good as the probabilities. `cv` sets where these come from: a fitted
    classifier (``"prefit"``), one fitted here (None), or one fitted and calibrated by
    cross-validation (a number of folds or a splitter), which also gives probabilities for
    classifiers that have only scores, such as support vector machines. `score` is the accuracy, as
    for every classifier; `mean_cost` takes the costs into account.

    Parameters
    ----------
    estimator
        The classifier.
    costs
        ``costs[i, k]`` is the cost of action i when the truth is ``classes_[k]``, shape (actions,
        classes). None means 1 for each mistake and 0 for a correct decision.
    reject
        Cost of rejecting a row (making no decision). None never rejects.
    actions
        Names of the actions, in the order of the rows of `costs`. None uses the classes if there
        are as many actions, else the numbers from 0.
    reject_label
        What `predict` returns for rejected rows. Use a number, such as -1, if the classes are
        numbers: scikit-learn's scores do not accept a mix of numbers and strings.
    cv
        ``"prefit"`` uses the fitted `estimator`; None fits a copy to all rows; a number of folds or
        a splitter fits and calibrates it, by `sklearn.calibration.CalibratedClassifierCV`.
    calibration
        Calibration method: ``"sigmoid"`` has two parameters and suits few rows; ``"isotonic"`` fits
        any monotone function and needs about a thousand rows; ``"temperature"`` only makes all
        probabilities more or less extreme. ``"auto"`` is isotonic from 1000 rows on and sigmoid
        below (Niculescu-Mizil and Caruana, ICML 2005).

    Attributes
    ----------
    estimator_ : estimator
        The classifier whose probabilities are used.
    classes_ : array of shape (classes,)
        The classes, in the order of the columns of `costs`.
    n_features_in_ : int
        Number of features seen in `fit`, if `estimator_` has it.
    feature_names_in_ : array of strings
        Names of the features, if `estimator_` has them.

    Examples
    --------
    A missed case costs ten times a false alarm; rejecting costs as much as a false alarm.

    >>> from gramian import BayesDecision, KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], ["well", "well", "well", "ill", "ill"]
    >>> model = KNeighborsClassifier(3).fit(X, y)
    >>> model.predict([[0.2], [2.0], [3.9]])
    array(['well', 'well', 'ill'], dtype='<U4')
    >>> decision = BayesDecision(model, costs=[[0, 1], [10, 0]])  # rows and columns: ill, well
    >>> decision.predict([[0.2], [2.0], [3.9]])
    array(['well', 'ill', 'ill'], dtype='<U4')
    >>> decision.set_params(reject=0.5).decide([[0.2], [2.0], [3.9]])
    array([ 1, -1,  0])
    """

    tags: ClassVar[Tags] = {"input_tags": lambda self: self.estimator.__sklearn_tags__().input_tags}
    parametric = None
    model_family = None  # like its members

    estimator: Learner
    _: KW_ONLY
    costs: Array | None = None
    reject: NonNegative | None = None
    actions: Array | None = None
    reject_label: Label = "reject"
    cv: Literal["prefit"] | Splits = "prefit"
    calibration: Literal["auto", "sigmoid", "isotonic", "temperature"] = "auto"

    def fit(self, X: Table, y: Any = None, **fit_params: Any) -> Self:
        """Fit, calibrate or reuse the classifier, and check that the costs match its classes.

        Parameters
        ----------
        X, y
            Rows and labels, in any form that the classifier accepts; ignored if ``cv="prefit"``.
        fit_params
            Passed to the classifier's ``fit``.
        """
        check_params(self)
        if isinstance(self.cv, str):
            fitted = self._prefitted()
        else:
            source = clone(self.estimator)
            if self.cv is not None:
                source = CalibratedClassifierCV(source, cv=self.cv, method=self._method(y))
            try:
                fitted = source.fit(X, y, **fit_params)
            except ValueError as error:
                raise _as_data_error(error, f"BayesDecision: {error}") from error
        _check_probabilistic(fitted)
        if isinstance(fitted.classes_, list):
            raise DataError(
                "BayesDecision: y must contain one label per row; got "
                f"{len(fitted.classes_)} columns of labels. Use one model per column, or pass "
                "y.argmax(axis=1) for one-hot labels."
            )
        self._names(fitted.classes_)  # check early that the costs match the classes
        self.estimator_ = fitted
        self.classes_ = fitted.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self

    def decide(self, X: Table, costs: ArrayLike | None = None) -> Actions:
        """Return the index of the best action for every row, -1 for rejection.

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        costs
            Costs for this call instead of those of the constructor: one matrix of shape (actions,
            classes), or one for each row, shape (n, actions, classes), for instance if the cost of
            a bad loan is its amount.
        """
        return least_risk(self.conditional_risk(X, costs), self.reject)

    def predict(self, X: Table) -> NDArray[Any]:
        """Return the name of the best action for every row, `reject_label` for rejection.

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        """
        chosen = self.decide(X)
        names = self._names(self._probability_model().classes_)
        if self.reject is None:
            return names[chosen]
        # Index -1, a rejection, selects the last name.
        return _append_label(names, self.reject_label)[chosen]

    def predict_proba(self, X: Table) -> NDArray[Any]:
        """Return the posterior probabilities, one column per class of ``classes_``.

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        """
        source = self._probability_model()
        try:
            proba: NDArray[Any] = np.asarray(source.predict_proba(X))
        except ValueError as error:
            raise _as_data_error(
                error, f"BayesDecision: {_features_error(error, source)}"
            ) from error
        return proba

    def conditional_risk(self, X: Table, costs: ArrayLike | None = None) -> Floats:
        """Return the expected cost of every action for every row, shape (n, actions).

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        costs
            As for `decide`.
        """
        proba = self.predict_proba(X)
        return risk_of("BayesDecision", proba, self.costs if costs is None else costs)

    def mean_cost(self, X: Table, y: ArrayLike, costs: ArrayLike | None = None) -> float:
        """Return the mean cost of the decisions on labelled rows.

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        y
            True classes of the rows.
        costs
            As for `decide`; used for the decisions and for their cost.
        """
        effective_costs = self.costs if costs is None else costs
        chosen, truth = self.decide(X, effective_costs), self._codes(y)
        if len(chosen) != len(truth):
            raise DataError(
                f"BayesDecision: y has {len(truth)} rows but X has {len(chosen)}; "
                "pass one label per row."
            )
        if effective_costs is None:
            costs_incurred = (chosen != truth).astype(np.float64)
        else:
            table = np.asarray(effective_costs, dtype=np.float64)
            rows = np.arange(len(chosen))
            costs_incurred = table[chosen, truth] if table.ndim == 2 else table[rows, chosen, truth]
        if self.reject is not None:
            costs_incurred = np.where(chosen < 0, self.reject, costs_incurred)
        return float(costs_incurred.mean())

    def score(self, X: Table, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy of the actions; a rejected row counts as wrong.

        Parameters
        ----------
        X
            Rows, in any form that the classifier accepts.
        y
            True classes of the rows.
        sample_weight
            Weights of the rows; None for equal weights.
        """
        if not set(self._names(self._probability_model().classes_)) & set(
            self._probability_model().classes_
        ):
            raise DataError(
                "BayesDecision: no action is a class, so accuracy is not defined; use "
                "mean_cost(X, y)."
            )
        predicted = self.predict(X)
        truth = array_of("BayesDecision", "y", y)
        if truth.shape != predicted.shape:
            raise DataError(
                f"BayesDecision: y must have a class for each of the {len(predicted)} rows of X; "
                f"got shape {truth.shape}."
            )
        try:
            right = (predicted == truth).astype(np.float64)
        except TypeError:  # a missing value equals no class
            raise DataError(
                "BayesDecision: y must contain classes; got a missing value. Drop these rows."
            ) from None
        weights = check_weights(self, sample_weight, len(right))
        return float(np.average(right, weights=weights))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_") or (self.cv == "prefit" and _is_fitted(self.estimator))

    def _method(self, y: npt.ArrayLike) -> str:
        if self.calibration != "auto":
            return self.calibration
        return "isotonic" if np.asarray(y).size >= _ENOUGH_FOR_ISOTONIC else "sigmoid"

    def _probability_model(self) -> Any:
        """Return the classifier that gives probabilities; a prefit one needs no `fit` here."""
        if not hasattr(self, "estimator_") and self.cv == "prefit":
            _check_probabilistic(self._prefitted())
            return self.estimator
        check_is_fitted(self)
        return self.estimator_

    def _prefitted(self) -> Any:
        if not _is_fitted(self.estimator):
            name = type(self.estimator).__name__
            raise NotFittedError(
                f"BayesDecision: cv='prefit' needs a fitted estimator, and this {name} is not "
                "fitted (a copy made by clone or by cross-validation never is). Fit it first, wrap "
                "it in sklearn.frozen.FrozenEstimator, or set cv=None to fit it here."
            )
        return self.estimator

    def _names(self, classes: NDArray[Any]) -> NDArray[Any]:
        """Return the names of the actions, after checking costs and names against the classes."""
        count = len(classes)
        if self.costs is not None:
            table = check_costs("BayesDecision", self.costs, len(classes))
            count = len(table)
        if self.actions is None:
            return classes if count == len(classes) else np.arange(count)
        names = np.asarray(self.actions)
        if names.shape != (count,):
            raise ParameterError(
                f"BayesDecision: actions must name each of the {count} actions; got "
                f"{names.tolist()!r}. Pass one name for each row of costs."
            )
        return names

    def _codes(self, y: ArrayLike) -> NDArray[np.intp]:
        classes, labels = self._probability_model().classes_, np.asarray(y)
        unknown = ~np.isin(labels, classes)
        if labels.ndim != 1 or unknown.any():
            raise DataError(
                "BayesDecision: y must be one-dimensional with labels from "
                f"{classes.tolist()!r}; got shape {labels.shape} and unknown labels "
                f"{np.unique(labels[unknown]).tolist()!r}."
            )
        return np.searchsorted(classes, labels)


def _append_label(names: NDArray[Any], last: Any) -> NDArray[Any]:
    """Append a label; a mix of text and numbers becomes an object array."""
    alike = isinstance(last, str) == (names.dtype.kind in "US")
    every = [*names.tolist(), last]
    return np.array(every) if alike and names.dtype.kind != "O" else np.array(every, dtype=object)


def _is_fitted(estimator: Model) -> bool:
    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError):
        return False
    return True


def _check_probabilistic(fitted: Model) -> None:
    if not hasattr(fitted, "predict_proba") or not hasattr(fitted, "classes_"):
        raise ParameterError(
            "BayesDecision: estimator must be a classifier with predict_proba; "
            f"{type(fitted).__name__} has none. Set cv=5 to calibrate its scores."
        )


def _as_data_error(error: Exception, text: str) -> DataError:
    """Return a DataError, which is also a TypeError if the original error was one."""
    return (EntryError if isinstance(error, TypeError) else DataError)(text)


def _features_error(error: ValueError, source: Any) -> str:
    """Raise scikit-learn's error about the number of features under the name of the wrapper."""
    name = type(source).__name__
    return str(error).replace(f"but {name} is expecting", "but BayesDecision is expecting")
