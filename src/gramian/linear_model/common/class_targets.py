"""What logistic regression asks of its penalty and its targets."""

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.targets import Classes
from gramian.base.types import Floats


def check_penalty(C: float, l1_ratio: float) -> None:
    """Raise where an l1 penalty is asked for."""
    if l1_ratio > 0 and np.isfinite(C):
        raise ParameterError(
            f"LogisticRegression: fit_chunks serves l1_ratio=0; got {l1_ratio!r}. An l1 penalty is "
            "solved column by column, so fit in memory for it."
        )


def check_classes(owner: str, classes: Classes, mass: Floats) -> None:
    """Raise unless two classes have positive weight; `owner` is who asks."""
    if (mass > 0).sum() < 2:
        found = ", ".join(map(repr, classes[mass > 0].tolist()))
        raise DataError(
            f"{owner}: y must hold at least 2 classes with positive weight; got "
            f"1 class only: {found}. Give rows of another class."
        )


def check_shares(shares: Floats) -> None:
    """Raise unless the targets are probabilities: in [0, 1], rows of several with the sum 1."""
    bad = ~((shares >= 0) & (shares <= 1))
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise DataError(
            "LogisticRegression: probabilities must lie in [0, 1]; got "
            f"{shares[at]:g} at row {at[0]}. Clip them, or fit labels with fit."
        )
    if shares.ndim == 2:
        off = np.abs(shares.sum(axis=1) - 1) > 1e-6
        if off.any():
            row = int(np.argmax(off))
            raise DataError(
                "LogisticRegression: the probabilities of a row must have the sum 1; got "
                f"{shares[row].sum():g} at row {row}. Divide each row by its sum."
            )
