"""A constant classifier, for a label that all training rows have, or none."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gramian.base.errors import DataError
from gramian.base.rows.taking import number_of_rows
from gramian.base.types import Matrix, Table


@dataclass(frozen=True)
class ConstantLabel:
    """Predicts the same label for every row.

    Attributes
    ----------
    label : int
        1 if every training row has the label, 0 if none has.
    """

    record_name: ClassVar[str] = "constant_label"

    label: int

    def __post_init__(self) -> None:
        if self.label not in (0, 1):
            raise DataError(f"ConstantLabel: label must be 0 or 1; got {self.label!r}.")

    def predict(self, X: Table) -> Matrix:
        """Return the label of each row."""
        return np.full(number_of_rows(X), self.label)

    def decision_function(self, X: Table) -> Matrix:
        """Return 1 for each row if every training row has the label, else -1."""
        return np.full(number_of_rows(X), 2.0 * self.label - 1)

    def predict_proba(self, X: Table) -> Matrix:
        """Return probabilities 0 and 1."""
        return np.tile([1.0 - self.label, float(self.label)], (number_of_rows(X), 1))
