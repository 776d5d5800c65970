"""Weights of classes become weights of rows."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.class_weight import compute_sample_weight

from gramian.base.gate import Weights
from gramian.base.labels import Classes, Codes

ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"] | None


def weigh_classes(
    class_weight: ClassWeight, codes: Codes, classes: Classes, weights: Weights | None
) -> Weights | None:
    """Multiply each row's weight by that of its class.

    "balanced" makes the classes weigh alike: W / (K W_k), W_k the weight of the rows of class k,
    so that a row of weight 2 counts as two rows here too.
    """
    if class_weight is None:
        return weights
    rows = np.ones(len(codes)) if weights is None else weights
    if class_weight == "balanced":
        mass = np.bincount(codes, rows, minlength=len(classes))
        factor = np.divide(
            mass.sum(), np.count_nonzero(mass) * mass, out=np.zeros(len(classes)), where=mass > 0
        )
    else:
        factor = np.array([class_weight.get(c, 1.0) for c in classes.tolist()], dtype=np.float64)
    weighted: Weights = rows * factor[codes]
    return weighted


def weigh_labels(
    class_weight: ClassWeight, labels: npt.NDArray[Any], weights: Weights | None
) -> Weights | None:
    """Do the same for several labels per row: the product over the labels."""
    if class_weight is None:
        return weights
    factor: Weights = compute_sample_weight(class_weight, labels)
    return factor if weights is None else weights * factor
