"""Scorers applied to predictions that are already computed."""

from typing import Annotated, Any, Self, TypeAlias

import numpy.typing as npt
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names

from gramian.base.fields import Function
from gramian.base.scores import score_number
from gramian.base.types import Matrix, Table, Weights


class IsScorer:
    """The name of a scikit-learn scorer."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is the name of a scorer."""
        return isinstance(value, str) and value in get_scorer_names()

    def __str__(self) -> str:
        return "the name of a scorer"


Scoring: TypeAlias = Annotated[str, IsScorer()] | Function | None


class FixedPredictions(RegressorMixin, BaseEstimator):
    """Returns precomputed predictions, so that a scorer can score them."""

    def fit(self, X: Table, y: npt.ArrayLike | None = None) -> Self:
        """Do nothing."""
        return self

    def predict(self, X: Table) -> Any:
        """Return X."""
        return X

    def __sklearn_is_fitted__(self) -> bool:
        return True


def score_regression(
    scoring: Any, predicted: Matrix, y: Matrix, w: Weights | None, default: str
) -> float:
    """Return the score of predictions by a scorer, its name, or the default."""
    scorer = get_scorer(default if scoring is None else scoring)
    weight = {} if w is None else {"sample_weight": w}
    score = scorer(FixedPredictions(), predicted, y, **weight)
    return score_number("RidgeCV, RidgeClassifierCV", "scoring", score)
