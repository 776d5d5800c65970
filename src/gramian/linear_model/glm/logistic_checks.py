"""Checks of the penalty and of probabilities as targets of logistic regression."""

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats


def check_no_l1(C: float, l1_ratio: float) -> None:
    """Raise if an l1 penalty is requested, which `fit_chunks` does not support."""
    if l1_ratio > 0 and np.isfinite(C):
        raise ParameterError(
            f"LogisticRegression: fit_chunks needs l1_ratio=0; got {l1_ratio!r}. An l1 penalty is "
            "solved column by column: use fit, in memory."
        )


def check_probabilities(probabilities: Floats) -> None:
    """Raise unless the targets are in [0, 1] and, with several columns, each row sums to 1."""
    bad = ~((probabilities >= 0) & (probabilities <= 1))
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise DataError(
            "LogisticRegression: probabilities must be in [0, 1]; got "
            f"{probabilities[at]:g} at row {at[0]}. Clip them, or fit labels with fit."
        )
    if probabilities.ndim == 2:
        off = np.abs(probabilities.sum(axis=1) - 1) > 1e-6
        if off.any():
            row = int(np.argmax(off))
            raise DataError(
                "LogisticRegression: the probabilities of a row must sum to 1; got "
                f"{probabilities[row].sum():g} at row {row}. Divide each row by its sum."
            )
