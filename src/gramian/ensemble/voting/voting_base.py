"""Functions shared by the voting estimators."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.ensemble.common.members import naming, takes_weights
from gramian.ensemble.common.named import weights_of


def model_posterior(log_evidence: npt.ArrayLike, prior: npt.ArrayLike | None = None) -> Floats:
    """Return P(M_j | data), in proportion to prior times evidence.

    Parameters
    ----------
    log_evidence
        log P(data | M_j) of each model.
    prior
        P(M_j), up to a factor; None for equal ones.

    Returns
    -------
    array
        Probabilities that sum to 1.

    Examples
    --------
    >>> from gramian.ensemble import model_posterior
    >>> model_posterior([-1000.0, -1000.0 - 1.0986122886681098]).round(3)
    array([0.75, 0.25])
    """
    logs = np.asarray(log_evidence, dtype=float)
    probabilities = weights_of(prior, len(logs), "model_posterior")
    with np.errstate(divide="ignore"):
        logs = logs + np.log(probabilities)
    return np.asarray(np.exp(logs - logsumexp(logs)))


def kept_weights(weights: Any, estimators: Any, owner: str) -> Any:
    """Return the weights of the learners that are not dropped."""
    if weights is None:
        return None
    given = np.asarray(weights, dtype=float)
    if len(given) != len(estimators):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {len(given)} "
            f"weights, {len(estimators)} estimators"
        )
    drop = [isinstance(member, str) for _, member in estimators]
    return given[~np.array(drop)]


def fit_member(owner: object, member: Any, X: Any, y: Any, weights: Any) -> Any:
    """Fit a member, with weights if there are any."""
    if weights is None:
        with naming(owner, member):
            return member.fit(X, y)
    if not takes_weights(member):
        raise TypeError(
            f"{type(owner).__name__}: underlying estimator {type(member).__name__} does not "
            "support sample weights; leave sample_weight out."
        )
    with naming(owner, member):
        return member.fit(X, y, sample_weight=weights)
