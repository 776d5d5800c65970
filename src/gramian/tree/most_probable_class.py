"""Classifiers that predict the most probable class."""

from typing import Any, ClassVar

import numpy.typing as npt

from gramian.base.kinds import Classifier, LogProbabilities, ModelFamily
from gramian.base.types import Floats, Table


class MostProbableClass(LogProbabilities, Classifier):
    """A classifier that predicts the class with the highest `predict_proba`."""

    model_family: ClassVar[ModelFamily | None] = "discriminative"

    classes_: npt.NDArray[Any]

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict the class of each row: the most probable one, the first in a tie.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        p = self.predict_proba(X)
        labels: npt.NDArray[Any] = self.classes_[p.argmax(axis=1)]
        return labels

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities, of shape (m, n_classes)."""
        raise NotImplementedError
