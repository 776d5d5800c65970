"""Members of an ensemble: cloned from a learner, seeded, fitted."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from gramian.base.errors import DataError, ParameterError
from gramian.base.routing import for_rows, is_routing
from gramian.base.rows.taking import take
from gramian.base.types import Table, Weights

_NOTHING: Mapping[str, Any] = {}


@contextmanager
def naming(owner: object, member: object) -> Iterator[None]:
    """Add the names of the ensemble and of the member to errors."""
    try:
        yield
    except ValueError as error:
        raise DataError(
            f"{type(owner).__name__}: the member {type(member).__name__} refuses: {error}"
        ) from error


def member_of(learner: Any, seed: int) -> Any:
    """Return an unfitted copy; every ``random_state`` in it that is None gets the seed."""
    member = clone(learner)
    free = {
        name: seed % 2**32
        for name, value in member.get_params(deep=True).items()
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    return member.set_params(**free) if free else member


def takes_weights(learner: Any) -> bool:
    """Return whether a learner's fit has sample_weight."""
    return bool(has_fit_parameter(learner, "sample_weight"))


def check_takes_weights(owner: object, learner: Any, otherwise: str) -> None:
    """Raise if weights cannot be passed to a learner; the error says what to do otherwise."""
    if not takes_weights(learner):
        raise ParameterError(
            f"{type(owner).__name__}: the learner {type(learner).__name__} does not support "
            f"sample_weight; {otherwise}, or use a learner that does."
        )


def fit_member(
    owner: object,
    member: Any,
    X: Table,
    y: npt.ArrayLike,
    weights: Weights | None,
    more: Mapping[str, Any] = _NOTHING,
) -> Any:
    """Fit a member; if there are weights, it must support them. `more` are further arguments."""
    if weights is not None:
        check_takes_weights(owner, member, "leave sample_weight out")
        more = {**more, "sample_weight": weights}
    with naming(owner, member):
        member.fit(X, y, **more)
    return member  # which `fit` of others may not return


def asks_for_weights(learner: Any) -> bool:
    """Return whether a learner gets weights: where metadata is routed, only if it asks for them."""
    if is_routing():
        return bool(get_routing_for_object(learner).consumes("fit", ("sample_weight",)))
    return takes_weights(learner)


def fit_weighted(
    member: Any, X: Any, y: Any, weights: Weights | None, more: Mapping[str, Any] = _NOTHING
) -> Any:
    """Fit with weights; for a learner without them, integer weights are repeated rows.

    `more` are further arguments; of those with a value for each row, the rows are taken.
    """
    if weights is None:
        member.fit(X, y, **more)
    elif asks_for_weights(member):
        kept = np.flatnonzero(weights)
        own = for_rows(more, kept, len(y)) | {"sample_weight": weights[kept]}
        member.fit(take(X, kept), y[kept], **own)
    else:
        rows = np.repeat(np.arange(len(weights)), weights.astype(np.intp))
        member.fit(take(X, rows), y[rows], **for_rows(more, rows, len(y)))
    return member


def posterior_of(
    member: Any, X: Any, classes: npt.NDArray[Any], more: Mapping[str, Any] = _NOTHING
) -> npt.NDArray[np.float64]:
    """Return a member's class probabilities in the order of `classes`, or its vote.

    Classes that the member was not fitted to have probability 0.
    """
    out = np.zeros((X.shape[0], len(classes)))
    if hasattr(member, "predict_proba"):
        out[:, np.searchsorted(classes, member.classes_)] = member.predict_proba(X, **more)
    else:
        out[np.arange(len(out)), np.searchsorted(classes, member.predict(X, **more))] = 1.0
    return out
