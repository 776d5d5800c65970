from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.multilabel.label_assignment import assign_labels


def covered(Y, weights, chosen):
    return weights @ Y[:, chosen].any(axis=1)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_greedy_and_the_program_come_near_the_best_cover(seed, limit):
    """Nemhauser, Wolsey and Fisher 1978: greedy covers at least 1 - 1/e of the best."""
    rng = np.random.default_rng(seed)
    Y, weights = rng.random((10, 5)) < 0.3, rng.random(10)
    best = max(covered(Y, weights, list(some)) for some in combinations(range(5), limit))
    for assignment in ("greedy", "lp"):
        chosen = assign_labels(Y, weights, limit, assignment)
        assert chosen.sum() <= limit
        assert covered(Y, weights, chosen) >= (1 - np.exp(-1)) * best - 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_counts_cover_most_pairs_of_row_and_label(seed, limit):
    rng = np.random.default_rng(seed)
    Y, weights = rng.random((10, 5)) < 0.3, rng.random(10)
    pairs = weights @ Y
    best = max(pairs[list(some)].sum() for some in combinations(range(5), limit))
    chosen = assign_labels(Y, weights, limit, "count")
    assert pairs[chosen].sum() == pytest.approx(best)


def test_labels_without_a_row_are_never_chosen():
    Y = np.array([[1, 0, 1], [1, 0, 0]], bool)
    for assignment in ("count", "greedy", "lp"):
        assert assign_labels(Y, np.zeros(2), 3, assignment).tolist() == [True, False, True]
