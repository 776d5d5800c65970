"""The model that boosting starts from: a constant, zero, or any estimator."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import logit
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils.validation import has_fit_parameter

from gramian.base.errors import DataError, ParameterError
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss, NativeLoss
from gramian.objectives.regression import weighted_quantile

if TYPE_CHECKING:
    from gramian.base.models import Model

_CLIP = np.finfo(np.float64).eps  # probabilities are clipped to [this, 1 - this]


@dataclass(frozen=True, eq=False)
class InitialModel:
    """The model that gives the scores before the first tree.

    Parameters
    ----------
    start : array of shape (n_scores,) or None
        Constant scores; None if there is a model.
    model : estimator or None
        A fitted model; None for constant scores.
    """

    record_name: ClassVar[str] = "initial_model"

    start: Floats | None
    model: Any = None

    @classmethod
    def of(
        cls,
        owner: Estimator,
        loss: BoostingLoss,
        rows: tuple[Data, Floats, Floats | None],
    ) -> "InitialModel":
        """Return the initial model of a boosting estimator, fitted to (X, y, weights)."""
        X, y, weights = rows
        if isinstance(owner.init, str):
            return cls(np.zeros(loss.n_scores))
        if owner.init is None:
            if isinstance(loss, NativeLoss) and loss.policy == "huber":
                return cls(np.array([weighted_quantile(y, weights, 0.5)]))
            return cls(np.asarray(loss.initial_scores(y, weights), dtype=np.float64))
        model: Model = clone(owner.init)
        name = type(model).__name__
        if is_classifier(owner) and not hasattr(model, "predict_proba"):
            raise ParameterError(
                f"{type(owner).__name__}: init must be an estimator with predict_proba; {name} has "
                "none."
            )
        codes = y.astype(np.intp) if is_classifier(owner) else y
        if weights is None:
            return cls(None, model.fit(X, codes))
        if not has_fit_parameter(model, "sample_weight"):
            raise ParameterError(
                f"{type(owner).__name__}: The initial estimator {name} does not support sample "
                "weights; omit sample_weight, or use another init."
            )
        return cls(None, model.fit(X, codes, sample_weight=weights))

    def scores(self, X: Data, loss: BoostingLoss) -> Floats:
        """Return the scores of rows, of shape (n_scores, n)."""
        if self.start is not None:
            return np.tile(self.start[:, None], (1, X.shape[0]))
        if loss.link == "identity":
            return np.asarray(self.model.predict(X), dtype=np.float64).reshape(1, -1)
        if loss.link == "exp":
            predicted = np.asarray(self.model.predict(X), dtype=np.float64).reshape(1, -1)
            return np.asarray(np.log(np.maximum(predicted, np.finfo(np.float64).tiny)))
        p: Floats = np.clip(self.model.predict_proba(X), _CLIP, 1 - _CLIP, dtype=np.float64).T
        if loss.link == "softmax":
            logs = np.log(p)
            return np.ascontiguousarray(logs - logs.mean(axis=0))
        return np.asarray(logit(p[1:2]) / loss.link_scale)

    def constant(self, owner: str) -> Floats:
        """Return the constant scores; raise if there is a model instead."""
        if self.start is None:
            raise DataError(
                f"{owner}: only models with init=None or init='zero' can be exported; got "
                f"init={type(self.model).__name__}."
            )
        return self.start

    def estimator(self, owner: Estimator) -> Any:
        """Return the initial model as a fitted estimator, or "zero"."""
        if self.start is None:
            return self.model
        if isinstance(owner.init, str):
            return "zero"
        X = np.zeros((1, owner.n_features_in_))
        if not is_classifier(owner):
            return DummyRegressor(strategy="mean").fit(X, owner._loss().mean(self.start))
        p: Floats = owner._loss().mean(self.start[:, None])[:, 0]
        p = np.array([1 - p[0], p[0]]) if len(p) == 1 else p
        codes = np.arange(len(p))
        return DummyClassifier(strategy="prior").fit(X.repeat(len(p), 0), codes, sample_weight=p)
