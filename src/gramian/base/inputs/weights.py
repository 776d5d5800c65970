"""Weights of rows and of classes, with one meaning everywhere: weight k counts a row k times.

Class weights multiply the weights of the rows, and "balanced" counts the weights of a class's rows,
where many estimators of scikit-learn count the rows and ignore their weights.
"""

from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian.base.conversions import refuse_masked, refuse_times, translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_finite
from gramian.base.inputs.targets import Classes, Codes
from gramian.base.kinds import Estimator
from gramian.base.parameter_rules import Interval, shown
from gramian.base.types import Floats, Weights

_WEIGHT = Interval(Real, 0, np.inf, open_high=True)

ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"] | None


def check_held_out(owner: str, weights: Weights | None) -> None:
    """Raise if all rows held out for early stopping have weight 0, which leaves no score."""
    if weights is not None and not weights.any():
        raise DataError(
            f"{owner}: sample_weight is 0 for all rows that were held out for early stopping; give "
            "more rows a positive weight, hold out more rows, or pass X_val."
        )


def check_weights(
    estimator: Estimator, sample_weight: npt.ArrayLike | None, n_samples: int
) -> Weights | None:
    """Return the weights as float64, or None if all rows have the same weight."""
    return check_sample_weight(type(estimator).__name__, sample_weight, n_samples)


def check_sample_weight(
    name: str, sample_weight: npt.ArrayLike | None, n_samples: int
) -> Weights | None:
    """Do the same for an owner given by name."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        one = [sample_weight]
        as_float: Floats = translated(name, "sample_weight", lambda: np.asarray(one, float), one)
        sample_weight = np.full(n_samples, as_float[0])
    refuse_masked(name, "sample_weight", sample_weight)
    refuse_times(name, "sample_weight", sample_weight)
    weights: Weights = translated(
        name,
        "sample_weight",
        lambda: check_array(
            sample_weight,
            dtype=np.float64,
            order="C",
            ensure_2d=False,
            ensure_all_finite=False,
            ensure_min_samples=0,
        ),
        sample_weight,
    )
    if weights.shape != (n_samples,):
        raise DataError(
            f"{name}: sample_weight must have shape {(n_samples,)}, one weight per row of X; "
            f"got shape {weights.shape}. Sample weights must be 1D array or scalar."
        )
    weights = np.require(weights, requirements="A")
    check_finite(name, "sample_weight", weights)
    if (weights < 0).any():
        at = int(np.argmax(weights < 0))
        raise DataError(
            f"{name}: sample_weight must not be negative; got {weights[at]:g} at row {at}. "
            "Drop such rows or give them weight 0."
        )
    if not np.isfinite(weights.sum()):
        raise DataError(
            f"{name}: the sum of sample_weight must be finite; got weights as large as "
            f"{weights.max():.3g}. Divide them by a constant."
        )
    if not weights.any():
        raise DataError(f"{name}: every sample_weight is zero; make at least one positive.")
    return weights


def unit_weights(weights: Weights | None, most: float = 1e100) -> Weights | None:
    """Return weights with finite sums and squares, for methods to which only their ratios matter.

    If the largest is above `most` or below 1 / `most`, they are divided by a power of two, which
    does not round; otherwise they are unchanged.
    """
    if weights is None or 1 / most < (largest := float(weights.max())) < most:
        return weights
    return np.ldexp(weights, -int(np.frexp(largest)[1]))


def class_weights(
    owner: str, class_weight: ClassWeight, classes: Classes, counts: Floats
) -> Floats:
    """Return the weight of each class; `counts` are the weights of their rows.

    "balanced" gives the classes equal weight: W / (K W_k), W_k the weight of the rows of class k,
    so that a row of weight 2 counts as two rows here too. Labels that are not listed have weight 1.

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
        with np.errstate(over="ignore"):
            of_class[present] = counts.sum() / (present.sum() * counts[present])
        if not np.isfinite(of_class).all():
            light = int(np.argmax(of_class))
            raise DataError(
                f"{owner}: class_weight='balanced' divides by the weight of each class, but the "
                f"class {classes.tolist()[light]!r} has only the weight {counts[light]:.3g} "
                f"of {counts.sum():.3g}. Pass larger weights, or class_weight=None."
            )
        return of_class
    place = {label: k for k, label in enumerate(classes.tolist())}
    for label, weight in class_weight.items():
        if label not in place:
            raise ParameterError(
                f"{owner}: class_weight names {label!r}, which is not in y; the classes are "
                f"{classes.tolist()}."
            )
        if not _WEIGHT.accepts(weight):
            raise ParameterError(
                f"{owner}: class_weight must be finite numbers >= 0; got {shown(weight)} for the "
                f"class {label!r}."
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
    """Multiply each row's weight by the weight of its class; None means ones."""
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

    A list has an entry for each output; anything other than "balanced" needs one, because labels of
    different outputs may be equal.
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
