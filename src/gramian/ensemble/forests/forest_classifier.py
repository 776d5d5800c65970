"""What forests for classes share."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.metrics import accuracy_score
from sklearn.utils import Bunch

from gramian.base.callbacks import with_callbacks
from gramian.base.errors import DataError
from gramian.ensemble.forests.forest_estimator import Floats, ForestEstimator
from gramian.tree.class_probabilities import (
    ByOutput,
    ClassProbabilities,
    log_probabilities,
)
from gramian.tree.decision_tree_classifier import DecisionTreeClassifier


class ForestClassifier(ClassProbabilities, ForestEstimator):
    """The mean over trees of the shares of the classes."""

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows: numbers, categories, missing values.
        y : array of shape (n,) or (n, n_outputs)
            Their classes.
        sample_weight : array of shape (n,), optional
            Weights of the rows: how likely each is drawn, or without bootstrap how much it counts.

        Returns
        -------
        self : object
        """
        table = self._check_table(X)
        in_each = self.class_weight == "balanced_subsample" and self.bootstrap
        targets, weights = self._check_classes(table, y, sample_weight, by_class=not in_each)
        self._grow(table, targets, weights, balanced=in_each)
        if self.oob_score:
            codes = targets.codes
            assert codes is not None
            shares = self._out_of_bag_with_warning(table)
            self.oob_decision_function_ = shares[:, 0] if self.n_outputs_ == 1 else shares
            best = shares.argmax(axis=2)
            given = codes.astype(np.intp)
            if self.n_outputs_ == 1:
                given, best = given[:, 0], best[:, 0]
            score = self.oob_score if callable(self.oob_score) else _accuracy
            self.oob_score_ = float(score(given, best))
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class of each row: the one with the greatest mean share.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
        """
        shares = self._mean(X)
        return self._labels(shares)

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first 1, 2, ... trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Yields
        ------
        y : array of shape (n,) or (n, n_outputs)
        """
        return map(self._labels, self._staged_means(X))

    def predict_proba(self, X: npt.ArrayLike) -> ByOutput:
        """Return the mean over the trees of the share of each class in the row's leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        p : array of shape (n, n_classes), or a list of them for several outputs
        """
        shares = np.minimum(self._mean(X), 1.0)  # where all trees agree, rounding may pass it
        return self._by_output(shares)

    def predict_log_proba(self, X: npt.ArrayLike) -> ByOutput:
        """Return the logarithm of `predict_proba`.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        log_p : array of shape (n, n_classes), or a list of them for several outputs
        """
        return log_probabilities(self.predict_proba(X))

    def permutation_importance(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        *,
        n_repeats: int = 5,
        random_state: Any = None,
        out_of_bag: bool = False,
    ) -> Bunch:
        """Return how much accuracy is lost when a column is put in random order.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their classes.
        n_repeats : int
            Random orders of each column.
        random_state : int, RandomState, Generator or None
            Seed of the orders.
        out_of_bag : bool
            Predict each row by the trees that did not see it (Breiman 2001, 10); X and y are then
            those of `fit`.

        Returns
        -------
        result : Bunch
            ``importances`` (d, n_repeats), ``importances_mean``, ``importances_std``.
        """
        truth = np.asarray(y)
        if self.n_outputs_ > 1:
            raise DataError(f"{type(self).__name__}: permutation_importance is for one output.")

        def score(shares: Floats) -> float:
            return float(np.mean(self._labels(shares) == truth))

        return self._permuted(X, score, n_repeats, random_state, out_of_bag)

    @property
    def estimators_(self) -> list[DecisionTreeClassifier]:
        """The trees as estimators, made when asked for."""
        return [self._tree_estimator(DecisionTreeClassifier, t) for t in range(len(self.forest_))]


def _accuracy(truth: npt.NDArray[np.intp], predicted: npt.NDArray[np.intp]) -> float:
    if truth.ndim == 1:
        return float(accuracy_score(truth, predicted))
    return float((truth == predicted).all(axis=1).mean())
