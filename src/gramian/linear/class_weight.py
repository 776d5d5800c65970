"""Weights of classes become weights of rows."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.class_weight import compute_sample_weight

from gramian.base.errors import ParameterError
from gramian.base.gate import Weights
from gramian.base.labels import Classes, Codes
from gramian.objectives.loss import Floats

ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"] | None


def class_weights(
    owner: str, class_weight: ClassWeight, classes: Classes, counts: Floats
) -> Floats:
    """Return the weight of each class; `counts` are the weights of their rows.

    "balanced" makes the classes weigh alike: W / (K W_k), W_k the weight of the rows of class k,
    so that a row of weight 2 counts as two rows here too. Labels that are not named weigh 1.

    Examples
    --------
    >>> two = np.array(["a", "b"])
    >>> class_weights("Ridge", "balanced", two, np.array([1.0, 3.0])).round(4).tolist()
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
                f"{owner}: class_weight names {label!r}, which y does not hold; the classes are "
                f"{classes.tolist()}."
            )
        if not (np.isreal(weight) and np.isfinite(weight) and weight >= 0):
            raise ParameterError(
                f"{owner}: class_weight must be finite numbers >= 0; got {weight!r} for the class "
                f"{label!r}."
            )
        of_class[place[label]] = weight
    if not (of_class * counts).any():
        raise ParameterError(
            f"{owner}: class_weight leaves every row with weight 0; make at least one positive."
        )
    return of_class


def weigh_classes(
    owner: str,
    class_weight: ClassWeight,
    codes: Codes,
    classes: Classes,
    weights: Weights | None,
) -> Weights | None:
    """Multiply each row's weight by that of its class; None stands for ones."""
    if class_weight is None:
        return weights
    counts = np.bincount(codes, weights=weights, minlength=len(classes)).astype(float)
    of_row: Weights = class_weights(owner, class_weight, classes, counts)[codes]
    return of_row if weights is None else of_row * weights


def weigh_labels(
    owner: str, class_weight: ClassWeight, labels: npt.NDArray[Any], weights: Weights | None
) -> Weights | None:
    """Do the same for several labels per row: the product over the labels."""
    if class_weight is None:
        return weights
    if class_weight != "balanced":
        raise ParameterError(
            f"{owner}: class_weight must be None or 'balanced' where a row has several labels; "
            f"got {class_weight!r}. Weight the rows with sample_weight."
        )
    factor: Weights = compute_sample_weight(class_weight, labels)
    return factor if weights is None else weights * factor
