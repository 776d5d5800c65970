"""Discriminant functions: one value per class; the largest decides."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.decision.risk import check_probabilities, risk_of

Form: TypeAlias = Literal["risk", "posterior", "joint", "log"]


def discriminants(
    likelihoods: ArrayLike,
    priors: ArrayLike,
    *,
    costs: ArrayLike | None = None,
    form: Form = "risk",
) -> Floats:
    """Return g_i(x) for every row: x is assigned to the class with the largest value.

    ============  ==================================  ==========================
    "risk"        -R(a_i | x), any costs
    "posterior"   P(C_i | x)                          equal costs: the same region
    "joint"       p(x | C_i) P(C_i)                   for every form, since each
    "log"         ln p(x | C_i) + ln P(C_i)           is increasing in the others
    ============  ==================================  ==========================

    With two classes the sign of g_1 - g_2 decides, see `discriminant_difference`.
    Alpaydin 2014, 3.4.

    Parameters
    ----------
    likelihoods
        p(x | C_k) of every row x and class k, shape (n, classes): probabilities or densities.
    priors
        P(C_k), shape (classes,).
    costs
        ``costs[i, k]`` of action i in class k; None means 1 for a wrong class. For "risk" only.
    form
        Which function to compute.

    Returns
    -------
    array
        (n, actions) for "risk", (n, classes) for the other forms. If a row has likelihood 0 in
        every class, its posteriors are the priors.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> p = norm.pdf([[0.5], [1.8]], loc=[0.0, 2.0])
    >>> discriminants(p, [0.5, 0.5], form="log").argmax(axis=1)
    array([0, 1])
    >>> discriminants(p, [0.5, 0.5], costs=[[0, 50], [1, 0]]).argmax(axis=1)
    array([1, 1])
    """
    if form not in ("risk", "posterior", "joint", "log"):
        raise ParameterError(
            f"discriminants: form must be 'risk', 'posterior', 'joint' or 'log'; got {form!r}."
        )
    if costs is not None and form != "risk":
        raise ParameterError(
            f"discriminants: costs can only be used with form='risk'; got form={form!r}."
        )
    prior = check_probabilities("discriminants", np.atleast_2d(priors), name="priors")[0]
    likelihood = np.asarray(likelihoods, dtype=np.float64)
    if likelihood.ndim != 2 or likelihood.shape[1] != len(prior):
        raise DataError(
            f"discriminants: likelihoods must have a column for each of the {len(prior)} classes "
            f"of priors; got shape {likelihood.shape}."
        )
    if not ((likelihood >= 0) & (likelihood < np.inf)).all():
        raise DataError("discriminants: likelihoods must be finite numbers >= 0.")
    joint = likelihood * prior
    if form == "joint":
        return np.asarray(joint)
    if form == "log":
        with np.errstate(divide="ignore"):  # -inf for probability 0
            return np.asarray(np.log(likelihood) + np.log(prior))
    total = joint.sum(axis=1, keepdims=True)
    posterior = np.where(total > 0, joint / np.where(total > 0, total, 1.0), prior)
    if form == "posterior":
        return np.asarray(posterior)
    return -risk_of("discriminants", posterior, costs)


def discriminant_difference(
    likelihoods: ArrayLike,
    priors: ArrayLike,
    *,
    costs: ArrayLike | None = None,
    form: Form = "risk",
) -> Floats:
    """Return g(x) = g_1(x) - g_2(x) of two classes: above 0 the first, below 0 the second.

    With form="log" it is the log of the likelihood ratio plus that of the priors' ratio.

    Parameters
    ----------
    likelihoods, priors, costs, form
        As for `discriminants`, of two classes.

    Returns
    -------
    array
        (n,). NaN if form is "log" and a row has likelihood 0 in both classes.

    Examples
    --------
    >>> discriminant_difference([[0.2, 0.1], [0.1, 0.3]], [0.5, 0.5], form="log").round(3)
    array([ 0.693, -1.099])
    """
    g = discriminants(likelihoods, priors, costs=costs, form=form)
    if g.shape[1] != 2:
        raise DataError(
            f"discriminant_difference: there must be two classes and actions; got {g.shape[1]}. "
            "Use discriminants."
        )
    with np.errstate(invalid="ignore"):
        return np.asarray(g[:, 0] - g[:, 1])
