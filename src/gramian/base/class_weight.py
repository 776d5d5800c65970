"""Class weights, with one meaning everywhere: they multiply the weights of the rows.

A row of weight k counts as k rows, here too: "balanced" weighs a class by the weights of its rows,
where scikit-learn counts the rows and ignores their weights.
"""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.gate import Weights
from gramian.base.labels import Classes, Codes

Floats: TypeAlias = npt.NDArray[np.float64]
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
    of_row = _of_rows(owner, class_weight, codes, classes, weights)
    return of_row if weights is None else of_row * weights


def weigh_outputs(
    owner: str,
    class_weight: ClassWeight | list[ClassWeight],
    codes: npt.NDArray[np.integer[Any]],
    classes: list[Classes],
    weights: Weights | None,
) -> Weights | None:
    """Do the same for several outputs, a column of codes each: the product over the outputs.

    A list has an entry for each output; anything else than "balanced" needs one, because labels of
    different outputs may look alike.
    """
    outputs = codes.shape[1]
    each = class_weight if isinstance(class_weight, list) else [class_weight] * outputs
    if len(each) != outputs or (isinstance(class_weight, dict) and outputs > 1):
        raise ParameterError(
            f"{owner}: where a row has several labels, class_weight must be 'balanced' or a list "
            f"with an entry for each of the {outputs} outputs; got {class_weight!r}."
        )
    total = weights
    for k, of_output in enumerate(each):
        if of_output is not None:
            of_row = _of_rows(owner, of_output, codes[:, k], classes[k], weights)
            total = of_row if total is None else total * of_row
    return total


def _of_rows(
    owner: str,
    class_weight: ClassWeight,
    codes: npt.NDArray[np.integer[Any]],
    classes: Classes,
    weights: Weights | None,
) -> Weights:
    """Return the weight of each row's class."""
    counts = np.bincount(codes, weights=weights, minlength=len(classes)).astype(float)
    return np.asarray(class_weights(owner, class_weight, classes, counts)[codes])
