"""Markov chains with discrete states."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats, Matrix
from gramian.graphical_model.labels import (
    check_labels_present,
    check_nonnegative_integer,
    check_pseudo_count,
    python_labels,
    sorted_labels,
)

_TOLERANCE = 1e-8


class MarkovChain:
    """Markov chain: the next state depends only on the present state.

        P(s_1, ..., s_T) = p(s_1) prod_t P[s_t, s_(t+1)]

    Parameters
    ----------
    transitions : array of shape (K, K)
        Transition matrix P; row i contains the probabilities of the states that follow state i.
    states : list of K labels, default=None
        The states; 0, 1, ... if None.
    initial : array of shape (K,), default=None
        Probabilities of the first state; None means uniform.

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
        self.transitions: Floats = _check_probabilities("transitions", P)
        self.states: list[Any] = list(range(K) if states is None else states)
        if len(self.states) != K or len(set(self.states)) < K:
            raise ParameterError(
                f"MarkovChain: states must be {K} different labels, one per row of transitions; "
                f"got {self.states}."
            )
        first = np.full(K, 1 / K) if initial is None else np.array(initial, dtype=float)
        if first.shape != (K,):
            raise ParameterError(
                f"MarkovChain: initial must contain {K} probabilities; got shape {first.shape}."
            )
        self.initial: Floats = _check_probabilities("initial", first)

    def constructor_arguments(self) -> dict[str, Any]:
        """Return the transitions, states and initial probabilities, which a model file stores."""
        states = python_labels(self.states)
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

        with the number n_ij of transitions from i to j; a = 0 is maximum likelihood. A state
        without observed transitions gets uniform probabilities.

        Parameters
        ----------
        sequences : list of sequences
            Sequences of states; transitions between sequences do not count.
        pseudo_count : float, default=0.0
            Pseudo-count a >= 0 of each transition.
        states : list, default=None
            The states; if None, the sorted states of the sequences.

        Returns
        -------
        chain : MarkovChain
        """
        smoothing = check_pseudo_count("MarkovChain", pseudo_count)
        sequence_list = [] if isinstance(sequences, str) else list(sequences)
        if isinstance(sequences, str) or not all(isinstance(w, Iterable) for w in sequence_list):
            raise DataError(
                "MarkovChain: sequences must be a list of sequences; wrap it in a list."
            )
        encoded = [
            check_labels_present("MarkovChain", "a sequence", path) for path in sequence_list
        ]
        if not any(encoded):
            raise DataError("MarkovChain: sequences must contain at least one state; got none.")
        if states is None:
            found = (s for path in encoded for s in path)
            known = sorted_labels("MarkovChain", "a sequence", "states", found)
        else:
            known = list(states)
        codes = [_codes(path, known) for path in encoded if path]
        K = len(known)
        counts = np.full((K, K), smoothing)
        first = np.full(K, smoothing)
        for path in codes:
            np.add.at(counts, (path[:-1], path[1:]), 1.0)
            first[path[0]] += 1
        left: Matrix = counts.sum(axis=1, keepdims=True)
        P = np.where(left > 0, counts / np.where(left > 0, left, 1.0), 1 / K)
        return cls(P, known, first / first.sum())

    def log_likelihood(self, sequence: Sequence[Any]) -> float:
        """Return the log probability of a sequence; minus infinity for an impossible one."""
        path = _codes(python_labels(sequence), self.states)
        if not len(path):
            return 0.0
        with np.errstate(divide="ignore"):
            steps = np.log(self.transitions[path[:-1], path[1:]])
            return float(np.log(self.initial[path[0]]) + steps.sum())

    def stationary_distribution(self) -> Floats:
        """Return the distribution pi with pi P = pi.

        Returns
        -------
        pi : array of shape (K,)

        Raises
        ------
        DataError
            If it is not unique, because the chain has several closed groups of states.
        """
        n_groups, group = connected_components(self.transitions > 0, connection="strong")
        leaves = self.transitions > 0
        closed = [g for g in range(n_groups) if not leaves[np.ix_(group == g, group != g)].any()]
        if len(closed) > 1:
            groups = [
                [s for s, of in zip(self.states, group, strict=True) if of == g] for g in closed
            ]
            raise DataError(
                f"MarkovChain: the stationary distribution is not unique; the groups of states "
                f"{groups} are never left. Use one of them, or set pseudo_count."
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
        """Return the distribution of the state `steps` steps after a given state."""
        at = _codes([state], self.states)[0]
        power = check_nonnegative_integer("MarkovChain", "steps", steps)
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
        path: list[int] = []
        for u in rng.random(check_nonnegative_integer("MarkovChain", "length", length)):
            cut = cuts[path[-1]] if path else first
            path.append(min(int(np.searchsorted(cut, u * cut[-1], side="right")), len(cut) - 1))
        return [self.states[i] for i in path]


def _check_probabilities(name: str, P: Floats) -> Floats:
    sums = np.atleast_1d(P.sum(axis=-1))
    if not (P >= 0).all():
        raise ParameterError(
            f"MarkovChain: {name} must be probabilities >= 0; got {P[~(P >= 0)].flat[0]:g}."
        )
    if (np.abs(sums - 1) > _TOLERANCE).any():
        worst = int(np.argmax(np.abs(sums - 1)))
        raise ParameterError(
            f"MarkovChain: {name} must be probabilities >= 0 that sum to 1; row {worst} sums to "
            f"{sums[worst]:.6g}. Divide it by its sum."
        )
    return P


def _codes(path: list[Any], states: list[Any]) -> npt.NDArray[np.intp]:
    place = {state: i for i, state in enumerate(states)}
    unknown = next((s for s in path if not isinstance(s, Hashable) or s not in place), None)
    if unknown is not None:
        raise DataError(
            f"MarkovChain: {unknown!r} is not a state; the states are {states}. Add it to states."
        )
    return np.array([place[s] for s in path], dtype=np.intp)
