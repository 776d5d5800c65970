"""Markov chains: transition counts of sequences."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.graphical_model.labels import (
    check_labels_present,
    check_pseudo_count,
    check_whole,
    in_order,
    plain_labels,
)

_ROUNDING = 1e-8


class MarkovChain:
    """Sequence of states in which the next one depends on the present one only.

        P(s_1, ..., s_T) = p(s_1) prod_t P[s_t, s_(t+1)]

    Parameters
    ----------
    transitions : array of shape (K, K)
        P; row i holds the probabilities of the states that follow state i.
    states : list of K labels, default=None
        The states; 0, 1, ... if None.
    initial : array of shape (K,), default=None
        Probabilities of the first state; None: all alike.

    Attributes
    ----------
    transitions : array of shape (K, K)
        The transition matrix.
    states : list
        The states.
    initial : array of shape (K,)
        Probabilities of the first state.

    Examples
    --------
    >>> from gramian.graphical_model import MarkovChain
    >>> weather = MarkovChain([[0.9, 0.1], [0.5, 0.5]], ["sun", "rain"])
    >>> weather.stationary_distribution().round(4).tolist()
    [0.8333, 0.1667]
    >>> MarkovChain.fit([["a", "b", "b", "a", "b"]]).transitions.round(3).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """

    def __init__(
        self,
        transitions: npt.ArrayLike,
        states: Iterable[Any] | None = None,
        initial: npt.ArrayLike | None = None,
    ) -> None:
        P = np.array(transitions, dtype=float)
        if P.ndim != 2 or P.shape[0] != P.shape[1] or not len(P):
            raise ParameterError(
                f"MarkovChain: transitions must be a square matrix; got shape {P.shape}."
            )
        K = len(P)
        self.transitions: Floats = _rows_of_probabilities("transitions", P)
        self.states: list[Any] = list(range(K) if states is None else states)
        if len(self.states) != K or len(set(self.states)) < K:
            raise ParameterError(
                f"MarkovChain: states must be {K} different labels, one per row of transitions; "
                f"got {self.states}."
            )
        first = np.full(K, 1 / K) if initial is None else np.array(initial, dtype=float)
        if first.shape != (K,):
            raise ParameterError(
                f"MarkovChain: initial must hold {K} probabilities; got shape {first.shape}."
            )
        self.initial: Floats = _rows_of_probabilities("initial", first)

    def constructor_arguments(self) -> dict[str, Any]:
        """Return the transitions, states and first probabilities, which a model file stores."""
        states = plain_labels(self.states)
        return {"transitions": self.transitions, "states": states, "initial": self.initial}

    @classmethod
    def fit(
        cls,
        sequences: Iterable[Sequence[Any]],
        *,
        pseudo_count: float = 0.0,
        states: Iterable[Any] | None = None,
    ) -> "MarkovChain":
        """Learn the chain from sequences by counting.

            P[i, j] = (n_ij + a) / (n_i + a K)

        with the number n_ij of steps from i to j; a = 0 is the maximum of the likelihood. A state
        that is never left is followed by all states alike.

        Parameters
        ----------
        sequences : list of sequences
            Each a sequence of states; steps from one sequence to the next do not count.
        pseudo_count : float, default=0.0
            a >= 0.
        states : list, default=None
            The states; those of the sequences, sorted, if None.

        Returns
        -------
        chain : MarkovChain
        """
        added = check_pseudo_count("MarkovChain", pseudo_count)
        given = [] if isinstance(sequences, str) else list(sequences)
        if isinstance(sequences, str) or not all(isinstance(w, Iterable) for w in given):
            raise DataError(
                "MarkovChain: sequences must be a list of sequences; wrap it in a list."
            )
        walks = [check_labels_present("MarkovChain", "a sequence", walk) for walk in given]
        if not any(walks):
            raise DataError("MarkovChain: sequences must hold at least one state; got none.")
        if states is None:
            found = (s for walk in walks for s in walk)
            known = in_order("MarkovChain", "a sequence", "states", found)
        else:
            known = list(states)
        codes = [_codes(walk, known) for walk in walks if walk]
        K = len(known)
        counts = np.full((K, K), added)
        first = np.full(K, added)
        for walk in codes:
            np.add.at(counts, (walk[:-1], walk[1:]), 1.0)
            first[walk[0]] += 1
        left = counts.sum(axis=1, keepdims=True)
        P = np.where(left > 0, counts / np.where(left > 0, left, 1.0), 1 / K)
        return cls(P, known, first / first.sum())

    def log_likelihood(self, sequence: Sequence[Any]) -> float:
        """Return the log probability of a sequence; minus infinity for an impossible one."""
        walk = _codes(plain_labels(sequence), self.states)
        if not len(walk):
            return 0.0
        with np.errstate(divide="ignore"):
            steps = np.log(self.transitions[walk[:-1], walk[1:]])
            return float(np.log(self.initial[walk[0]]) + steps.sum())

    def stationary_distribution(self) -> Floats:
        """Return the distribution pi with pi P = pi.

        Returns
        -------
        pi : array of shape (K,)

        Raises
        ------
        DataError
            Where there are several, because the states fall into groups that are never left.
        """
        n_groups, group = connected_components(self.transitions > 0, connection="strong")
        leaves = self.transitions > 0
        closed = [g for g in range(n_groups) if not leaves[np.ix_(group == g, group != g)].any()]
        if len(closed) > 1:
            groups = [
                [s for s, of in zip(self.states, group, strict=True) if of == g] for g in closed
            ]
            raise DataError(
                f"MarkovChain: the stationary distribution is not unique; the groups {groups} are "
                "never left. Take one of them, or add a pseudo_count."
            )
        inside = np.flatnonzero(group == closed[0])
        P = self.transitions[np.ix_(inside, inside)]
        # (P^T - I) pi = 0 with one equation, which follows from the others, replaced by sum = 1
        A = P.T - np.eye(len(inside))
        A[-1] = 1.0
        one = np.zeros(len(inside))
        one[-1] = 1.0
        pi = np.zeros(len(self.states))
        pi[inside] = np.maximum(np.linalg.solve(A, one), 0.0)
        return np.asarray(pi / pi.sum())

    def forecast(self, state: Any, steps: int = 1) -> Floats:
        """Return the distribution of the state so many steps after a given one."""
        at = _codes([state], self.states)[0]
        power = check_whole("MarkovChain", "steps", steps)
        return np.asarray(np.linalg.matrix_power(self.transitions, power)[at])

    def sample(self, length: int, random_state: object = None) -> list[Any]:
        """Draw a sequence.

        Parameters
        ----------
        length : int
            Number of states.
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator for the random draws.

        Returns
        -------
        sequence : list of states
        """
        rng = stream(seed_of(random_state))
        cuts = np.cumsum(self.transitions, axis=1)
        first = np.cumsum(self.initial)
        walk: list[int] = []
        for u in rng.random(check_whole("MarkovChain", "length", length)):
            cut = cuts[walk[-1]] if walk else first
            walk.append(min(int(np.searchsorted(cut, u * cut[-1], side="right")), len(cut) - 1))
        return [self.states[i] for i in walk]


def _rows_of_probabilities(name: str, P: Floats) -> Floats:
    sums = np.atleast_1d(P.sum(axis=-1))
    if not (P >= 0).all():
        raise ParameterError(
            f"MarkovChain: {name} must be probabilities >= 0; got {P[~(P >= 0)].flat[0]:g}."
        )
    if (np.abs(sums - 1) > _ROUNDING).any():
        worst = int(np.argmax(np.abs(sums - 1)))
        raise ParameterError(
            f"MarkovChain: {name} must be probabilities >= 0 that sum to 1; row {worst} sums to "
            f"{sums[worst]:.6g}. Divide it by its sum."
        )
    return P


def _codes(walk: list[Any], states: list[Any]) -> npt.NDArray[np.intp]:
    place = {state: i for i, state in enumerate(states)}
    unknown = next((s for s in walk if not isinstance(s, Hashable) or s not in place), None)
    if unknown is not None:
        raise DataError(
            f"MarkovChain: {unknown!r} is no state; the states are {states}. Name it in states."
        )
    return np.array([place[s] for s in walk], dtype=np.intp)
