"""Bayes' rule for a finite number of states."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from gramian.base.errors import DataError
from gramian.base.types import Floats


class StatePosterior(NamedTuple):
    """The posterior of the states after the observations."""

    posterior: Floats  # P(state | all observations), shape (states,)
    evidence: Floats  # P(x_t | x_1 .. x_{t-1}) of each observation, shape (observations,)
    sequence: Floats  # P(state | x_1 .. x_t) after each observation, (observations, states)
    log_evidence: float  # log P(x_1 .. x_n), finite where the product underflows


def bayes_rule(
    prior: npt.ArrayLike, likelihoods: npt.ArrayLike, *, log: bool = False
) -> StatePosterior:
    """Return the posterior of the states after one or more observations.

    P(state | x) = P(x | state) P(state) / P(x), the evidence P(x) = sum_k P(x | w_k) P(w_k) by
    total probability. Several observations must be conditionally independent given the state; each
    posterior is the prior of the next, which gives the same result as all observations at once.
    Computed with logarithms.

    Parameters
    ----------
    prior
        P(state), shape (states,).
    likelihoods
        P(x | state), probabilities or densities: shape (states,) for one observation,
        (observations, states) for several.
    log
        Whether `likelihoods` are logarithms.

    Returns
    -------
    StatePosterior
        The posterior, the evidence of each observation, the intermediate posteriors, and the total
        log evidence.

    Examples
    --------
    A coin is fair or has two heads; it falls heads three times.

    >>> from gramian.textbook.estimation import bayes_rule
    >>> bayes_rule([0.5, 0.5], [[0.5, 1.0]] * 3).sequence.round(3)
    array([[0.333, 0.667],
           [0.2  , 0.8  ],
           [0.111, 0.889]])
    """
    first = np.asarray(prior, dtype=np.float64)
    if first.ndim != 1 or not (first >= 0).all() or not abs(first.sum() - 1) <= 1e-6:
        raise DataError(
            "bayes_rule: prior must be probabilities of the states that sum to one; got "
            f"{np.array2string(first, precision=4, threshold=6)}."
        )
    table = np.asarray(likelihoods, dtype=np.float64)
    table = table[None] if table.ndim == 1 else table
    if table.ndim != 2 or table.shape[1] != len(first):
        raise DataError(
            f"bayes_rule: likelihoods must have a column for each of the {len(first)} states; got "
            f"shape {table.shape}."
        )
    bad = np.isnan(table) | (table == np.inf) | ((table < 0) & (not log))
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise DataError(
            "bayes_rule: likelihoods must be finite numbers >= 0, or their logarithms with "
            f"log=True; got {table[row, column]:g} in row {row}, column {column}."
        )
    with np.errstate(divide="ignore"):
        steps = table if log else np.log(table)
        joint = np.log(first) + np.cumsum(steps, axis=0)  # log P(x_1 .. x_t, state)
    totals = logsumexp(joint, axis=1)
    impossible = np.isneginf(totals)
    if impossible.any():
        raise DataError(
            f"bayes_rule: row {int(np.argmax(impossible))} of likelihoods is impossible in every "
            "state that the prior and the earlier rows allow."
        )
    evidence = np.exp(np.diff(totals, prepend=0.0))
    sequence = np.exp(joint - totals[:, None])
    sequence /= sequence.sum(axis=1, keepdims=True)
    if not len(sequence):  # no observation
        return StatePosterior(first / first.sum(), evidence, sequence, 0.0)
    return StatePosterior(sequence[-1], evidence, sequence, float(totals[-1]))
