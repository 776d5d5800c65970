"""What forests for numbers share."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score
from sklearn.utils import Bunch

from gramian.base.callbacks import with_callbacks
from gramian.ensemble.forests.forest_estimator import Floats, ForestEstimator
from gramian.tree.decision_tree_regressor import DecisionTreeRegressor
from gramian.tree.leaf_values import LeafValues


class ForestRegressor(LeafValues, ForestEstimator):
    """The mean over trees of the numbers of leaves."""

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
            Their targets.
        sample_weight : array of shape (n,), optional
            Weights of the rows: how likely each is drawn, or without bootstrap how much it counts.

        Returns
        -------
        self : object
        """
        table = self._check_table(X)
        targets, weights = self._check_values(table, y, sample_weight)
        self._grow(table, targets, weights)
        if self.oob_score:
            self.oob_prediction_ = self._predictions(self._out_of_bag_with_warning(table))
            score = self.oob_score if callable(self.oob_score) else r2_score
            given = np.asarray(y, dtype=np.float64).reshape(self.oob_prediction_.shape)
            self.oob_score_ = float(score(given, self.oob_prediction_))
        return self

    def predict(self, X: npt.ArrayLike) -> Floats:
        """Predict the mean over the trees of the number of each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            float32 where the targets of `fit` were.
        """
        values = self._mean(X)
        return self._predictions(values)

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[Floats]:
        """Predict with the first 1, 2, ... trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Yields
        ------
        y : array of shape (n,) or (n, n_outputs)
        """
        return map(self._predictions, self._staged_means(X))

    def permutation_importance(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        *,
        n_repeats: int = 5,
        random_state: Any = None,
        out_of_bag: bool = False,
    ) -> Bunch:
        """Return how much of R^2 is lost when a column is put in random order.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Their targets.
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
        truth = np.asarray(y, dtype=np.float64)

        def score(values: Floats) -> float:
            return float(r2_score(truth, self._predictions(values).reshape(truth.shape)))

        return self._permuted(X, score, n_repeats, random_state, out_of_bag)

    @property
    def estimators_(self) -> list[DecisionTreeRegressor]:
        """The trees as estimators, made when asked for."""
        return [self._tree_estimator(DecisionTreeRegressor, t) for t in range(len(self.forest_))]
