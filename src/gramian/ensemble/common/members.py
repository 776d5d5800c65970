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
from gramian.base.models import Model
from gramian.base.routing import for_rows, is_routing
from gramian.base.rows.taking import take
from gramian.base.types import Table, Weights

_NO_PARAMS: Mapping[str, Any] = {}


@contextmanager
def prefixed_errors(owner: object, member: object) -> Iterator[None]:
    """Prefix errors with the names of the ensemble and the member."""
    try:
        yield
    except ValueError as error:
        raise DataError(
            f"{type(owner).__name__}: fitting the member {type(member).__name__} failed: {error}"
        ) from error


def seeded_clone(learner: Model, seed: int) -> Model:
    """Return an unfitted copy in which every ``random_state`` of None is replaced by the seed."""
    member = clone(learner)
    unset = {
        name: seed % 2**32
        for name, value in member.get_params(deep=True).items()
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    return member.set_params(**unset) if unset else member


def takes_weights(learner: Model) -> bool:
    """Return whether a learner's fit accepts sample_weight."""
    return bool(has_fit_parameter(learner, "sample_weight"))


def check_takes_weights(owner: object, learner: Model, advice: str) -> None:
    """Raise if a learner does not support weights; `otherwise` is the advice in the error."""
    if not takes_weights(learner):
        raise ParameterError(
            f"{type(owner).__name__}: the learner {type(learner).__name__} does not support "
            f"sample_weight; {advice}, or use a learner that does."
        )


def fit_member(
    owner: object,
    member: Model,
    X: Table,
    y: npt.ArrayLike,
    weights: Weights | None,
    fit_params: Mapping[str, Any] = _NO_PARAMS,
) -> Any:
    """Fit a member with weights, if any, which it must support; `more` are further arguments."""
    if weights is not None:
        check_takes_weights(owner, member, "leave sample_weight out")
        fit_params = {**fit_params, "sample_weight": weights}
    with prefixed_errors(owner, member):
        member.fit(X, y, **fit_params)
    return member  # a third-party `fit` may not return it


def requests_weights(learner: Model) -> bool:
    """Return whether to pass weights: with metadata routing, only if the learner requests them."""
    if is_routing():
        return bool(get_routing_for_object(learner).consumes("fit", ("sample_weight",)))
    return takes_weights(learner)


def fit_weighted(
    member: Model,
    X: Any,
    y: Any,
    weights: Weights | None,
    fit_params: Mapping[str, Any] = _NO_PARAMS,
) -> Any:
    """Fit with weights; for a learner without sample_weight, repeat rows by their integer weights.

    `more` are further arguments; those with one value per row are indexed like the rows.
    """
    if weights is None:
        member.fit(X, y, **fit_params)
    elif requests_weights(member):
        positive = np.flatnonzero(weights)
        row_params = for_rows(fit_params, positive, len(y)) | {"sample_weight": weights[positive]}
        member.fit(take(X, positive), y[positive], **row_params)
    else:
        rows = np.repeat(np.arange(len(weights)), weights.astype(np.intp))
        member.fit(take(X, rows), y[rows], **for_rows(fit_params, rows, len(y)))
    return member


def posterior_of(
    member: Model, X: Any, classes: npt.NDArray[Any], params: Mapping[str, Any] = _NO_PARAMS
) -> npt.NDArray[np.float64]:
    """Return a member's class probabilities, or its votes, in the order of `classes`.

    Classes that the member was not fitted to have probability 0.
    """
    probabilities = np.zeros((X.shape[0], len(classes)))
    if hasattr(member, "predict_proba"):
        probabilities[:, np.searchsorted(classes, member.classes_)] = member.predict_proba(
            X, **params
        )
    else:
        probabilities[
            np.arange(len(probabilities)), np.searchsorted(classes, member.predict(X, **params))
        ] = 1.0
    return probabilities
