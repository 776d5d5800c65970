"""Validation of labelled batches for `fit` and `partial_fit`: classes, codes and weights."""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.targets import Classes, Codes, check_labels
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Weights


def batch_classes(estimator: Estimator, classes: npt.ArrayLike | None) -> Classes:
    """Return all labels that a call of `partial_fit` may contain; the first call lists them."""
    name, known = type(estimator).__name__, getattr(estimator, "classes_", None)
    if known is None and classes is None:
        raise DataError(
            f"{name}: classes must be passed on the first call to partial_fit; pass all labels "
            "that will ever occur."
        )
    if known is None:
        return np.unique(np.asarray(classes))
    if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), known):
        raise DataError(
            f"{name}: classes={np.asarray(classes).tolist()} differs from the classes of the first "
            f"call, {np.asarray(known).tolist()}: it is not the same as on last call to "
            "partial_fit."
        )
    return np.asarray(known)


def batch_codes(
    estimator: Estimator, y: npt.ArrayLike, n_samples: int, known: Classes | None
) -> tuple[Codes, Classes]:
    """Return the code of each row's class among the known ones; None uses those of y."""
    codes, found = check_labels(estimator, y, n_samples)
    if known is None:
        return codes, found
    return label_indices(estimator, found, known)[codes], known


def label_indices(estimator: Estimator, found: Classes, known: Classes) -> Codes:
    """Return the index of each label in the known labels; both arrays are sorted."""
    try:
        places = np.searchsorted(known, found)
        others = np.setdiff1d(found, known)
        inside = places < len(known)
        known_labels = bool(inside.all()) and np.array_equal(known[places], found)
    except TypeError:  # for example strings and dates
        raise DataError(
            f"{type(estimator).__name__}: y contains labels of type {found.dtype} while classes "
            f"are of type {known.dtype}; pass labels of the same type."
        ) from None
    if not known_labels:
        raise DataError(
            f"{type(estimator).__name__}: the target label(s) "
            f"{others.tolist()} in y do not exist in the initial classes "
            f"{known.tolist()}. Mini-batch contains {found.tolist()} while classes must be subset "
            f"of {known.tolist()}; pass all labels as classes in the first call."
        )
    return places


def batch_weights(
    estimator: Estimator, sample_weight: npt.ArrayLike | None, table: Data, *, first: bool
) -> Weights | None:
    """Return the weights; for the first batch, scaled so that sums and squares are finite."""
    weights = check_weights(estimator, sample_weight, table.shape[0])
    return unit_weights(weights) if first else weights
