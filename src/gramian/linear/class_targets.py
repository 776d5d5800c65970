"""What logistic regression asks of its targets, and the weights that classes give to rows."""

from typing import Any, Literal, TypeAlias

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.labels import Classes, Codes
from gramian.objectives.loss import Floats

ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"] | None


def check_penalty(C: float, l1_ratio: float) -> None:
    """Raise where an l1 penalty is asked for."""
    if l1_ratio > 0 and np.isfinite(C):
        raise ParameterError(
            f"LogisticRegression: l1_ratio must be 0 here; got {l1_ratio!r}. The l1 penalty comes "
            "with the lasso's solvers; until then use "
            "sklearn.linear_model.LogisticRegression(solver='saga')."
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


def class_weights(class_weight: ClassWeight, classes: Classes, counts: Floats) -> Floats:
    """Return the weight of each class; `counts` are the weights of their rows.

    Examples
    --------
    >>> class_weights("balanced", np.array(["a", "b"]), np.array([1.0, 3.0])).round(4).tolist()
    [2.0, 0.6667]
    """
    of_class: Floats = np.ones(len(classes))
    if class_weight is None:
        return of_class
    if class_weight == "balanced":
        present = counts > 0
        of_class[present] = counts.sum() / (present.sum() * counts[present])
        return of_class
    place = {label: k for k, label in enumerate(classes.tolist())}
    for label, weight in class_weight.items():
        if label not in place:
            raise ParameterError(
                f"LogisticRegression: class_weight names {label!r}, which y does not hold; the "
                f"classes are {classes.tolist()}."
            )
        of_class[place[label]] = weight
    return of_class


def row_weights(
    class_weight: ClassWeight, codes: Codes, classes: Classes, weights: Floats | None
) -> Floats:
    """Return the weight of each row: its own times that of its class."""
    if class_weight is None:
        return np.ones(len(codes)) if weights is None else weights
    counts = np.bincount(codes, weights=weights, minlength=len(classes)).astype(float)
    of_row: Floats = class_weights(class_weight, classes, counts)[codes]
    return of_row if weights is None else of_row * weights
