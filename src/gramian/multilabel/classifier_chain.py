"""Classifier chains: the classifier of a label uses the labels before it as features."""

from time import perf_counter
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.model_selection import cross_val_predict
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Learner, Seed, params
from gramian.base.folds import Splits
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import LabelSets
from gramian.base.models import Model
from gramian.base.randomness import seed_of, stream
from gramian.base.routing import is_routing, routed
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.multilabel.common.column_models import (
    constant_code,
    fit_column,
    positive_score,
    weight_argument,
)
from gramian.multilabel.common.label_members import LabelMembers

ChainMethod = Literal["predict", "predict_proba", "predict_log_proba", "decision_function"]


@params(first=("order", "cv", "chain_method", "random_state", "verbose"))
class ClassifierChain(LabelMembers):
    """Multi-label classification by a chain of classifiers.

    The classifier of the j-th label of the chain uses x and the labels before it as features, so
    that it can model dependence between labels:

        h_j : (x, y_1, .., y_{j-1}) -> y_j,

    and prediction uses predicted labels as features (Read, Pfahringer, Holmes and Frank 2011).
    Costs a fit per label, each with one more column.

    Parameters
    ----------
    order
        Column indices of the labels in the order of the chain; "random"; None means 0, 1, ...
    cv
        Number of folds, or a splitter, for predictions that replace the true labels in training;
        None uses the true labels.
    chain_method
        Method whose output is passed along the chain in prediction and, with `cv`, in training. For
        a list, the first method that the estimator has.
    random_state
        Seed or generator for a random order.
    verbose
        Whether to print a line for each fitted classifier.

    Attributes
    ----------
    order_ : array (L,)
        Column indices of the labels in the order of the chain.
    chain_method_ : str
        Method whose output is passed along the chain.
    estimators_ : list
        The fitted classifiers in that order; 0 or 1 for a label that no training row, or every row,
        has.

    Examples
    --------
    >>> from gramian import ClassifierChain, DecisionTreeClassifier
    >>> X, Y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierChain(DecisionTreeClassifier()).fit(X, Y).predict([[1.1], [2.9]])
    array([[0, 1],
           [1, 1]])
    """

    estimator: Learner
    _: KW_ONLY
    order: Literal["random"] | Array | None = None
    cv: Splits = None
    chain_method: ChainMethod | Array = "predict"
    random_state: Seed = None
    verbose: bool = False

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            0s and 1s (n, labels), dense, CSR or a frame; a list of sets of labels; or one label
            per row, shape (n,).
        sample_weight
            Weights >= 0 of the rows, if the estimator supports them.
        **fit_params
            Further arguments of the classifiers' `fit`, with scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self
        """
        if not fit_params and not is_routing():
            return super().fit(X, y, sample_weight)
        if sample_weight is not None:
            fit_params["sample_weight"] = sample_weight
        table = check_fit(self, X)
        Y = self._check_target(y, table.shape[0])
        self._fit_labels(table, Y, None, **routed(self, "fit", fit_params).estimator["fit"])
        self._set_thresholds(table, Y, None)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` go to the classifiers."""
        passed = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=passed)

    def _fit_labels(
        self, table: Data, Y: LabelSets, weights: Weights | None, **arguments: Any
    ) -> None:
        self.chain_method_ = self._method()
        more = {**weight_argument(self.estimator, weights), **arguments}
        order = self._order(Y.shape[1])
        self.estimators_: list[Any] = []
        chain_features: list[Floats] = []
        for number, label in enumerate(order, start=1):
            start = perf_counter()
            column = Y[:, label].astype(np.intp)
            rows = _with_chain_features(table, chain_features)
            constant = constant_code(column)
            self.estimators_.append(fit_column(self.estimator, rows, column, more))
            if self.verbose:
                seconds = f"total={perf_counter() - start:6.1f}s"
                print(f"[Chain] ({number} of {len(order)}) Processing order {label}, {seconds}")  # noqa: T201
            if self.cv is None or constant is not None:
                chain_features.append(column.astype(float))
            else:
                left_out = cross_val_predict(
                    self.estimator,
                    rows,
                    column,
                    cv=self.cv,
                    method=self.chain_method_,
                    params=more,
                )
                chain_features.append(_second_column(left_out))
        self.order_ = order

    def _method(self) -> str:
        """Return the first method in `chain_method` that the estimator has."""
        method = self.chain_method
        wanted = [str(name) for name in np.ravel(np.asarray(method))]
        known = get_args(ChainMethod)
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise ParameterError(
                f"ClassifierChain: chain_method must contain names of {', '.join(known)}; got "
                f"{unknown[0]!r}."
            )
        for name in wanted:
            if hasattr(self.estimator, name):
                return name
        raise ParameterError(
            f"ClassifierChain: chain_method={method!r} needs an estimator with this method; "
            f"{type(self.estimator).__name__} has none."
        )

    def _order(self, n_labels: int) -> npt.NDArray[np.intp]:
        if self.order is None:
            return np.arange(n_labels)
        if isinstance(self.order, str):
            return stream(seed_of(self.random_state)).permutation(n_labels).astype(np.intp)
        order = parameter_array("ClassifierChain", "order", self.order, None)
        if order.dtype.kind not in "iu" or sorted(order.tolist()) != list(range(n_labels)):
            raise ParameterError(
                f"ClassifierChain: order must contain each of the {n_labels} column indices once; "
                f"got {order.tolist()}. Invalid order."
            )
        return order.astype(np.intp)

    def _scores(self, table: Data) -> Floats:
        scores = np.empty((table.shape[0], len(self.order_)))
        chain_features: list[Floats] = []
        has_probabilities = self._gives_probabilities()
        for label, member in zip(self.order_, self.estimators_, strict=True):
            if isinstance(member, int):
                chain_features.append(np.full(table.shape[0], float(member)))
                scores[:, label] = member if has_probabilities else 2 * member - 1
                continue
            rows = _with_chain_features(table, chain_features)
            scores[:, label] = positive_score(member, rows)
            chain_features.append(
                self._chain_feature(member, rows, scores[:, label], has_probabilities)
            )
        return scores

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if self.chain_method_ not in get_args(ChainMethod):
            raise DataError(
                f"ClassifierChain: chain_method_ is not a valid method: {self.chain_method_!r}."
            )

    def _chain_feature(
        self, member: Model, rows: Data, score: Floats, has_probabilities: bool
    ) -> Floats:
        """Return the feature that the next classifiers get for a label."""
        if self.chain_method_ == "predict":
            return np.asarray(score > (0.5 if has_probabilities else 0.0), dtype=float)
        if self.chain_method_ == "predict_proba":
            return score
        return _second_column(getattr(member, self.chain_method_)(rows))


def _second_column(values: npt.ArrayLike) -> Floats:
    """Return the column of the second class, or the only column."""
    array = np.asarray(values, dtype=float)
    return array[:, 1] if array.ndim == 2 else array


def _with_chain_features(table: Data, chain_features: list[Floats]) -> Data:
    """Return the table with the labels of the chain so far as additional columns."""
    if not chain_features:
        return table
    more: Matrix = np.column_stack(chain_features).astype(table.dtype)
    if sp.issparse(table):
        return sp.hstack([table, sp.csr_array(more)], format="csr")
    return np.hstack([table, more])
