"""Chains of classifiers: each label's classifier sees the labels before it."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Learner, Seed, params
from gramian.base.folds import Splits
from gramian.base.randomness import seed_of, stream
from gramian.base.targets import LabelSets
from gramian.base.types import Data, Floats, Matrix
from gramian.multioutput.column_models import constant_or_none, score_of
from gramian.multioutput.label_classifier import LabelMembers

ChainMethod = Literal["predict", "predict_proba", "predict_log_proba", "decision_function"]


@params(first=("order", "cv", "chain_method", "random_state", "verbose"))
class ClassifierChain(LabelMembers):
    """Classifiers of labels in a chain.

    The classifier of the j-th label of the chain is fitted to x and to the labels before it, so
    that it can use how labels occur together:

        h_j : (x, y_1, .., y_{j-1}) -> y_j,

    and predictions take the place of the labels that are not known (Read, Pfahringer, Holmes and
    Frank 2011). Costs a fit per label, each with one column more.

    Parameters
    ----------
    order
        The labels' column numbers in the order of the chain; "random"; None: as given.
    cv
        Folds whose predictions replace the true labels in training, or a splitter; None: the true
        labels.
    chain_method
        What is passed along the chain when predicting, and with `cv` in training.
    random_state
        Seed or generator for a random order.
    verbose
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    order_ : array (L,)
        The column numbers in the order of the chain.
    chain_method_ : str
        What is passed along the chain.
    estimators_ : list
        The fitted classifiers in that order; 0 or 1 for a label that no training row has, or all.

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
    chain_method: ChainMethod = "predict"
    random_state: Seed = None
    verbose: bool = False

    def _fit_labels(self, table: Data, Y: LabelSets) -> None:
        if not hasattr(self.estimator, self.chain_method):
            raise ParameterError(
                f"ClassifierChain: chain_method={self.chain_method!r} needs an estimator with this "
                f"method; {type(self.estimator).__name__} has none."
            )
        order = self._order(Y.shape[1])
        self.estimators_: list[Any] = []
        links: list[Floats] = []
        for label in order:
            column = Y[:, label].astype(np.intp)
            rows = _append(table, links)
            constant = constant_or_none(column)
            member = clone(self.estimator).fit(rows, column) if constant is None else constant
            self.estimators_.append(member)
            if self.cv is None or constant is not None:
                links.append(column.astype(float))
            else:
                left_out = cross_val_predict(
                    self.estimator, rows, column, cv=self.cv, method=self.chain_method
                )
                links.append(_second(left_out))
        self.order_ = order
        self.chain_method_ = self.chain_method

    def _order(self, n_labels: int) -> npt.NDArray[np.intp]:
        if self.order is None:
            return np.arange(n_labels)
        if isinstance(self.order, str):
            return stream(seed_of(self.random_state)).permutation(n_labels).astype(np.intp)
        order = np.asarray(self.order)
        if order.dtype.kind not in "iu" or sorted(order.tolist()) != list(range(n_labels)):
            raise ParameterError(
                f"ClassifierChain: order must hold each of the {n_labels} column numbers once; "
                f"got {order.tolist()}. Invalid order."
            )
        return order.astype(np.intp)

    def _scores(self, table: Data) -> Floats:
        scores = np.empty((table.shape[0], len(self.order_)))
        links: list[Floats] = []
        probable = self._gives_probabilities()
        for label, member in zip(self.order_, self.estimators_, strict=True):
            if isinstance(member, int):
                links.append(np.full(table.shape[0], float(member)))
                scores[:, label] = member if probable else 2 * member - 1
                continue
            rows = _append(table, links)
            scores[:, label] = score_of(member, rows)
            links.append(self._link(member, rows, scores[:, label], probable))
        return scores

    def _link(self, member: Any, rows: Data, score: Floats, probable: bool) -> Floats:
        """Return what the next classifiers see of a label."""
        if self.chain_method == "predict":
            return np.asarray(score > (0.5 if probable else 0.0), dtype=float)
        if self.chain_method == "predict_proba":
            return score
        return _second(getattr(member, self.chain_method)(rows))


def _second(values: npt.ArrayLike) -> Floats:
    """Return the column of the second class, or the only column."""
    given = np.asarray(values, dtype=float)
    return given[:, 1] if given.ndim == 2 else given


def _append(table: Data, links: list[Floats]) -> Data:
    """Return the table with the labels of the chain so far as columns."""
    if not links:
        return table
    more: Matrix = np.column_stack(links).astype(table.dtype)
    if sp.issparse(table):
        return sp.hstack([table, sp.csr_array(more)], format="csr")
    return np.hstack([table, more])
